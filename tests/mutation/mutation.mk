# Mutants of the RTL blocks: docs/mutation.md. scripts/mutate makes and judges them; the program runs them against the
# golden twins. The shapes are in rtl/BLOCK/block.mk.
MUTATION_OBJ := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/mutation/*.c)))

.PHONY: mutate
mutate: all $(O)/mutation/lockstep ## mutation score of the RTL blocks, into docs/results/mutation.md (BLOCK=throttle, MUTANTS=1000)
	@scripts/mutate $(O)/mutation/lockstep $(O)/mutation $(or $(MUTANTS),1000) '$(BLOCK)' $(MUTATION_SHAPES) >$(O)/mutation/tables && \
		scripts/keep-result mutation 'make mutate' <$(O)/mutation/tables
# A few mutants are judged in the test suite.
test: $(O)/mutation/lockstep
# What the benches in tests/support check they report to Criterion.
$(O)/mutation/lockstep: $(MUTATION_OBJ) $(SUPPORT_OBJ) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDSAN) -o $@ $(MUTATION_OBJ) -Wl,--start-group $(SUPPORT_OBJ) $(LIBS) $(VERILATED) -Wl,--end-group $(LDLIBS) -lcriterion
-include $(MUTATION_OBJ:.o=.d)
