# Kills, full disks and cut files, injected at random: docs/explanation/verification.md.
INJECT_OBJ := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/inject/*.c)))
INJECT     := $(O)/inject

.PHONY: inject
inject: all $(INJECT)/inject ## kills, full disks and cut files while locus works, into docs/results/robustness.md (RUNS=1000)
	@$(INJECT)/inject '$(or $(RUNS),1000)' $(INJECT)/work $(O)/locus
	@$(INJECT)/inject --table $(INJECT)/work >$(INJECT)/table && scripts/keep-result robustness 'make inject' <$(INJECT)/table
# A short one is in the test suite.
test: $(INJECT)/inject
$(INJECT)/inject: $(INJECT_OBJ) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $(INJECT_OBJ) -Wl,--start-group $(LIBS) -Wl,--end-group $(LDLIBS)
-include $(INJECT_OBJ:.o=.d)
