/* of a switch */

OP(0, a + b)
OP(1, a*b)
