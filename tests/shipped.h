/* A right-hand side of a program, and the same on variables, as adc translated it. */
typedef void (*shipped_any)(void);
typedef struct shipped_function {
    const char *name;
    shipped_any plain, active;
} shipped_function;
extern const shipped_function *const shipped_functions;     /* ends with zeros */
