#!/bin/sh
# Kernels emitted as OpenCL C (tests/kernels.c) on the first device that there is, and the example.
name=opencl
. tests/check.sh
: "${CC:=cc}"
echo '#include <CL/cl.h>
int main(void) { return clGetPlatformIDs(0, 0, 0) == 1; }' >"$work/has.c"
$CC "$work/has.c" -o "$work/has" -lOpenCL >"$work/log" 2>&1 \
    || skip 'no headers of OpenCL: apt-get install ocl-icd-opencl-dev pocl-opencl-icd'
export POCL_CACHE_DIR="$PWD/$work/cache"         # not in the user's home
mkdir -p "$POCL_CACHE_DIR"
object $CC $standard
quietly compile $CC -O1 -Wall -Wextra -ffp-contract=off -DKERNELS_OPENCL tests/kernels.c "$object" \
    -o "$work/kernels" -lOpenCL -lm
"$work/kernels" >"$work/log" 2>&1
status=$?
[ $status != 77 ] || skip 'no device of OpenCL: apt-get install pocl-opencl-icd'
head -n 60 "$work/log"
[ $status = 0 ] || fail 'kernels differ'
quietly 'compile the example' $CC -O1 -w -DWITH_OPENCL examples/opencl_map.c -o "$work/opencl_map" \
    -lOpenCL -lm
quietly 'run the example' "$work/opencl_map"
grep -q SKIP "$work/log" && fail 'the example found no device'
ok
