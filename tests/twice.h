/* Reads a file twice, for double and for float: PT(n) is a name of the test's own, PAD(n) one of
   the library's, PREAL the type. The file's first part stands behind #ifndef PREAL and says
       #define TWICE "test_some.c"       (as seen from here)
       #include "twice.h"
   where it wants what stands behind its #else. */
#define PT(n)  d_##n
#define PAD(n) ad_##n
#define PREAL  double
#define PBITS  uint64_t
#define PUNIT  DBL_EPSILON
#define PLEAST DBL_MIN
#include TWICE
#undef PT
#undef PAD
#undef PREAL
#undef PBITS
#undef PUNIT
#undef PLEAST
#define PT(n)  f_##n
#define PAD(n) adf_##n
#define PREAL  float
#define PBITS  uint32_t
#define PUNIT  ((double)FLT_EPSILON)
#define PLEAST ((double)FLT_MIN)
#include TWICE
#undef PT
#undef PAD
#undef PREAL
#undef PBITS
#undef PUNIT
#undef PLEAST
#undef TWICE
