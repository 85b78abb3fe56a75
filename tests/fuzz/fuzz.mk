# Coverage-guided fuzzing of what reads a user's files: docs/explanation/verification.md. Each tests/fuzz/target_NAME.c
# becomes a libFuzzer program build/fuzz/NAME, with the address and undefined-behaviour sanitizers.
FUZZ_TARGETS := $(patsubst tests/fuzz/target_%.c,%,$(sort $(wildcard tests/fuzz/target_*.c)))

# What tests/160 runs the same targets with.
FUZZ_IN_TESTS := tests/fuzz/fuzz.c tests/fuzz/files_real.c $(FUZZ_TARGETS:%=tests/fuzz/target_%.c)

.PHONY: fuzz fuzz-long fuzz-build
fuzz: fuzz-build ## fuzz every reader of user files, a line each (FUZZ=ptx one of them, FUZZ_RUNS=1000 executions)
	@FUZZ_RUNS=$(FUZZ_RUNS) nice scripts/fuzz build/locus $(or $(FUZZ),$(FUZZ_TARGETS))
fuzz-long: fuzz-build ## the same until each has had ten million executions, in parts, into docs/results/fuzzing.md
	@nice scripts/fuzz-long build/locus $(or $(FUZZ_RUNS),1e7) $(or $(FUZZ),$(FUZZ_TARGETS))
	@scripts/fuzz-long --table >build/fuzz/table && scripts/keep-result fuzzing 'make fuzz-long' <build/fuzz/table
fuzz-build: all
	@nice $(MAKE) --no-print-directory O=build/fuzz/obj GIT=fuzzed CC=clang-14 CXX=clang++-14 fuzz-programs \
		OPT='-O2 -DFUZZING -ffp-contract=off -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'

# ---- within the call above ----
FUZZ_OBJ      := $(patsubst %.c,$(O)/%.o,$(filter-out tests/fuzz/main.c tests/fuzz/files_real.c,$(sort $(wildcard tests/fuzz/*.c))) tests/support/trace_sound.c tests/support/made_fatbin.c)
FUZZ_HARNESS  := $(HARNESS_OBJ)
# The program under test opens the files of tests/fuzz/files.h only.
FUZZ_RENAME   := $(foreach f,fopen open gzopen access opendir linkat mkostemp rename unlink,--redefine-sym $(f)=files_$(f))
# Work that an input may ask for: tests/fuzz/bounds.c.
FUZZ_WRAP     := -Wl,--wrap=ptx_run,--wrap=yaml_u64,--wrap=root_check
FUZZ_MUTATORS := fatbin ltrace stimulus

.PHONY: fuzz-programs
fuzz-programs: $(FUZZ_TARGETS:%=build/fuzz/%)
$(O)/fuzz.a: $(CSIM_OBJ) $(FUZZ_HARNESS) tests/fuzz/fuzz.mk
	@rm -f $@ $@.all && $(AR) rcs $@.all $(filter %.o,$^) && objcopy $(FUZZ_RENAME) $@.all $@ && rm $@.all
$(O)/tests/fuzz/main_%.o: tests/fuzz/main.c $(O)/gen/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -DTARGET=fuzz_$* $(if $(filter $*,$(FUZZ_MUTATORS)),-DMUTATE=fuzz_$*_mutate) -c $< -o $@
$(O)/targets.a: $(FUZZ_OBJ)
	@rm -f $@ && $(AR) rcs $@ $^
$(FUZZ_TARGETS:%=build/fuzz/%): build/fuzz/%: $(O)/tests/fuzz/main_%.o $(O)/targets.a $(O)/fuzz.a
	$(call say,LINK,$@)
	$(Q)$(CXX) -fsanitize=fuzzer,address,undefined $(FUZZ_WRAP) -o $@ $< -Wl,--start-group $(O)/targets.a $(O)/fuzz.a -Wl,--end-group $(LDLIBS)
-include $(FUZZ_OBJ:.o=.d) $(FUZZ_HARNESS:.o=.d)
