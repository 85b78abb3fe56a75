# Locus: one entry point. `make help` lists the targets.
#
# Everything is built under build/. Parts keep their rules beside their code: rtl/rtl.mk (proofs, synthesis, coverage),
# harness/harness.mk (Verilated blocks), traces/traces.mk (CUDA to PTX).

# All processors at once, unless the caller says how many.
ifeq ($(MAKELEVEL)$(filter -j%,$(shell echo "$$MAKEFLAGS")),0)
MAKEFLAGS += -j$(shell nproc)
endif

VERSION := 0.1
CC      ?= gcc
CXX     ?= g++
ARCH    ?= native
O       := build
SAN     ?=
V       ?=
Q       := $(if $(V),,@)
say      = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$(2)')

WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes $(if $(CI),-Werror)
# clang warns where it does not follow a hint to vectorise: a remark on speed, not a defect.
WARN     += $(if $(findstring clang,$(CC)),-Wno-pass-failed)
OPT      := -O3 -march=$(ARCH) -ffp-contract=off
ifeq ($(SAN),1)
O        := build/san
OPT      := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -ffp-contract=off
LDSAN    := -fsanitize=address,undefined
COSTLY   := -DCHECK_COSTLY=1
else ifeq ($(SAN),thread)
O        := build/tsan
OPT      := -O1 -g -fsanitize=thread -fno-omit-frame-pointer -ffp-contract=off
LDSAN    := -fsanitize=thread
else ifneq ($(SAN),)
$(error SAN=$(SAN): must be 1 (addresses and undefined behaviour), thread, or empty)
endif
PKGS     := libfyaml jansson expat libzstd liblz4 libxxhash liblzma sqlite3 libprotobuf-c
CPPFLAGS := -D_GNU_SOURCE $(COSTLY) -Icsim -Iharness -Itests -I$(O) $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
CFLAGS   := -std=c11 -g $(OPT) $(WARN)
LDLIBS    = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lmetis -lm -lz -lpthread

.PHONY: all help test bench clean setup
.DEFAULT_GOAL := all

# ---- what a machine must have; asked for once, not at every build ----
SETUP := $(O)/.setup
$(SETUP): scripts/setup
	@scripts/setup
	@mkdir -p $(@D) && touch $@
setup: ; @scripts/setup && mkdir -p $(O) && touch $(SETUP) ## install what is missing
# Included, so that it is made ahead of everything: what follows asks pkg-config, the compiler and Verilator.
ifneq ($(filter-out help clean setup uninstall,$(or $(MAKECMDGOALS),all)),)
include $(SETUP)
endif

# ---- the model, the harness, the program ----
CSIM_SRC    := $(sort $(wildcard csim/*/*.c csim/*/*/*.c))
HARNESS_SRC := $(filter-out harness/cli/main.c harness/cuda/runtime/% harness/cuda/driver/%,$(sort $(wildcard harness/*/*.c harness/*/*/*.c)))
HOST_SRC    := $(sort $(wildcard traces/*/host.c))
CSIM_OBJ    := $(CSIM_SRC:%.c=$(O)/%.o)
HARNESS_OBJ := $(HARNESS_SRC:%.c=$(O)/%.o) $(HOST_SRC:%.c=$(O)/%.o)
VERILATED   :=
-include harness/harness.mk
-include harness/perfetto/perfetto.mk
-include harness/report/report.mk
-include harness/cuda/cuda.mk
-include rtl/rtl.mk
-include traces/traces.mk
-include tests/fuzz/fuzz.mk
-include scripts/install.mk

all: $(O)/locus ## build build/locus
	@echo '$(O)/locus is ready'

# Written anew only when their text changes: other flags compile everything again, a file that came or went links again.
.PHONY: always
always: ;
$(O)/gen/flags: KEPT = $(CC) $(CPPFLAGS) $(filter-out -Werror,$(CFLAGS))
$(O)/gen/sources: KEPT = $(CSIM_SRC) $(HARNESS_SRC) $(TEST_SRC) $(SUPPORT_OBJ)
$(O)/gen/workloads: KEPT = $(WORKLOADS)
$(O)/gen/flags $(O)/gen/sources $(O)/gen/workloads $(O)/gen/ptx: always
	@mkdir -p $(@D)
	@printf '%s\n' '$(KEPT)' | cmp -s - $@ || printf '%s\n' '$(KEPT)' >$@

$(O)/%.o: %.c $(O)/gen/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
# What results name as their origin, which their own pages do not change; rewritten only when it does.
GIT = $(shell git describe --always 2>/dev/null || echo unknown)$(shell git diff --quiet HEAD -- . ":!docs" 2>/dev/null || echo -dirty)
$(O)/version.h: always
	@mkdir -p $(@D)
	@{ printf '#define LOCUS_VERSION "%s"\n#define LOCUS_GIT "%s"\n' '$(VERSION)' '$(GIT)'; \
	   printf '#define LOCUS_COMPILER "%s"\n#define LOCUS_FLAGS "%s"\n' "$$($(CC) --version | head -1)" '$(strip $(OPT))'; } >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(O)/harness/session/result.o $(O)/harness/cli/version.o $(O)/harness/study/study.o: $(O)/version.h
$(O)/libcsim.a: $(CSIM_OBJ) $(O)/gen/sources
	@rm -f $@ && $(AR) rcs $@ $(CSIM_OBJ)
$(O)/libharness.a: $(HARNESS_OBJ) $(O)/gen/sources
	@rm -f $@ && $(AR) rcs $@ $(HARNESS_OBJ)
LIBS := $(O)/libharness.a $(O)/libcsim.a
$(O)/locus: $(O)/harness/cli/main.o $(LIBS) $(VERILATED)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDSAN) -o $@ $< -Wl,--start-group $(LIBS) $(VERILATED) -Wl,--end-group $(LDLIBS)

# ---- tests: one Criterion program for each hundred of tests/ ----
TEST_SRC    := $(sort $(wildcard tests/[0-9]*.c))
TEST_OBJ    := $(TEST_SRC:%.c=$(O)/%.o)
# They are compiled more often than they run, and what takes their time is elsewhere.
$(TEST_OBJ): private CFLAGS += $(if $(SAN),,-O1)
SUPPORT_OBJ := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/support/*.c tests/spec/*.c)) $(FUZZ_IN_TESTS))
# Tests of whole programs, the longest, first: none of these is left to run alone at the end.
HUNDREDS    := $(shell ls tests | sed -n 's/^\([0-9]\)[0-9]*-.*\.c$$/\1/p' | sort -ru)
TEST_BIN    := $(if $(T),$(T:%=$(O)/tests/%xx),$(HUNDREDS:%=$(O)/tests/%xx))

# The model's own tests need no Verilator: only those of twins, lockstep and whole programs link Verilated blocks.
RTL_HUNDREDS := 6 7 8 9
define test_program
$(O)/tests/$(1)xx: $(filter $(O)/tests/$(1)%,$(TEST_OBJ)) $(SUPPORT_OBJ) $(LIBS) $(O)/gen/sources $(if $(filter $(1),$(RTL_HUNDREDS)),$(VERILATED))
	$$(call say,LINK,$$@)
	$(Q)$(CXX) $(LDSAN) -o $$@ $(filter $(O)/tests/$(1)%,$(TEST_OBJ)) $(SUPPORT_OBJ) -Wl,--start-group $(LIBS) $(if $(filter $(1),$(RTL_HUNDREDS)),$(VERILATED)) -Wl,--end-group $(LDLIBS) -lcriterion
endef
$(foreach h,$(HUNDREDS),$(eval $(call test_program,$(h))))

test: $(O)/locus $(TEST_BIN) ## the whole test suite (T=4 runs the 4xx only; SAN=1 with address and undefined-behaviour sanitizers)
	@scripts/run-tests $(O) $(TEST_BIN)

bench: $(O)/locus ## speed of executor, model and lockstep, a line a number
	@$(O)/locus bench

# docs/explanation/threads.md. Criterion does not run under ThreadSanitizer, so SAN=thread is for locus alone.
.PHONY: test-threads
test-threads: ## runs by several host threads are without races and the same as by one (with ThreadSanitizer)
	@$(MAKE) --no-print-directory SAN=thread build/tsan/locus
	@scripts/test-threads build/tsan/locus build/tsan/threads

# Kills of sweeps: docs/how-to/sweep-and-cluster.md. The test suite has six; `make inject` kills studies and single
# runs.
.PHONY: test-sweep-kills test-slurm
test-sweep-kills: $(O)/locus $(O)/tests/9xx ## a sweep is killed a hundred times, and loses nothing (KILLS=100)
	@SWEEP_KILLS='$(or $(KILLS),100)' LOCUS_BUILD=$(abspath $(O)) $(O)/tests/9xx --filter 'sweep_kill/*'
test-slurm: $(O)/locus ## sweeps through a Slurm of our own, killed and not, end alike (as root; slurmctld slurmd slurm-client sqlite3)
	@scripts/test-slurm $(O)/locus $(O)/slurm tests/slurm/sweep.yaml

.PHONY: workloads
workloads: $(O)/locus ## every workload against its reference, a line of figures each (SIZE=test, default or paper; MACHINES=all or some)
	@scripts/workloads $(O)/locus $(or $(SIZE),test) $(MACHINES)

.PHONY: reference
reference: $(O)/locus ## tables of keys and metrics, options of all commands, all workloads and keys of launch files into docs/reference/
	@scripts/reference $(O)/locus docs/reference

# What a study prints is kept in docs/results/; a page of docs/ explains it.
STUDIES := study-cache study-coda study-gpus study-modern study-paver study-tafe study-ldesc study-placement
.PHONY: $(STUDIES)
study-cache: ## dwt-pric's figures and table, measured and published, into docs/results/cache.md
study-coda: ## CODA's figures, measured and published, into docs/results/coda.md
study-gpus: ## machines of Volta and later beside what was measured on these GPUs, into docs/results/gpus.md
study-modern: ## what is left of three papers' gains on GPUs of today, into docs/results/modern.md
study-paver: ## PAVER's table and figures, measured and published, into docs/results/paver.md
study-tafe: ## TAFE's tables and figures, measured and published, into docs/results/tafe.md
study-ldesc: ## the Locality Descriptor's figures, measured and published, into docs/results/ldesc.md
study-placement: ## the placements of four papers beside each other, into docs/results/placement.md
$(STUDIES): study-%: $(O)/locus
	@$(O)/locus study $* --dir $(O)/study-$* >$(O)/study-$*.md && scripts/keep-result $* 'make $@' <$(O)/study-$*.md

.PHONY: results
results: $(O)/locus ## every study, and the papers' headline numbers into docs/results/README.md (MINUTES=40: stops after so many; the next call resumes)
	@scripts/results $(O) $(or $(MINUTES),0) $(STUDIES:study-%=%)

.PHONY: quotes
quotes: $(O)/locus ## numbers that pages quote from runs of their own, measured anew and compared (PAGES=docs/...; 15 minutes)
	@scripts/quotes $(O)/locus scripts/quotes.list $(O)/quotes $(PAGES)

.PHONY: inputs
inputs: $(O)/locus ## what the studies' inputs touch beside L2s, and rounds of CTAs, into docs/results/inputs.md (an hour)
	@scripts/inputs $(O)/locus scripts/inputs.list >$(O)/inputs.md && scripts/keep-result inputs 'make $@' <$(O)/inputs.md

.PHONY: scaling
scaling: $(O)/locus $(O)/cost ## time and memory against sizes of machines and programs, into docs/results/scaling.md (15 minutes)
	@scripts/scaling $(O)/locus $(O)/cost >$(O)/scaling.md && scripts/keep-result scaling 'make $@' <$(O)/scaling.md
$(O)/cost: scripts/cost.c $(O)/gen/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<

.PHONY: compare-registers
compare-registers: $(O)/locus ## registers of the library's kernels beside those of ptxas (CUDA), into docs/results/registers.md
	@scripts/compare-registers $(O)/locus >$(O)/registers.md && scripts/keep-result registers 'make $@' <$(O)/registers.md

.PHONY: compare-gpgpusim
compare-gpgpusim: $(O)/locus ## cycles of eleven kernels beside GPGPU-Sim's, into docs/results/gpgpusim.md
	@scripts/compare-gpgpusim $(O)/locus >$(O)/gpgpusim.md && scripts/keep-result gpgpusim 'make $@' <$(O)/gpgpusim.md

.PHONY: correlate
correlate: $(O)/locus ## programs on qv100 beside what they took on a V100, into docs/results/correlation.md (fetches their sources; HW=1: and on this machine's GPU)
	@mkdir -p $(O)/correlate && HW=$(HW) scripts/correlate $(O)/locus $(O)/correlate >$(O)/correlation.md && scripts/keep-result correlation 'make $@$(if $(HW), HW=$(HW))' <$(O)/correlation.md

.PHONY: sampling
sampling: $(O)/locus ## how often intervals of sampled runs have what whole runs measure, into docs/results/sampling.md (SIZES=default, FULL=1: hours)
	@FULL=$(FULL) scripts/sampling $(O)/locus $(O)/sampling '$(or $(SIZES),default paper)' 20 >$(O)/sampling.md && \
		scripts/keep-result sampling 'make $@$(if $(SIZES), SIZES="$(SIZES)")$(if $(FULL), FULL=$(FULL))' <$(O)/sampling.md

-include tests/mutation/mutation.mk
-include tests/soak/soak.mk
-include tests/inject/inject.mk
-include scripts/lint.mk

# A variable that nothing reads is a misspelt one: `make soak STEP=1e9` would be a short soak.
GIVEN := $(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$(filter-out -*-% MAKE% SHELL LOCUS_%,$v)))
$(foreach v,$(GIVEN),$(if $(shell grep -lsE '[$$].?$v\b|^$v *[:?+]?=' $(MAKEFILE_LIST) scripts/*),,$(error $v=$($v): no target reads $v)))

clean: ; rm -rf build ## remove all that was built

help: ## this list
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  %-10s %s\n", $$1, $$2}'

-include $(CSIM_OBJ:.o=.d) $(HARNESS_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(SUPPORT_OBJ:.o=.d) $(O)/harness/cli/main.d
