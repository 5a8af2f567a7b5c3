/* Structs and an enumeration that structs of a header define inside. */
struct term { double c; enum shade { LIGHT, HEAVY } shade; };
struct sum { struct part { double a, b; } part[2]; struct bounds { int from, to; } over; };
struct list { struct sum *head; int n; };
