#!/bin/sh
# AUTODIFF_CBLAS: the kernels' tests with large matrix products done by the system's BLAS. The test
# programs are those of `make test`, linked with another library.
name=cblas
. tests/check.sh
have "${CC:=cc}" || skip "no $CC"
printf '#include <cblas.h>\nint main(void) { return (int)cblas_sasum(0, 0, 1); }\n' >"$work/has.c"
$CC "$work/has.c" -o "$work/has" -lopenblas 2>/dev/null || skip 'no cblas.h or OpenBLAS (apt-get install libopenblas-dev)'
object $CC -O0 -DAUTODIFF_CBLAS
nm "$object" | grep -q 'U cblas_dgemm' || fail 'the library calls no BLAS'
quietly link $CC "$BUILD/main.o" "$BUILD"/test_*.o "$object" -o "$work/runner" -lopenblas -lm
BUILD=$work
runs run kernels
ok "$closing"
