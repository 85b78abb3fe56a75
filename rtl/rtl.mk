# The RTL blocks: lint, proofs, synthesis, coverage.
.PHONY: lint-rtl formal

# Shapes that must pass Verilator's, Icarus's and Yosys's front ends without a warning: block/file:PARAMETER=VALUE,...
RTL_SHAPES := \
	pric/pric_index \
	pric/pric_index:ADDR_BITS=27 \
	pric/pric_index:ADDR_W=64,ADDR_BITS=48 \
	pric/pric_index:SETS=2,POLY=3,LINE_BYTES=1,ADDR_W=2 \
	pric/pric_index:SETS=8,POLY=13,LINE_BYTES=1,ADDR_W=6 \
	pric/pric_index:SETS=64,POLY=67 \
	pric/pric_index:SETS=1024,POLY=1033,LINE_BYTES=32 \
	pric/pric_index:SETS=65536,POLY=65581,ADDR_W=48 \
	set_monitor/set_monitor \
	set_monitor/set_monitor:SETS=2,TAG_W=1,COUNT_W=2 \
	set_monitor/set_monitor:SETS=16,TAG_W=57,COUNT_W=32

lint-rtl: | $(SETUP) ## the Verilog front ends of Verilator, Icarus and Yosys, without a warning
	@for s in $(RTL_SHAPES); do scripts/rtl-elaborate accept rtl/$${s%%:*}.v $$(basename $${s%%:*}) \
		$$(echo $$s: | cut -d: -f2 | tr , ' ') || exit 1; done

formal: | $(SETUP) ## proofs about the RTL blocks, and mutants that must fail them
	@scripts/formal $(O)
