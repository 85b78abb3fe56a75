# The RTL blocks: lint, proofs, synthesis, coverage.
.PHONY: lint-rtl
lint-rtl: ; @true
