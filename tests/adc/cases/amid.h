/* Included in the middle of amid.c: it needs what stands above its #include there. */
static inline double amid_part(double a)
{
    return a*a*gain + table[LAST]*a;
}
static inline double amid_order(int i) { return order[i]; }
