/* The library's implementation, once, for all test suites. */
#include <stdio.h>
#include <stdlib.h>
#define AUTODIFF_ASSERT(c) ((c) ? (void)0 : (fprintf(stderr, "%s:%d: invariant: %s\n", __FILE__, __LINE__, #c), abort()))
#define AUTODIFF_GRAPH
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
