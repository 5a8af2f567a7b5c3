/* Structs and an enumeration that structs of a header define inside. */
struct term { double c; enum shade { LIGHT, HEAVY } shade; };
struct sum { struct part { double a, b; } part[2]; struct bounds { int from, to; } over; };
struct list { struct sum *head; int n; };
typedef struct { struct pair { double a, b; } pair; enum { COLD, HOT } heat; } nameless;
