# autodiff.h: tests, checks, examples, benchmarks. The library itself needs no build: copy the header.
# All that is made goes to build/. CC, CXX, CFLAGS, CXXFLAGS, LDFLAGS may be given on the command line.

CC       = cc
CXX      = c++
CFLAGS   = -O1 -Wall -Wextra
CXXFLAGS = $(filter-out -std=%,$(CFLAGS))
LDFLAGS  =
LINK     = $(CC)
BUILD    = build
# A command that runs the test programs, such as an emulator.
RUN      =
# Programs and suites that look at what the header compiles into its user are built with CFLAGS, as
# the library is. The others only call it: they are compiled without optimisation, and where LINKED
# is the directory of another build, its suites are linked instead of compiled again.
INLINE   = test_rules test_tape test_twins test_user
LINKED   =
# The suites that build/runner consists of, such as "tape graph"; empty: all.
ONLY     =
# NIST's files of the regression datasets, for check-data.
NIST     =
BENCH    = -O3 -march=native
# Cases a regime for check-rates; empty: what tests/rates.c takes by itself.
RATES    =
# Lines that the tests are to execute, in per cent.
LINES    = 99
# Where make install puts things, and the programs among them: one that was built, with man/NAME.1.
PREFIX   = /usr/local
DESTDIR  =
TOOLS    = adcheck adgen adc
# Seconds for all the fuzz targets, and which of them; empty: all.
FUZZ_SECONDS = 30
TARGET   =
# The machines of check-machines: "i386 tcc"; all; empty: one of them, which the date chooses.
MACHINES =
# Mutants for mutate, and the seed of their draw; empty: another one each time.
N        = 20
SEED     =
# Random programs for check-agree, and the first one's seed: "1 623" is one of them alone.
AGREE    = 1000
# The same of check-adc, whose programs are C.
ADC      = 40
# Random cases of check-torch, for each operation in double; half as many in float.
TORCH    = 250

# Where libclang is, for adc alone; empty: nowhere.
LIBCLANG := $(patsubst %/include/clang-c/Index.h,%,$(lastword $(sort \
              $(wildcard /usr/lib/llvm-*/include/clang-c/Index.h /usr/local/include/clang-c/Index.h))))

HEADERS  = autodiff.h $(wildcard tests/*.h)
SUITES   = $(or $(patsubst %,tests/test_%.c,$(ONLY)),$(wildcard tests/test_*.c))
# Examples that learn with arrays share one implementation, compiled with -O2. Two of them take
# minutes and have a target of their own; FASHION is the directory of their data.
FASHION  = /usr/share/datasets/fashion-mnist
LEARN_FASHION = $(patsubst %,$(BUILD)/examples/%,fashion_mlp fashion_cnn)
LEARNING = $(patsubst %,$(BUILD)/examples/%,gru_addition vae gaussian_process logistic_lbfgs)
EXAMPLES = $(filter-out $(LEARN_FASHION) $(LEARNING),$(patsubst examples/%.c,$(BUILD)/examples/%,$(wildcard examples/*.c)))
HAVE_C11 := $(shell echo 'int x = _Generic(1, default: 2);' | \
              $(CC) -std=c11 -fsyntax-only -x c - 2>/dev/null && echo yes)
HAVE_CXX := $(shell echo 'int x;' | \
              $(CXX) -std=c++11 -include limits -fsyntax-only -x c++ - 2>/dev/null && echo yes)
PROGRAMS = $(if $(HAVE_CXX),$(patsubst tests/%.cpp,$(BUILD)/%,$(wildcard tests/fronts.cpp))) \
           $(if $(HAVE_C11),$(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/generic.c))) $(BUILD)/emit \
           $(FUZZ:%=$(BUILD)/fuzz_%) $(BUILD)/runner
# The fuzz targets that are replayed with their corpus; tests/fuzz.sh has those that are more.
FUZZ     = expression calls files modes native
# Two jobs where the caller has not said how many.
JOBS     = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j2)

CHECKS   = check-compilers check-asan check-tsan check-valgrind check-aarch64 check-symbols \
           check-macros check-includes check-contents check-format check-snippets check-data \
           check-front check-mutants check-render check-eigen check-colpack check-adcheck check-adgen check-frameworks check-reports \
           check-rates check-hostile check-names check-guarded check-accuracy check-levels check-simd check-cblas \
           check-agree check-install check-adc check-rewrites check-native check-torch check-bench check-layers check-machines check-fuzz check-upper \
           check-solvers check-published check-opencl check-cuda check-board

.PHONY: help demo test programs examples fashion adcheck adgen adc coverage mutate fuzz bench bench-all bench-compile bench-peers bench-check bench-tape bench-anew bench-checker bench-kernels bench-fn bench-arrays bench-sparse bench-long bench-small bench-upper bench-solvers check check-long install uninstall dist $(CHECKS) check-adc-published check-gcc \
        check-clang clean FORCE
.SUFFIXES:
export BUILD

help:            ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1~\2/p' Makefile | awk -F'~' '{ printf "%-16s %s\n", $$1, $$2 }'

demo: $(BUILD)/examples/seeded_bugs $(BUILD)/examples/nist_fit ## find seeded bugs in gradients; fit NIST's regression problems
	@$(BUILD)/examples/seeded_bugs
	@$(BUILD)/examples/nist_fit

test:            ## build and run all tests; the last line is the total
	@$(MAKE) --no-print-directory $(JOBS) programs
	@$(if $(HAVE_C11),,echo 'SKIP tests/generic.c: $(CC) does not know C11')
	@$(if $(HAVE_CXX),,echo 'SKIP tests/fronts.cpp: no C++ compiler $(CXX)')
	@RUN='$(RUN)' ONLY='$(ONLY)' JOBS=$(if $(JOBS),2,1) sh tests/run.sh $(PROGRAMS)

# The slowest to compile comes first, so that two jobs end together.
programs: $(BUILD)/impl.o $(PROGRAMS)

examples: $(EXAMPLES) $(LEARNING) ## build and run every example but the long ones
	@for e in $(EXAMPLES); do echo "== $$e"; $$e || exit 1; done
	@for e in $(LEARNING); do echo "== $$e"; $$e $(BUILD)/examples || exit 1; done

fashion: $(LEARN_FASHION) ## two networks learn Fashion-MNIST, some minutes (FASHION = directory of its files)
	@for e in $(LEARN_FASHION); do echo "== $$e"; $$e '$(FASHION)' $(BUILD)/examples || exit 1; done

adcheck: $(BUILD)/adcheck ## the command line tool: checks the gradients of a shared library or an expression

adgen: $(BUILD)/adgen ## the generator: a model as text in, derivative code in C out; examples/model uses it

ifneq ($(LIBCLANG),)
adc: $(BUILD)/adc ## your C as it stands: reads it, writes its derivatives, checks those you wrote (needs libclang)
else
adc:
	@echo 'SKIP adc: no headers of libclang: apt-get install libclang-14-dev, or LIBCLANG=its prefix'
endif

install: $(TOOLS) ## header, tools, manual pages, files for pkg-config and CMake (PREFIX = /usr/local, DESTDIR, TOOLS)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' TOOLS='$(TOOLS)' RUN='$(RUN)' sh tools/package.sh install

uninstall:       ## takes away what make install put, and nothing else (PREFIX, DESTDIR)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' sh tools/package.sh uninstall

dist:            ## what is committed, as build/autodiff-VERSION.tar.gz: the same bytes for the same commit
	@sh tools/package.sh dist

coverage: programs ## what `make test` executes, by gcov: build/coverage/index.html (tests/coverage.txt: what not, and why)
	@CC='$(CC)' CXX='$(CXX)' sh tests/coverage.sh $(LINES)

mutate: programs ## random single changes of the implementation: do the tests see them? (N = 20, SEED)
	@CC='$(CC)' sh tests/mutate.sh $(N) $(SEED)

fuzz:            ## clang's libFuzzer under the sanitizers (FUZZ_SECONDS = 30 in all, TARGET = expression calls ...)
	@CC='$(CC)' sh tests/fuzz.sh $(FUZZ_SECONDS) $(TARGET)

bench:           ## whole problems against derivatives written by hand, 3 minutes (BENCH = -O3 -march=native)
	@CC='$(CC)' BENCH='$(BENCH)' sh bench/run_suite.sh

bench-all:       ## the same at all sizes, and what the header costs to compile: half an hour
	@CC='$(CC)' CXX='$(CXX)' BENCH='$(BENCH)' sh bench/run_suite.sh --all

bench-compile:   ## what the header costs to compile: seconds, memory, sizes (HEADER = another one)
	@CC='$(CC)' CXX='$(CXX)' HEADER='$(HEADER)' sh bench/compile_cost.sh

bench-peers:     ## as make bench, beside ADOL-C, Sacado, Ceres, PyTorch: those of them that are installed
	@CC='$(CC)' CXX='$(CXX)' BENCH='$(BENCH)' sh bench/run_suite.sh --peers
	@CC='$(CC)' CXX='$(CXX)' BENCH='$(BENCH)' sh bench/run_sparse.sh

bench-check:     ## instructions of fixed workloads against the committed ones: 5 % more fails
	@sh bench/run_check.sh

bench-tape:      ## single operations on tape and duals, with gcc and with clang
	@sh bench/run_tape.sh $(BENCH)

bench-anew:      ## gradients recorded anew, with hot traces, beside CoDiPack (CODIPACK = its folder)
	@mkdir -p $(BUILD)/bench
	@$(CXX) -std=c++17 -O2 -DNDEBUG $(if $(CODIPACK),-DWITH_CODIPACK -I$(CODIPACK)/include) \
	    bench/anew.cpp -o $(BUILD)/bench/anew -lm
	@$(BUILD)/bench/anew

bench-checker:   ## what a gradient check costs, in evaluations and in time
	@mkdir -p $(BUILD)/bench
	$(CC) $(BENCH) bench/check.c -o $(BUILD)/bench/check -lm
	@$(BUILD)/bench/check

bench-kernels:   ## array kernels against SLEEF, libmvec, libm, OpenBLAS and the machine's limits
	@CC='$(CC)' sh bench/run_kernels.sh

bench-fn:        ## compiled functions against hand-written derivatives, recording anew, and the goals
	@CC='$(CC)' sh bench/run_fn.sh

bench-arrays:    ## arrays on the tape and compiled against PyTorch: training steps, layers, mixtures, tiny arrays
	@CC='$(CC)' sh bench/run_arrays.sh

bench-sparse:    ## patterns, plans and values of sparse derivatives at size (UNKNOWNS = 1e6)
	@mkdir -p $(BUILD)/bench
	@$(CC) $(BENCH) bench/sparse.c -o $(BUILD)/bench/sparse -lm
	@$(BUILD)/bench/sparse $(UNKNOWNS)

bench-long:      ## long runs by checkpoints, Hessian-vector products (STEPS = 1000000)
	@mkdir -p $(BUILD)/bench
	@$(CC) $(BENCH) bench/long.c -o $(BUILD)/bench/long -lm
	@$(BUILD)/bench/long $(STEPS)

bench-solvers: adc ## Jacobians that SUNDIALS' programs bring against the library's, and the goal
	@CC='$(CC)' sh bench/run_solvers.sh

bench-small:     ## a 3 by 3 Jacobian by the driver, compiled, and by hand
	@mkdir -p $(BUILD)/bench
	@$(CC) -O2 -DNDEBUG bench/small.c -o $(BUILD)/bench/small -lm
	@$(BUILD)/bench/small

bench-upper:     ## libm's exp of the caller, before and after calls of the library, at -O0 to -O2
	@mkdir -p $(BUILD)/bench
	@for level in -O0 -O1 -Os -O2; do \
	    $(CC) $$level -w -DAUTODIFF_IMPLEMENTATION -x c -c autodiff.h -o $(BUILD)/bench/upper.o \
	    && $(CC) -O2 bench/upper.c $(BUILD)/bench/upper.o -o $(BUILD)/bench/upper -lm \
	    && $(BUILD)/bench/upper $$level || exit 1; done

check:           ## all the checks below
check: $(CHECKS)

check-long: programs adc ## what takes hours: all floats, every combination of flags, 100,000 random programs
	@CC='$(CC)' sh tests/check_accuracy.sh long
	@LEVELS=all sh tests/check_levels.sh
	@TURN=all sh tests/check_compiler.sh gcc g++
	@TURN=all sh tests/check_compiler.sh clang clang++
	@CC='$(CC)' CXX='$(CXX)' TURN=all sh tests/check_includes.sh
	@CC='$(CC)' sh tests/check_agree.sh 100000
	@CC='$(CC)' sh tests/check_program.sh rates -O2 -- 200000
	@TURN=all AD_TEST_STRIDE=1 EMIT_EVERY=1 sh tests/check_aarch64.sh
	@AD_TEST_STRIDE=7 sh tests/check_valgrind.sh $(patsubst tests/test_%.c,%,$(SUITES))
	@sh tests/check_asan.sh long
	+@sh tests/check_machines.sh all
	@CC='$(CC)' sh tests/check_adc_published.sh
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_adc.sh 2000
	@CC='$(CC)' sh tests/fuzz.sh 600
	@CC='$(CC)' CXX='$(CXX)' sh tests/coverage.sh $(LINES)

check-compilers: check-gcc check-clang ## no warning, C99 to C17 and C++11, C++17; tests optimised
check-gcc: programs ## of these, gcc
	+@sh tests/check_compiler.sh gcc g++
check-clang: programs ## of these, clang
	+@sh tests/check_compiler.sh clang clang++
check-asan: programs ## tests under the address and undefined behaviour sanitizers
	+@sh tests/check_asan.sh
check-tsan:      ## several threads, each with its tape, under the thread sanitizer
	+@sh tests/check_tsan.sh
check-valgrind: programs ## tests under valgrind: uninitialised values, leaks
	+@sh tests/check_valgrind.sh
check-aarch64: programs ## tests on 64-bit ARM, emulated by qemu
	+@sh tests/check_aarch64.sh
check-machines:  ## tests on other machines and C libraries: one that the date chooses (MACHINES = all, names)
	+@sh tests/check_machines.sh $(MACHINES)
check-fuzz:      ## as make fuzz
	@CC='$(CC)' sh tests/fuzz.sh $(FUZZ_SECONDS) $(TARGET)
check-upper:     ## kernels leave the upper halves of registers clean, optimised or not
	@CC='$(CC)' LEVELS='$(LEVELS)' sh tests/check_upper.sh
check-symbols:   ## the object's symbols: ad_ and adf_ alone, no global variables
	@sh tests/check_symbols.sh
check-layers:    ## what a program calls is all that it gets: no kernels in a gradient, no tape in a kernel
	@HEADER='$(HEADER)' sh tests/check_layers.sh
check-macros:    ## the header's macros: AD_, ADF_, ADI_, AUTODIFF_, and the C11 front's ad_<operation>
	@sh tests/check_macros.sh
check-includes:  ## ways to include the header: order, twice, renamed, beside macros of others, ...
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_includes.sh
check-contents:  ## the manual's contents list is the list of sections
	@sh tests/check_contents.sh
check-format:    ## 100 columns, no tabs, no trailing spaces, ASCII, nothing left to do
	@sh tests/check_format.sh
check-snippets:  ## the programs in README.md and in the manual compile and run
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_snippets.sh
check-data:      ## examples/nist holds NIST's numbers (NIST = directory of the original files)
	@NIST='$(NIST)' sh tests/check_data.sh
check-front:     ## the C11 and C++ fronts name every operation of the rule table
	@CC='$(CC)' CXX='$(CXX)' BUILD='$(BUILD)' sh tests/check_script.sh front
check-mutants:   ## a wrong or unknown row of the rule table is noticed, by name
	@CC='$(CC)' sh tests/check_mutants.sh
check-render:    ## the graph renderer
	@CC='$(CC)' CXX='$(CXX)' BUILD='$(BUILD)' sh tests/check_script.sh render
check-eigen:     ## the C++ front inside Eigen's matrices
	@CXX='$(CXX)' sh tests/check_eigen.sh
check-colpack:   ## colours of sparse plans: at most those of ColPack
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_colpack.sh
check-published: ## the gradient checker on the examples and tests of SUNDIALS, NLopt, GSL and Ipopt
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_published.sh
check-adcheck:   ## the command line tool: every kind of call, its parser, its exit codes
	@CC='$(CC)' sh tests/check_adcheck.sh
check-adgen:     ## the generator: the example's build, all kinds of code in C and C++, what it refuses
	+@CC='$(CC)' CXX='$(CXX)' sh tests/check_adgen.sh
check-frameworks: ## gradient checks in assert, cmocka, Check, CTest and Meson
	@CC='$(CC)' sh tests/check_frameworks.sh
check-reports:   ## the gradient checker's reports: TAP, JUnit, JSON, annotations; exit codes
	@CC='$(CC)' sh tests/check_reports.sh
check-rates:     ## how often the gradient checker is mistaken, on random functions (RATES = cases)
	@CC='$(CC)' sh tests/check_program.sh rates -O2 -- $(RATES)
check-hostile:   ## the gradient checker and functions that misbehave
	@CC='$(CC)' sh tests/check_program.sh hostile -O1 -g
check-names:     ## hostile names in emitted C, graph dumps, pages and reports; C's own names refused
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_names.sh
check-guarded:   ## emitted gradients with guarded singularities have the tape's numbers at all points
	@CC='$(CC)' sh tests/check_guarded.sh
check-accuracy:  ## vector mathematics: greatest error, against MPFR, on every instruction set
	@CC='$(CC)' sh tests/check_accuracy.sh
check-levels:    ## array kernels: the same bits from every compiler, flag and instruction set
	@sh tests/check_levels.sh
check-simd: programs ## all tests with each instruction set forced
	+@sh tests/check_simd.sh
check-cblas: programs ## ad_kernel_gemm by way of the system's BLAS
	+@CC='$(CC)' sh tests/check_cblas.sh

check-agree:     ## compiled functions, tape, duals and kernels agree on random programs (AGREE = 1000)
	@CC='$(CC)' sh tests/check_agree.sh $(AGREE)
check-install: $(TOOLS) ## make install, uninstall, dist; clients by pkg-config, CMake, Meson; manual pages
	+@CC='$(CC)' CXX='$(CXX)' sh tests/check_install.sh
check-adc: adc ## your C as it stands: translations, derivatives, checks, what is refused (ADC = 40)
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_adc.sh '$(ADC)'
check-adc-published: adc ## published C as it is: SUNDIALS' examples, tests of GSL, NLopt, cminpack; 5 minutes
	@CC='$(CC)' sh tests/check_adc_published.sh
check-native:    ## machine code of compiled functions: every instruction, by a disassembler
	@CC='$(CC)' sh tests/check_native.sh
check-opencl:    ## kernels emitted as OpenCL C, run on a device (Debian: pocl-opencl-icd ocl-icd-opencl-dev)
	@CC='$(CC)' sh tests/check_opencl.sh
check-board:     ## C for boards: MISRA's rules by cppcheck, stacks, a Kalman filter's Jacobian on an emulated Cortex-M4
	@CC='$(CC)' sh tests/check_board.sh
check-cuda:      ## kernels emitted as CUDA C: compiled to PTX by clang, run thread by thread on this machine
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_cuda.sh
check-rewrites:  ## the table that rewrites compiled functions: every row is true, and does its work
	@CC='$(CC)' sh tests/check_rewrites.sh
check-torch:     ## arrays on the tape: values and derivatives against PyTorch on random cases (TORCH = 250)
	@CC='$(CC)' sh tests/check_torch.sh --cases $(TORCH)
check-solvers: adc ## SUNDIALS, Ipopt, GSL, NLopt, cminpack, libLBFGS, MPI with derivatives of this library
	@CC='$(CC)' CXX='$(CXX)' sh tests/check_solvers.sh
check-bench:     ## the benchmark's report, and that README.md has the table of bench/results.json
	@sh tests/check_script.sh bench

clean:           ## remove build/
	rm -rf $(BUILD)

# ---------------------------------------------------------------- how things are built

# build/flags and build/only change when the flags do, or the suites asked for: others are built anew.
# Where they are the same nothing is waited for: what must be made first would let the checks after
# `programs` begin last, the longest ones.
flags_now = $(strip $(CC) $(CXX) $(LINK) $(CFLAGS) $(CXXFLAGS) $(LDFLAGS))
only_now  = $(strip $(ONLY))
changed   = $(if $(subst =$(shell cat $(BUILD)/$(1) 2>/dev/null),,=$($(1)_now)),FORCE)
$(BUILD)/flags: $(call changed,flags)
$(BUILD)/only: $(call changed,only)
$(BUILD)/flags $(BUILD)/only:
	@mkdir -p $(BUILD)/examples
	@echo '$($(@F)_now)' >$@

# The library takes longer than all else: compiled once for each compiler and flags, whoever asks.
$(BUILD)/impl.o: tests/impl.c tests/object.sh autodiff.h $(BUILD)/flags
	object=$$(sh tests/object.sh $(CC) $(CFLAGS)) && cp "$$object" $@

# The flags of a test program or suite.
flags = $(1) $(if $(filter $(INLINE),$(basename $(@F))),,-O0)

$(BUILD)/%.o: tests/%.c $(HEADERS) $(BUILD)/flags
	$(CC) $(call flags,$(CFLAGS)) $(if $(filter generic,$*),-std=c11) -c $< -o $@

$(BUILD)/%.o: tests/%.cpp $(HEADERS) $(BUILD)/flags
	$(CXX) $(call flags,$(CXXFLAGS)) -std=c++11 -c $< -o $@

# What runs the suites has their names.
$(BUILD)/main.o: tests/main.c $(HEADERS) $(BUILD)/flags $(BUILD)/only
	$(CC) $(call flags,$(CFLAGS)) $(if $(ONLY),'-DSUITES(X)=$(patsubst %,X(%),$(ONLY))') -c $< -o $@

$(BUILD)/runner: $(BUILD)/impl.o $(BUILD)/main.o \
    $(foreach suite,$(SUITES:tests/%.c=%),$(if $(filter $(INLINE),$(suite)),$(BUILD),$(or $(LINKED),$(BUILD)))/$(suite).o)
	$(LINK) $(LDFLAGS) $^ -o $@ -lm

$(BUILD)/generic: $(BUILD)/generic.o $(BUILD)/impl.o
	$(LINK) $(LDFLAGS) $^ -o $@ -lm

# What tests/emit.c emits is compiled, and linked with the same program to be compared.
$(BUILD)/emitter.o: tests/emit.c $(HEADERS) $(BUILD)/flags
	$(CC) $(call flags,$(CFLAGS)) -DEMIT_WRITE -c $< -o $@

$(BUILD)/emitter: $(BUILD)/emitter.o $(BUILD)/impl.o
	$(LINK) $(LDFLAGS) $^ -o $@ -lm

$(BUILD)/emitted.c: $(BUILD)/emitter
	$(RUN) $< >$@.new && mv $@.new $@

# Compared to the bit: no product of a compiler's in place of libm's pow(x, 2).
$(BUILD)/emitted.o: $(BUILD)/emitted.c
	$(CC) $(CFLAGS) $(if $(filter emitted,$(INLINE)),,-O0) -w -ffp-contract=off \
	    -fno-builtin-pow -fno-builtin-powf -c $< -o $@

$(BUILD)/emit: $(BUILD)/emit.o $(BUILD)/emitted.o $(BUILD)/impl.o
	$(LINK) $(LDFLAGS) $^ -o $@ -lm

$(BUILD)/fuzz_%.o: tests/fuzz/%.c tests/fuzz/fuzz.h tests/agree.h tests/programs.h tests/twice.h autodiff.h $(BUILD)/flags
	$(CC) $(call flags,$(CFLAGS)) -ffp-contract=off -c $< -o $@

$(BUILD)/replay_%.o: tests/fuzz/replay.c tests/fuzz/fuzz.h $(BUILD)/flags
	$(CC) $(CFLAGS) '-DCORPUS="$*"' -c $< -o $@

$(BUILD)/fuzz_%: $(BUILD)/fuzz_%.o $(BUILD)/replay_%.o $(BUILD)/impl.o
	$(LINK) $(LDFLAGS) $^ -o $@ -lm

$(BUILD)/fronts: $(BUILD)/fronts.o $(BUILD)/impl.o
	$(CXX) $(LDFLAGS) $^ -o $@ -lm

# A library that an example can use, where it is installed.
HASH := \#
KLU := $(shell echo '$(HASH)include <suitesparse/klu.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
$(BUILD)/examples/heat: WITH = $(if $(KLU),-DWITH_KLU -lklu)
OPENCL := $(shell echo '$(HASH)include <CL/cl.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
$(BUILD)/examples/opencl_map: WITH = $(if $(OPENCL),-DWITH_OPENCL -lOpenCL)

$(BUILD)/examples/%: examples/%.c autodiff.h $(wildcard examples/*.h) $(BUILD)/flags
	$(CC) $(CFLAGS) $(LDFLAGS) $< -o $@ $(WITH) -lm

$(BUILD)/examples/learning.o: tests/impl.c tests/object.sh autodiff.h $(BUILD)/flags
	object=$$(sh tests/object.sh $(CC) $(CFLAGS) -O2) && cp "$$object" $@

# The optimisers that logistic_lbfgs can use: what it takes to compile and link with one of them.
$(BUILD)/examples/optimiser: FORCE
	@mkdir -p $(BUILD)/examples
	@sh examples/optimiser.sh $(CC) $(CFLAGS) $(LDFLAGS) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/examples/logistic_lbfgs: $(BUILD)/examples/optimiser
$(BUILD)/examples/logistic_lbfgs: WITH = $$(cat $(BUILD)/examples/optimiser)

$(LEARN_FASHION) $(LEARNING): $(BUILD)/examples/%: examples/%.c autodiff.h $(wildcard examples/*.h) \
    $(BUILD)/flags $(BUILD)/examples/learning.o
	$(CC) $(CFLAGS) -O2 -DEXAMPLE_LINKED $(LDFLAGS) $< $(BUILD)/examples/learning.o -o $@ $(WITH) -lm

$(BUILD)/adcheck: tools/adcheck.c tools/alike.h autodiff.h $(BUILD)/flags
	$(CC) $(CFLAGS) $(LDFLAGS) $< -o $@ -ldl -lm

$(BUILD)/adgen: tools/adgen.c autodiff.h $(BUILD)/flags
	$(CC) $(CFLAGS) $(LDFLAGS) $< -o $@ -lm

$(BUILD)/adc: tools/adc.c tools/alike.h autodiff.h $(BUILD)/flags
	$(CC) $(CFLAGS) -DADC_INCLUDE='"$(CURDIR)"' \
	    -DADC_VERSION="\"$$(sed -n 's/^#define AD_VERSION "\(.*\)"/\1/p' autodiff.h)\"" \
	    -I$(LIBCLANG)/include $(LDFLAGS) $< -o $@ \
	    -L$(LIBCLANG)/lib -lclang

.SECONDARY:
