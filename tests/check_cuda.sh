#!/bin/sh
# Kernels emitted as CUDA C (tests/kernels.c): compiled to PTX by clang, where it can, without CUDA
# (tests/cuda_host.h has the few words of it); run thread by thread on this machine. What that leaves
# unchecked it says: CUDA's own headers and functions, ptxas, a device.
name=cuda
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
flags='-O1 -Wall -Wextra -ffp-contract=off -Itests'
object $CC $standard
quietly 'compile the writer' $CC $flags -DKERNELS_WRITE tests/kernels.c "$object" -o "$work/write" -lm
"$work/write" >"$work/kernels.cu" || fail 'emitting'

ptx='not compiled to PTX (no clang with NVPTX)'
unchecked="CUDA's headers and mathematics, ptxas, a device"
device='-x cuda --cuda-gpu-arch=sm_60 --cuda-device-only -Wno-unknown-cuda-version'
echo 'extern "C" __global__ void f(float *x) { *x = expf(*x); }' >"$work/real.cu"
echo '__attribute__((global)) void f(float *x) { *x = 1; }' >"$work/probe.cu"
if have clang && clang $device -S "$work/real.cu" -o "$work/probe.ptx" >/dev/null 2>&1; then
    unchecked='ptxas, a device'
else
    device="$device -nocudainc -nocudalib"
fi
if have clang && clang $device -S "$work/probe.cu" -o "$work/probe.ptx" >/dev/null 2>&1; then
    quietly PTX clang $device -Werror -Wall -Wno-unused-function -O1 -ffp-contract=off -Itests -S \
        "$work/kernels.cu" -o "$work/kernels.ptx"
    kernels=$(grep -c '\.visible \.entry' "$work/kernels.ptx")
    [ "$kernels" = 44 ] || fail "$kernels kernels in PTX, not 44"
    ptx="$kernels kernels compiled to PTX"
fi
# The bits are libm's, with no product in place of pow(x, 2).
quietly 'compile for this machine' $CXX -O1 -w -ffp-contract=off -fno-builtin-pow -fno-builtin-powf \
    -Itests -x c++ -c "$work/kernels.cu" -o "$work/emitted.o"
quietly 'compile the comparison' $CC $flags tests/kernels.c "$work/emitted.o" "$object" \
    -o "$work/kernels" -lm
quietly compare "$work/kernels"
tail -n 1 "$work/log"
ok "$ptx, and run here; not checked: $unchecked"
