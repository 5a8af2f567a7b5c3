/* What GSL's multimin/test.c defines for the functions that it tests. */
unsigned int fcount, gcount;
