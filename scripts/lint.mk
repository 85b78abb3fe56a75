# Style: what `make lint` judges.
C_FILES    := $(shell git ls-files '*.c' '*.h')
TIDY_FILES := $(CSIM_SRC) $(HARNESS_SRC) harness/cli/main.c
# What a study or a tool prints into docs/results/ is as wide as it is.
PROSE_FILES := $(filter-out docs/results/% tests/fuzz/corpus/%,$(shell git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.v' '*.md' \
	'*.yaml' '*.mk' Makefile .ci/run scripts))

.PHONY: lint lint-gcc lint-clang lint-tidy lint-cppcheck lint-scripts lint-commands lint-numbers lint-prose lint-spelling lint-layers format
lint: ## warnings as errors, formatting, width, wording and spelling of prose, order of folders, clang-tidy, cppcheck, scripts and their commands, Verilog lint
	@clang-format-14 --dry-run -Werror $(or $(C_FILES),$(error make lint: git lists no C files; it needs a checkout of git))
	@$(MAKE) --no-print-directory lint-numbers lint-prose lint-layers lint-scripts lint-commands
	@$(MAKE) --no-print-directory CI=1 $(if $(CI),,CC=gcc O=$(O)/lint/gcc OPT='-O1') lint-gcc
	@$(MAKE) --no-print-directory lint-clang lint-tidy lint-cppcheck
	@$(MAKE) --no-print-directory lint-rtl

# gcc finds some defects only as it optimises. With CI set, its objects are those of the build and the tests; otherwise
# they are apart, so that an object that was compiled with a warning before is not passed over. clang needs no object,
# and its warnings about the program are clang-tidy's, too.
LINT_OBJ := $(CSIM_OBJ) $(HARNESS_OBJ) $(O)/harness/cli/main.o $(TEST_OBJ) $(SUPPORT_OBJ) $(FUZZ_OBJ) $(MUTATION_OBJ) $(SOAK_OBJ)
CLANG_WARN = -std=c11 $(CPPFLAGS) $(filter-out -Werror,$(WARN)) -Werror -Wno-pass-failed
lint-gcc: $(LINT_OBJ)
lint-clang: $(O)/version.h $(PERFETTO_PB).h
	@printf '%s\n' $(filter-out $(TIDY_FILES) gen/%,$(sort $(LINT_OBJ:$(O)/%.o=%.c))) | xargs -P$$(nproc) -n1 clang-14 -fsyntax-only $(CLANG_WARN)

# .clang-tidy says which checks, and why not others.
lint-tidy: $(O)/version.h $(PERFETTO_PB).h
	@printf '%s\n' $(TIDY_FILES) | xargs -P$$(nproc) -n8 sh -c 'clang-tidy-14 --quiet "$$@" -- $(CLANG_WARN) 2>/dev/null' tidy
# cppcheck 2.10 does not parse a cast to __typeof__ (base/queue.h).
lint-cppcheck:
	@cppcheck -j$$(nproc) --quiet --std=c11 --error-exitcode=1 --enable=warning,performance,portability --suppressions-list=scripts/cppcheck.list \
		-D__GNUC__ '-D__typeof__(x)=const void *' -Icsim -Iharness $(TIDY_FILES)
lint-scripts:
	@shellcheck --severity=warning $$(grep -lE '^#!(/bin/|/usr/bin/env )(ba)?sh' scripts/*) scripts/completion.bash .ci/run

# A fresh machine has the commands that are called: scripts/setup installs their packages.
lint-commands:
	@scripts/commands

# A test is named by its number: "905 fails" must mean one file.
lint-numbers:
	@twice=$$(ls tests | sed -n 's/^\([0-9]*\)-.*/\1/p' | sort | uniq -d); \
	if [ -n "$$twice" ]; then echo "tests/: two files are numbered" $$twice >&2; exit 1; fi

# clang-format lets code go up to column 132, and never wraps a comment. Wording: scripts/prose.rules has phrases to
# avoid; files whose hashes are signed off (rtl/, csim/hw/), headers of CUDA's interface and texts of studies, which
# docs/results/ repeats, are left as they are.
STYLE_FILES := $(filter-out docs/results/% csim/hw/% harness/cuda/include/% harness/study/%,$(shell git ls-files '*.md' 'csim/*.[ch]' 'harness/*.[ch]'))
lint-prose: lint-spelling
	@scripts/prose-width $(PROSE_FILES)
	@scripts/prose-style scripts/prose.rules $(STYLE_FILES)

# British spelling: codespell's own list of the American words, turned round, and its list of common mistakes. Words of
# options, of interfaces and of tools are excepted. Titles in quotes keep their spelling.
SPELLING_FILES := $(filter-out harness/cuda/% harness/nvcc/% harness/waves/% harness/process/gnuplot.c csim/ptx/% csim/workload/%,$(STYLE_FILES))
SPELLING_WORDS := sanitizer,inout,sanitizers,miter,license,licenses,minimize,minimized,color,colors,normalized,statics,nd,te,fro,modeling,prioritization
lint-spelling:
	@list=$$(dpkg -L codespell | grep 'dictionary_en-GB_to_en-US.txt$$') && \
	tmp=$$(mktemp) && trap 'rm -f "$$tmp"' EXIT && awk -F'->|,' '{ print $$2 "->" $$1 }' "$$list" >"$$tmp" && \
	codespell --dictionary=- --dictionary="$$tmp" --ignore-words-list=$(SPELLING_WORDS) --ignore-regex='"[A-Z][^"]*"' $(SPELLING_FILES)

# A folder includes what is below it: the order is that of the table of folders.
lint-layers:
	@scripts/layers docs/explanation/architecture.md

format: ; @clang-format-14 -i $(C_FILES) ## format the C files in place
