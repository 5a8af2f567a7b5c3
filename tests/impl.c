/* The library's implementation, once, for all test suites. */
#include <stdio.h>
#include <stdlib.h>
#define AUTODIFF_GRAPH
#define AUTODIFF_CHECK
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
