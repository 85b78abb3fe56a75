# Long runs of the RTL blocks in lockstep with their golden twins: docs/explanation/verification.md.
SOAK_OBJ := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/soak/*.c)))
SOAK     := $(O)/soak

.PHONY: soak soak-model
soak: all $(SOAK)/soak ## each RTL block in lockstep for so many steps, into docs/results/soak.md (STEPS=1e9, BLOCK=throttle)
	@mkdir -p $(SOAK)/runs && cp docs/results/soak.md $(SOAK)/runs/published
	@$(if $(BLOCK),echo '$(BLOCK)',$(SOAK)/soak --blocks) | xargs -P $$(nproc) -n 1 $(SOAK)/soak '$(or $(STEPS),1e7)' $(SOAK)/runs || exit 1
	@$(SOAK)/soak --table $(SOAK)/runs >$(SOAK)/table && scripts/keep-result soak 'make soak' <$(SOAK)/table
soak-model: all $(SOAK)/soak ## random programs, machines and mechanisms in lockstep, into docs/results/soak.md (MINUTES=60)
	@mkdir -p $(SOAK)/runs && cp docs/results/soak.md $(SOAK)/runs/published
	@$(SOAK)/soak --model '$(or $(MINUTES),60)' $(SOAK)/runs $(O)/locus
	@$(SOAK)/soak --table $(SOAK)/runs >$(SOAK)/table && scripts/keep-result soak 'make soak' <$(SOAK)/table
# A short one is in the test suite.
test: $(SOAK)/soak
$(SOAK)/soak: $(SOAK_OBJ) $(SUPPORT_OBJ) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDSAN) -o $@ $(SOAK_OBJ) -Wl,--start-group $(SUPPORT_OBJ) $(LIBS) $(VERILATED) -Wl,--end-group $(LDLIBS) -lcriterion
-include $(SOAK_OBJ:.o=.d)
