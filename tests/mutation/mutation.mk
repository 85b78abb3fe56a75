# Mutants of the RTL blocks and of their golden twins: docs/explanation/verification.md. scripts/mutate makes and judges
# those of the blocks, schemata/ makes and scripts/mutate-twin judges those of the twins. The shapes are in
# rtl/BLOCK/block.mk.
MUTATION_OBJ := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/mutation/*.c)))
SCHEMATA_OBJ := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/mutation/schemata/*.c)))
MUTATION_TWINS := $(sort $(foreach s,$(MUTATION_SHAPES),$(patsubst %_top,%,$(patsubst %_index,%,$(notdir $(firstword $(subst :, ,$s)))))))
MUTATED := $(O)/mutation/twins

.PHONY: mutate mutate-twins
mutate: all $(O)/mutation/lockstep $(MUTATION_TWINS:%=$(MUTATED)/%/lockstep) ## mutation score of RTL blocks and twins, into docs/results/mutation.md (BLOCK=throttle, MUTANTS=1000)
	@scripts/mutate $(O)/mutation/lockstep $(O)/mutation $(or $(MUTANTS),1000) '$(BLOCK)' $(MUTATION_SHAPES) >/dev/null && \
		scripts/mutate-twin $(MUTATED) '$(patsubst %_top,%,$(patsubst %_index,%,$(BLOCK)))' $(MUTATION_SHAPES) $(MUTATION_TWIN_SHAPES) >/dev/null && \
		scripts/keep-mutation $(O)/mutation
mutate-twins: all $(MUTATION_TWINS:%=$(MUTATED)/%/lockstep) ## mutation score of the golden twins alone, printed (BLOCK=throttle)
	@scripts/mutate-twin $(MUTATED) '$(BLOCK)' $(MUTATION_SHAPES) $(MUTATION_TWIN_SHAPES)
# A few mutants are judged in the test suite.
test: $(O)/mutation/lockstep $(MUTATED)/set_monitor/lockstep
# What the benches in tests/support check they report to Criterion.
MUTATION_LINK = $(CXX) $(LDSAN) -o $@ $(MUTATION_OBJ) $(1) -Wl,--start-group $(SUPPORT_OBJ) $(LIBS) $(VERILATED) -Wl,--end-group $(LDLIBS) -lcriterion
$(O)/mutation/lockstep: $(MUTATION_OBJ) $(SUPPORT_OBJ) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(MUTATION_LINK)

# A twin with its mutants: a folder with `list`, which says what each is, and `lockstep`, the program above with the
# mutated files in place of the library's.
$(O)/mutation/schemata: $(SCHEMATA_OBJ)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDSAN) -o $@ $^ -ljansson
define mutated_twin
$(MUTATED)/$(1)/lockstep: $(wildcard csim/hw/twins/$(1).c csim/hw/$(1)/*.c) $(O)/mutation/schemata $(MUTATION_OBJ) $(SUPPORT_OBJ) $(LIBS)
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$(Q)scripts/mutate-files $(O)/mutation/schemata $$(@D) $(1) $$(filter csim/%.c,$$^)
	$(Q)$$(call MUTATION_LINK,$$(patsubst %.c,$$(@D)/%.o,$$(notdir $$(filter csim/%.c,$$^))))
endef
$(foreach b,$(MUTATION_TWINS),$(eval $(call mutated_twin,$b)))

# Edits of both sides alike, judged by the specification models of tests/spec/.
COMMON_AGREE := $(O)/tests/mutation/common/agree.o
COMMON_SPECS := $(filter $(O)/tests/67%,$(TEST_OBJ))
.PHONY: mutate-common
mutate-common: all $(COMMON_AGREE) $(COMMON_SPECS) $(SUPPORT_OBJ) ## edits of Verilog and golden twin alike, into docs/results/mutation-common.md (BLOCK=throttle: printed)
	@CC='$(CC)' LINK='$(CXX) $(LDSAN)' AGREE='$(COMMON_AGREE)' SPECS='$(COMMON_SPECS)' LOCUS_BUILD='$(CURDIR)/$(O)' \
		LIBRARIES='$(SUPPORT_OBJ) -Wl,--start-group $(LIBS) $(VERILATED) -Wl,--end-group $(LDLIBS) -lcriterion' \
		scripts/mutate-common $(O)/mutation/common '$(BLOCK)' $(if $(BLOCK),,| scripts/keep-result mutation-common 'make mutate-common')
-include $(COMMON_AGREE:.o=.d) $(MUTATION_OBJ:.o=.d) $(SCHEMATA_OBJ:.o=.d)
