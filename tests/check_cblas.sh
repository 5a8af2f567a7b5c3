#!/bin/sh
# AUTODIFF_CBLAS: the kernels' tests with large matrix products done by the system's BLAS.
name=cblas
. tests/check.sh
have "${CC:=cc}" || skip "no $CC"
printf '#include <cblas.h>\nint main(void) { return (int)cblas_sasum(0, 0, 1); }\n' >"$work/has.c"
$CC "$work/has.c" -o "$work/has" -lopenblas 2>/dev/null || skip 'no cblas.h or OpenBLAS (apt-get install libopenblas-dev)'
tests run CXX=none ONLY=kernels CFLAGS='-O1 -DAUTODIFF_CBLAS' LDFLAGS='-Wl,--no-as-needed -lopenblas'
ok "$closing"
