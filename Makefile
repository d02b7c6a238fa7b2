# SPDX-License-Identifier: GPL-3.0-or-later
# affinity: `make run` sets up, builds and measures; `make check` sets up and tests. `make help` lists the rest.

# make itself presets CC to cc
ifeq ($(origin CC),default)
CC := gcc
endif
BUILD ?= build
PREFIX ?= /usr/local
# Empty: use PAPI where it is installed; no: do without.
PAPI ?=
# How long make fuzz and make torture look. SEED=N repeats what an earlier one did.
FUZZ_SECONDS ?= $(or $(TIME),600)
TORTURE_SECONDS ?= $(or $(TIME),900)
# In which make check-locales runs the tests of behaviour.
LOCALES ?= de_DE.UTF-8 tr_TR.UTF-8
# Further flags for compiler and linker, such as -fsanitize=address,undefined.
SANITIZE ?=
V ?=
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# Where what was built can only be read, as in a container, it stays as it is.
fixed = test -e $@ -a ! -w $(@D)

# A folder of src/tools with a main.c is a program; a file of src/runtimes/preload, with the folder of its name, is a
# library for LD_PRELOAD.
OUT := $(if $(filter build,$(BUILD)),,$(BUILD)/)
PROGRAMS := $(patsubst src/tools/%/main.c,$(OUT)%,$(wildcard src/tools/*/main.c))
PRELOADS := $(patsubst src/runtimes/preload/%.c,$(BUILD)/%.so,$(wildcard src/runtimes/preload/*.c))
# A folder of src/runtimes that is also a library for programs of others, its public header beside it.
RUNTIMES := $(BUILD)/libaffinity-spm.so $(BUILD)/libaffinity-rhp.so
RUNTIMES += $(BUILD)/libaffinity-inserted.so
# What these have of other folders of src/: the library that affinity-rhp preloads contains its runtime.
WITH_spm := $(wildcard src/core/contract/hidden_pages.[ch])
WITH_rhp := src/core/hugepages/lines.c src/core/base/pagemap.h $(WITH_spm)
WITH_inserted := $(wildcard src/runtimes/spm/*.[ch]) $(WITH_spm)
WITH_affinity-rhp := $(wildcard src/runtimes/rhp/*.[ch]) $(WITH_rhp)
# The compiler pass, one plug-in for each LLVM whose headers are there; only with the usual build, for nothing that the
# other builds change is in it. LLVM=no: none.
PASS_LLVMS := 14 15 16 17 18 19 20 21
ifneq ($(BUILD),build)
LLVM ?= no
endif
ifndef LLVM
LLVM := $(shell for v in $(PASS_LLVMS); do d=$$(llvm-config-$$v --includedir 2>/dev/null); \
	if test -e "$$d/llvm/Passes/PassPlugin.h"; then echo $$v; fi; done)
endif
PASSES := $(patsubst %,$(BUILD)/affinity-pass-%.so,$(filter-out no,$(LLVM)))
CXX_OF_PASS ?= g++
LIBRARIES := numa hwloc gsl jansson $(if $(filter no,$(PAPI)),,$(shell pkg-config --exists papi 2>/dev/null && echo papi))

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
override CPPFLAGS += -D_GNU_SOURCE
CFLAGS ?= -g
# Walls that the compiler keeps: the core sees itself, a tool the core and tools, a runtime what it contains, and a kernel
# the contract. A tool that carries a runtime into programs sees it; so does the placement of huge pages, which asks
# the allocator's own code where they would lie.
CORE_SEES := -Isrc/core
TOOLS_SEE := $(CORE_SEES) -Isrc/tools
RUNTIMES_SEE := -Isrc/runtimes
KERNELS_SEE := -Isrc/core/contract -Ikernels
TESTS_SEE := $(TOOLS_SEE) $(RUNTIMES_SEE) $(KERNELS_SEE)
$(BUILD)/src/core/%.o: SEES = $(CORE_SEES)
$(BUILD)/src/tools/%.o: SEES = $(TOOLS_SEE)
$(BUILD)/src/runtimes/%.o: SEES = $(RUNTIMES_SEE)
$(BUILD)/src/runtimes/spm/%.o $(BUILD)/src/runtimes/rhp/%.o: SEES = $(RUNTIMES_SEE) $(CORE_SEES)
$(BUILD)/src/core/placement/promise.o: SEES = $(CORE_SEES) $(RUNTIMES_SEE)
$(BUILD)/src/tools/affinity-map/%.o $(BUILD)/src/tools/affinity-rhp/%.o: SEES = $(TOOLS_SEE) $(RUNTIMES_SEE)
# What is measured: fixed, and printed in every report.
KERNEL_FLAGS := -O2
# Even where CFLAGS have -flto, as distributions build: with it loops would be made at the link, where nothing looks at them.
IN_OBJECT := -fno-lto
BASE_FLAGS := -std=gnu11 $(WARNINGS) -fopenmp -MMD -MP $(SANITIZE)
# Once, not for each file.
LIBRARY_CFLAGS := $(shell pkg-config --cflags $(LIBRARIES) 2>/dev/null)
LDLIBS := $(shell pkg-config --libs $(LIBRARIES) 2>/dev/null) -lm -ldl

SOURCES := $(filter-out src/runtimes/preload/% src/runtimes/inserted/%,$(wildcard $(patsubst %,src/%/*/*.c,core tools runtimes) src/tools/*/*/*.c))
KERNELS := $(wildcard kernels/*.c kernels/*/*.c)
# Kernels that are built a second time at -O0, to show what the thesis's method costs.
TWINS := kernels/access/access.c
# The loops of the programs on page migration, by clang too, and by clang with the compiler pass. Where there is no pass,
# or no clang for it, they are tables that say so.
CLANG_WORKS := $(BUILD)/kernels/migration/works_clang.o $(BUILD)/kernels/migration/works_compiled.o
CLANG_NEEDS := $(if $(PASSES),$(PASSES) $(BUILD)/libaffinity-inserted.so scripts/affinity-cc)
CLANG_IS_THERE = $(if $(PASSES),AFFINITY_BUILD=$(BUILD) scripts/affinity-cc --affinity-show -c x.c >/dev/null 2>&1,false)
# What each object's loops do, and what compares it with the kernels' claims. objdump comes with the compiler.
LOOPS := $(patsubst %.c,$(BUILD)/%.loops,$(KERNELS)) $(patsubst %.c,$(BUILD)/%_O0.loops,$(TWINS))
LOOPS_BY := scripts/loops scripts/machine.awk scripts/hotloop.awk scripts/mix.awk scripts/units.awk scripts/loops.awk \
	$(wildcard kernels/*.claims)
OBJDUMP ?= $(shell $(CC) -print-prog-name=objdump)
# What cannot lie in an archive: main(), and a malloc() that replaces the C library's; the
# sanitizers bring their own.
FRONTS := %/main.c %/malloc.c
front = $(patsubst %.c,$(BUILD)/%.o,$(filter $(if $(SANITIZE),%/main.c,$(FRONTS)),$(wildcard $(1)/*.c src/core/base/malloc.c)))
# Kernels first: the longest compilations must not be alone at the end, and their loops wait for all of them.
CORE := $(patsubst %.c,$(BUILD)/%.o,$(KERNELS)) $(patsubst %.c,$(BUILD)/%_O0.o,$(TWINS)) $(CLANG_WORKS) $(BUILD)/loops.o \
	$(patsubst %.c,$(BUILD)/%.o,$(filter-out $(FRONTS),$(SOURCES))) $(BUILD)/version.o
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*/*_test.c))
SHIMS := $(patsubst tests/shims/%.c,$(BUILD)/shims/%.so,$(wildcard tests/shims/*.c))
TOOLS := $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(wildcard tests/tools/*.c))
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/*_fuzz.c))
FUZZ_PARTS := $(filter-out %_fuzz.c,$(wildcard tests/fuzz/*.c))
# Each boots the machine that it is named after; 64 emulated CPUs and all of args/translation take too long for every
# day, a kernel of its own is much to load, and tests/behaviour/captured.bats plans on such machines as eight and holes.
LONG_GUESTS := tests/numa/eight.t tests/numa/holes.t tests/numa/gigabyte.t tests/numa/gigapages.t tests/numa/manycpu.t tests/numa/migration.t tests/numa/pages16k.t tests/numa/profile.t tests/numa/translation.t
GUESTS := $(filter-out $(LONG_GUESTS),$(sort $(wildcard tests/numa/*.t))) tests/numa/distance.bats \
	tests/project/testmachine.bats
# These take too long for make check-all.
TURNS := $(sort $(wildcard tests/turns/*.bats))
# They begin first, so that none of them is left alone at the end of a check.
LONGEST := tests/project/fuzz.bats tests/numa/ring4.t $(patsubst %,tests/project/%.bats,aarch64 races contributing) \
	tests/numa/fragment.t tests/numa/twosocket.t tests/behaviour/shortage.bats
# A few tests of these, too.
PARTLY_IN_TURNS := tests/numa/ring4.t tests/numa/fragment.t tests/behaviour/shortage.bats $(patsubst %,tests/project/%.bats,aarch64 broken fuzz install lint races releases)
HOST_TESTS := $(UNIT_TESTS) $(filter-out $(GUESTS) $(TURNS),$(sort $(wildcard tests/*/*.bats)))
# Those of `make check`: of behaviour all files without a line "# long: REASON".
CHECKED := $(UNIT_TESTS) $(filter-out $(shell grep -l '^# long: ' tests/behaviour/*.bats),$(sort $(wildcard tests/behaviour/*.bats))) \
	tests/project/lint.bats
# The rest, in parts that machines of their own can run side by side: make check-PART. What is in no other is in rest.
PARTS := numa builds pass rest
PART_numa := $(GUESTS)
PART_builds := $(patsubst %,tests/project/%.bats,aarch64 builds fuzz races)
PART_pass := $(sort $(wildcard tests/pass/*.bats))
PART_rest := $(filter-out $(CHECKED) $(PART_builds) $(PART_pass),$(HOST_TESTS))
UNCHECKED := $(foreach part,$(PARTS),$(PART_$(part)))
WITNESS := $(BUILD)/tests/numa/witness
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*.c))

.PHONY: bench-peers rates-of-fleets worth-of-model coverage-of-intervals all units fuzzers golden documents fuzz run report check check-container check-installed check-locales check-all check-releases check-turns $(PARTS:%=check-%) setup sanitized test tests-built torture lint format bench clean help FORCE
.DELETE_ON_ERROR:

all: $(PROGRAMS) $(PRELOADS) $(RUNTIMES) $(PASSES)
	$(if $(LLVM),,@echo '  NOTE    the compiler pass is left out: no headers of LLVM $(firstword $(PASS_LLVMS)) to $(lastword $(PASS_LLVMS)); scripts/setup test installs those of the system')

help:
	@echo 'make run      install what is missing, build, measure this machine in a minute (affinity first)'
	@echo 'make check    install what tests need, build, run the tests of units and behaviour and lint (8 minutes)'
	@echo 'make check-all  these and all others: with sanitizers and other compilers, in emulated machines (30 minutes);'
	@echo '              check-numa, -builds, -pass and -rest are the parts of the others'
	@echo 'make report   one page of all results of this machine: results/HOST/report.html'
	@echo 'make check-container  only those in a real container (podman), with all tests of behaviour'
	@echo 'make check-installed  the tests of behaviour with what make install leaves, outside of the sources'
	@echo 'make check-locales  the tests of behaviour in languages that write a comma in numbers'
	@echo 'make check-turns  tests that take too long for make check-all'
	@echo 'make check-releases  make check-all on Debian 12, 13 and testing, before a release (as root)'
	@echo 'make          build ./affinity'
	@echo 'make test     run the tests that need no emulated machine, install nothing'
	@echo 'make golden   write the expected plans (tests/golden) anew'
	@echo 'make documents   write the tables and outputs in the manual anew'
	@echo 'make coverage-of-intervals  simulate what intervals cover and comparisons find, as the manual says'
	@echo 'make rates-of-fleets  simulate which slow nodes of a cluster are found, as the manual says'
	@echo 'make worth-of-model  how good the model of the manual is on the tables of the thesis'
	@echo 'make fuzz     look for argument files and documents that do harm, TIME=$(FUZZ_SECONDS) SEED=N'
	@echo 'make torture  signals, failing calls and missing resources, TIME=$(TORTURE_SECONDS) SEED=N'
	@echo 'make bench    what the driver itself costs, and how near kernels are to what the core can do'
	@echo 'make bench-peers  bandwidth and latency beside likwid-bench, stress-ng and others'
	@echo 'make lint     folders, lengths, formatting, shell scripts'
	@echo 'make format   clang-format on all sources'
	@echo 'make install  to PREFIX ($(PREFIX)), below DESTDIR; make uninstall removes it'
	@echo 'make dist     $(BUILD)/affinity-VERSION.tar.gz; make deb: a Debian package there'
	@echo 'make clean    remove what was built; results stay'
	@echo 'variables: CC, CFLAGS, PAPI=no, LLVM=no or its versions, SANITIZE=-fsanitize=..., BUILD=dir, V=1'

# Which build scripts use.
THIS_BUILD := AFFINITY='$(abspath $(OUT)affinity)' AFFINITY_BUILD='$(BUILD)'

# The compiler pass, which takes as long as all the rest, is for make alone, unless it is there already: no measurement of
# args/first has it.
run:
	$(Q)scripts/setup build
	$(Q)$(MAKE) --no-print-directory -j "$$(nproc)" $(if $(filter-out $(wildcard $(PASSES)),$(PASSES)),LLVM=no) all
	$(Q)$(THIS_BUILD) scripts/ejec.sh --first

report: all
	$(Q)$(THIS_BUILD) scripts/report

# What only some tests need may be impossible to get; they say so.
setup:
	$(Q)scripts/setup build test machines cluster cross
	$(Q)scripts/testmachine --fetch
	$(Q)scripts/fetch plugin >/dev/null || true
	$(Q)scripts/fetch aarch64 >/dev/null || true

check:
	$(Q)scripts/setup build test
	$(Q)$(MAKE) --no-print-directory -j "$$(nproc)" tests-built
	$(Q)AFFINITY_BUILD=$(BUILD) scripts/check $(CHECKED)

# In one go: no CPU waits for the last test of a part, and all that fails is told.
check-all: setup
	$(Q)$(MAKE) --no-print-directory -j "$$(nproc)" tests-built
	$(Q)AFFINITY_BUILD=$(BUILD) scripts/check $(LONGEST) $(filter-out $(LONGEST),$(CHECKED) $(UNCHECKED))

$(PARTS:%=check-%): check-%: setup
	$(Q)$(MAKE) --no-print-directory -j "$$(nproc)" tests-built
	$(Q)AFFINITY_BUILD=$(BUILD) scripts/check $(PART_$*)

# The compiler cannot say which package a missing header belongs to; setup can.
$(BUILD)/libraries: scripts/setup
	$(Q)scripts/setup --check build
	@mkdir -p $(@D)
	@touch $@

# Of the archive and the libraries only what is needed: affinity-map shows in every start of a program.
.SECONDEXPANSION:
$(PROGRAMS): $(OUT)%: $$(call front,src/tools/$$*) $(BUILD)/core.a
	$(call say,LINK,$@)
	$(Q)$(CC) -fopenmp $(SANITIZE) $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(LDLIBS)

# q: two folders may have files of the same name.
$(BUILD)/core.a: $(CORE)
	$(Q)rm -f $@
	$(Q)$(AR) qcs $@ $^

# Goes into programs of others: nothing of the sanitizers, one symbol for each that it replaces.
$(PRELOADS): $(BUILD)/%.so: src/runtimes/preload/%.c $$(wildcard src/runtimes/preload/$$*/*.[ch]) $$(WITH_$$*) \
		$(wildcard src/runtimes/preload/*.h src/runtimes/preload/common/*.c) Makefile | $(BUILD)/libraries
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Isrc/runtimes/preload $(if $(WITH_$*),$(CORE_SEES) $(RUNTIMES_SEE) -DRHP_API=) -std=gnu11 $(WARNINGS) -O2 -g -fPIC \
		-fvisibility=hidden -shared -o $@ $(filter %.c,$^) -ldl -pthread

# -z defs: needs nothing else of the other folders. -z nodelete: a thread that has called calls them at its end, also where
# the plug-in that it was in is closed by then.
$(RUNTIMES): $(BUILD)/libaffinity-%.so: $$(wildcard src/runtimes/$$*/*.[ch]) $$(WITH_$$*) Makefile | $(BUILD)/libraries
	$(call say,CC,src/runtimes/$*)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CORE_SEES) $(RUNTIMES_SEE) -std=gnu11 $(WARNINGS) -O2 -g -fPIC -fvisibility=hidden -shared \
		-Wl,-z,defs,-z,nodelete -Wl,-soname,$(@F) -o $@ $(filter %.c,$^) -pthread -ldl

# $(1): the version of LLVM. Its library is not linked: the compiler that loads the plug-in has it.
define pass_of
$(BUILD)/pass-$(1)/%.o: src/runtimes/pass/%.cpp Makefile
	$$(call say,CXX,'$$< for LLVM $(1)')
	@mkdir -p $$(@D)
	$$(Q)$(CXX_OF_PASS) -std=c++17 -Wall -Wextra -O1 -fPIC -fno-rtti -fno-exceptions -fvisibility=hidden -MMD -MP \
		$(RUNTIMES_SEE) -isystem $$(shell llvm-config-$(1) --includedir) -c -o $$@ $$<

$(BUILD)/affinity-pass-$(1).so: $(patsubst src/runtimes/pass/%.cpp,$(BUILD)/pass-$(1)/%.o,$(wildcard src/runtimes/pass/*.cpp))
	$$(call say,LINK,$$@)
	$$(Q)$(CXX_OF_PASS) -shared -o $$@ $$^
endef
$(foreach v,$(filter-out no,$(LLVM)),$(eval $(call pass_of,$(v))))

# What reads, writes and reports waits for no loop of its own: there a quarter less compiling is worth more.
PLAIN := src/tools/affinity% $(foreach room,compare forecast,src/tools/$(room)/%) \
	$(foreach room,report document machine describe findings input,src/core/$(room)/%)

$(BUILD)/src/%.o: src/%.c Makefile | $(BUILD)/libraries
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(SEES) $(LIBRARY_CFLAGS) $(BASE_FLAGS) $(if $(filter $(PLAIN),$<),-O1,-O2) $(CFLAGS) -c -o $@ $<

$(BUILD)/src/core/counters/counters.o: override CPPFLAGS += $(if $(filter papi,$(LIBRARIES)),-DHAVE_PAPI)

# Their assembler includes files.
$(BUILD)/src/core/counters/events.o: src/core/counters/events.txt
$(BUILD)/src/tools/affinity-report/page.o: $(addprefix src/tools/affinity-report/page.,css js)

$(BUILD)/kernels/%_O0.o: kernels/%.c Makefile | $(BUILD)/libraries
	$(call say,CC,'$< at -O0')
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(KERNELS_SEE) -DAFFINITY_O0 $(BASE_FLAGS) $(CFLAGS) -O0 $(IN_OBJECT) -c -o $@ $<

# The public header of the runtime, as a program of others has it.
$(BUILD)/kernels/migration/policy.o $(BUILD)/kernels/migration/policy_run.o: KERNELS_SEE += -Isrc/runtimes/spm
$(BUILD)/tests/unit/kernels/policy_run_test.o $(BUILD)/tests/unit/kernels/compiled_test.o: TESTS_SEE += -Isrc/runtimes/spm

# The test is the library's own file with calls of another system.
$(BUILD)/tests/unit/preload/sitters_test.o: TESTS_SEE += -Isrc/runtimes/preload

# Stands in for src/runtimes/inserted.
$(BUILD)/kernels/migration/compiled.o: KERNELS_SEE += $(RUNTIMES_SEE)

# Without CFLAGS, which may be another compiler's; -fPIE fits into programs of both kinds.
BY_CLANG = AFFINITY_PASS= AFFINITY_BUILD=$(BUILD) scripts/affinity-cc $(if $(filter %/works_clang.o,$@),--pass=off) \
	$(CPPFLAGS) $(KERNELS_SEE) -std=gnu11 $(WARNINGS) -MMD -MP $(KERNEL_FLAGS) -fPIE
$(CLANG_WORKS): $(BUILD)/kernels/migration/works_%.o: kernels/migration/works.c Makefile $(CLANG_NEEDS) | $(BUILD)/libraries
	$(call say,CC,'$< as works_$*')
	@mkdir -p $(@D)
	$(Q)if $(CLANG_IS_THERE); then $(BY_CLANG) -DWORKS=works_$* -c -o $@ $<; else $(CC) $(CPPFLAGS) $(KERNELS_SEE) \
		$(BASE_FLAGS) $(CFLAGS) -DWORKS=works_$* -DWORKS_ABSENT -c -o $@ $<; fi

# KERNEL_FLAGS and IN_OBJECT last: CFLAGS must not change what is measured.
$(BUILD)/kernels/%.o: kernels/%.c Makefile | $(BUILD)/libraries
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(KERNELS_SEE) $(BASE_FLAGS) $(CFLAGS) $(KERNEL_FLAGS) $(IN_OBJECT) -c -o $@ $<

# A list that wants an objdump is tried again by each make.
$(BUILD)/kernels/%.loops: $(BUILD)/kernels/%.o $(LOOPS_BY)
	$(call say,LOOPS,$<)
	$(Q)OBJDUMP='$(OBJDUMP)' scripts/loops $< >$@
	$(Q)! grep -q 'is not installed$$' $@ || touch -d @0 $@

$(BUILD)/loops.c: $(LOOPS) scripts/loops_table.awk
	$(Q)$(fixed) || scripts/loops --table $(LOOPS) >$@.new
	@$(fixed) || { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

$(BUILD)/loops.o: $(BUILD)/loops.c
	$(Q)$(CC) $(CPPFLAGS) $(CORE_SEES) $(BASE_FLAGS) -c -o $@ $<

# Replaced only when it changed, so that a build without news links nothing.
$(BUILD)/version.c: FORCE $(CLANG_NEEDS) | $(BUILD)/libraries
	@mkdir -p $(@D)
	@$(fixed) || { echo '#include "base/version.h"'; \
	echo "const char AFFINITY_VERSION[] = \"$$(scripts/packaging/version)\";"; \
	echo "const char AFFINITY_COMPILER[] = \"$$($(CC) --version | head -n 1)\";"; \
	echo "const char AFFINITY_CLANG[] = \"$$($(CLANG_IS_THERE) && AFFINITY_BUILD=$(BUILD) scripts/affinity-cc --version | head -n 1)\";"; \
	echo 'const char AFFINITY_FLAGS[] = "$(strip -std=gnu11 -fopenmp $(SANITIZE) $(CFLAGS) $(KERNEL_FLAGS) $(IN_OBJECT))";'; \
	echo "const char AFFINITY_LIBRARIES[] = \"$$(for l in $(LIBRARIES); do printf '%s %s ' $$l $$(pkg-config --modversion $$l); done | sed 's/ $$//')\";"; \
	} > $@.new
	@$(fixed) || { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

$(BUILD)/version.o: $(BUILD)/version.c
	$(Q)$(CC) $(CPPFLAGS) $(CORE_SEES) $(BASE_FLAGS) -c -o $@ $<

# Apart from linking, so that a change of src/ compiles none of them.
$(BUILD)/tests/unit/%.o: tests/unit/%.c Makefile | $(BUILD)/libraries
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(TESTS_SEE) -include tests/unit/floats.h $(LIBRARY_CFLAGS) $(BASE_FLAGS) -O1 $(CFLAGS) -c -o $@ $<

$(UNIT_TESTS): %: %.o $(BUILD)/core.a
	$(call say,LINK,$@)
	$(Q)$(CC) -fopenmp $(SANITIZE) $(LDFLAGS) -o $@ $@.o $(BUILD)/core.a -lcmocka $(LDLIBS)

# What goes wrong on purpose: libraries for LD_PRELOAD, and programs that get in the way.
$(BUILD)/shims/%.so: tests/shims/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -D_GNU_SOURCE $(WARNINGS) -MMD -MP -O1 $(CFLAGS) -fPIC -shared -o $@ $< -ldl

# TOOL_FLAGS: what a tool needs, also where the command line gives CFLAGS.
$(BUILD)/tools/%: tests/tools/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -D_GNU_SOURCE $(WARNINGS) -MMD -MP -O1 $(CFLAGS) -o $@ $< $(TOOL_FLAGS)

$(BUILD)/tools/spawner: TOOL_FLAGS := -fopenmp

# What the program knows of the fields of results.
$(BUILD)/tools/schema: $(BUILD)/core.a
$(BUILD)/tools/schema: TOOL_FLAGS = $(CORE_SEES) $(LIBRARY_CFLAGS) -std=gnu11 -fopenmp $(SANITIZE) $(BUILD)/core.a $(LDLIBS)

$(BUILD)/tools/migrate: $(RUNTIMES)
$(BUILD)/tools/migrate: TOOL_FLAGS := -Isrc/runtimes/spm -pthread -Wl,--no-as-needed,-rpath,$(abspath $(BUILD)) $(RUNTIMES)

$(WITNESS): tests/numa/witness.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -D_GNU_SOURCE $(WARNINGS) -MMD -MP -O1 $(CFLAGS) -o $@ $<

$(BUILD)/bench/%: bench/%.c $(BUILD)/core.a
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(TESTS_SEE) $(LIBRARY_CFLAGS) $(BASE_FLAGS) $(CFLAGS) $(KERNEL_FLAGS) -o $@ $< $(BUILD)/core.a $(LDLIBS)

# libFuzzer brings its own main(); scripts/fuzz calls this with the flags that the targets need.
$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(FUZZ_PARTS) $(BUILD)/core.a $(wildcard tests/fuzz/*.h)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(TESTS_SEE) $(filter-out -MMD -MP,$(BASE_FLAGS)) -fsanitize=fuzzer $(CFLAGS) -o $@ $< \
		$(FUZZ_PARTS) $(BUILD)/core.a $(LDLIBS)

fuzzers: $(FUZZERS)

# Benchmarks are run by hand, but built with the tests, so that they stay true.
units: $(UNIT_TESTS) $(BENCHES)

tests-built: all $(UNIT_TESTS) $(BENCHES) $(SHIMS) $(TOOLS) $(WITNESS)

test: tests-built
	$(Q)AFFINITY_BUILD=$(BUILD) scripts/check $(HOST_TESTS)

# A part of this is in tests/project/locales.bats, so in make check-all.
check-locales: all $(SHIMS) $(TOOLS)
	$(Q)for l in $(LOCALES); do AFFINITY_BUILD=$(BUILD) AFFINITY_LOCALE=$$l \
		scripts/check $(sort $(wildcard tests/behaviour/*.bats)) || exit 1; done

# Also in make check-all, where there is podman, with some of the tests of behaviour; here with all.
check-container: all $(SHIMS) $(TOOLS)
	$(Q)AFFINITY_CONTAINED=all AFFINITY_BUILD=$(BUILD) scripts/check tests/project/container.bats

# What make install leaves, outside of the sources. A part of this is in tests/project/install.bats, so in make check-all.
check-installed: all $(SHIMS) $(TOOLS)
	$(Q)scripts/check-installed $(BUILD)

# With further compilers come further plug-ins.
check-turns: all $(SHIMS) $(TOOLS) $(WITNESS)
	$(Q)scripts/fetch aarch64-16k >/dev/null || true
	$(Q)scripts/setup compilers >/dev/null || true
	$(Q)$(MAKE) --no-print-directory all
	$(Q)AFFINITY_TURNS=yes AFFINITY_BUILD=$(BUILD) scripts/check $(TURNS) $(PARTLY_IN_TURNS) $(LONG_GUESTS)

# Other Debian releases, each with a root of its own: RELEASES='13 testing' names some.
check-releases:
	$(Q)scripts/releases $(RELEASES)

golden: all
	$(Q)AFFINITY_BUILD=$(BUILD) scripts/golden --write

documents: all
	$(Q)scripts/reference --write
	$(Q)scripts/documents --write

sanitized:
	$(Q)mkdir -p build
	$(Q)flock build/asan.lock $(MAKE) --no-print-directory BUILD=build/asan CFLAGS='-g -O1' \
		SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' all

# Half of the time inside, by libFuzzer where it is installed, half from outside.
fuzz: sanitized
	$(Q)scripts/fuzz $$(($(FUZZ_SECONDS) / 2)) || [ $$? -eq 77 ]
	$(Q)tests/fuzz/outside --time $$(($(FUZZ_SECONDS) / 2))

torture: all $(SHIMS)
	$(Q)AFFINITY_BUILD=$(BUILD) tests/torture/torture --time $(TORTURE_SECONDS)

# The numbers of the manual's Method, with all draws; the tests of every day take some of them.
COVERAGES := $(BUILD)/tests/unit/analysis/coverage_of_intervals_test \
	$(BUILD)/tests/unit/analysis/coverage_of_means_test $(BUILD)/tests/unit/analysis/coverage_of_disturbed_test \
	$(BUILD)/tests/unit/statistics/verdict_test $(BUILD)/tests/unit/statistics/race_test
coverage-of-intervals: $(COVERAGES)
	$(Q)for t in $(COVERAGES); do $$t all && $$t table || exit 1; done

# The table of the manual's Clusters; the tests of every day take some of it.
rates-of-fleets: $(BUILD)/tests/unit/affinity-fleet/rates_test $(BUILD)/tests/unit/affinity-fleet/shift_test
	$(Q)for test in $^; do $$test all && $$test table || exit; done

# The table of the manual's Prediction; the test of every day compares it.
worth-of-model: $(BUILD)/tests/unit/model/worth_test
	$(Q)$< && $< table

lint:
	$(Q)scripts/lint

format:
	$(Q)find src kernels tests bench '(' -name '*.[ch]' -o -name '*.cpp' ')' -exec clang-format -i {} +

bench: $(BENCHES) all
	$(Q)for b in $(BENCHES); do $$b || exit 1; done

bench-peers: all
	$(Q)scripts/bench-peers

include scripts/packaging/rules.mk

clean:
	rm -rf build $(notdir $(PROGRAMS))

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
