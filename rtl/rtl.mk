# The RTL blocks: lint, proofs, synthesis, coverage.
.PHONY: lint-rtl formal synth coverage

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
	pric/pric_index_fault \
	set_monitor/set_monitor \
	set_monitor/set_monitor:SETS=2,TAG_W=1,COUNT_W=2 \
	set_monitor/set_monitor:SETS=16,TAG_W=57,COUNT_W=32 \
	decoder/div3:W=2 \
	decoder/div3:W=57 \
	decoder/div3:W=64 \
	decoder/addr_decoder \
	decoder/addr_decoder:STACKS=1,CHANNELS=6 \
	decoder/addr_decoder:STACKS=1,CHANNELS=1 \
	decoder/addr_decoder:STACKS=32,FGP_LSB=7,CHANNELS=3,PORTS=4 \
	decoder/addr_decoder:STACKS=2,CHANNELS=16,HASH_CHANNEL=1,HASH_BANK=1,ADDR_W=48 \
	decoder/addr_decoder:PAGE_BITS=21,FGP_LSB=19,CHANNELS=96 \
	decoder/addr_decoder:ADDR_W=24,CHANNELS=6,INTERLEAVE=32,BANKS=4,BURST_W=4,MAP_W=10,BANK_MASK=768 \
	decoder/addr_decoder:STACKS=1,CHANNELS=2,BANKS=1,BANK_MASK=0,MAP_W=6 \
	decoder/addr_decoder_pipe \
	decoder/addr_decoder_pipe:PORTS=4,STACKS=1,CHANNELS=6,ADDR_W=48 \
	tafe/tafe_top \
	tafe/tafe_top:ENTRIES=8,ADDR_W=64,INDEX_W=16,TB_W=20,BLOCK_W=15 \
	tafe/tafe_top:ENTRIES=4,ADDR_W=16,INDEX_W=4,TB_W=4,BLOCK_W=1 \
	paver/paver_top \
	paver/paver_top:SMS=1,PTR_W=2,TB_W=1 \
	paver/paver_top:SMS=2,PTR_W=5,TB_W=10 \
	paver/paver_top:SMS=3,PTR_W=4,TB_W=3 \
	paver/paver_top:SMS=28 \
	paver/paver_top:SMS=80 \
	paver/paver_top:SMS=128,PTR_W=32,TB_W=32

lint-rtl: | $(SETUP) ## the Verilog front ends of Verilator, Icarus and Yosys, without a warning
	@scripts/rtl-lint rtl/*/*.v
	@for s in $(RTL_SHAPES); do scripts/rtl-elaborate accept rtl/$${s%%:*}.v $$(basename $${s%%:*}) \
		$$(echo $$s: | cut -d: -f2 | tr , ' ') || exit 1; done

formal: | $(SETUP) ## proofs about the RTL blocks, and mutants that must fail them (ROWS=tafe: those rows)
	@scripts/formal $(O) '$(ROWS)'

# Rows of docs/results/hardware-cost.md: block/file:PARAMETER=VALUE,...
RTL_SYNTH := \
	pric/pric_index \
	pric/pric_index:ADDR_BITS=27 \
	pric/pric_index:SETS=64,POLY=67 \
	pric/pric_index:ADDR_W=48,ADDR_BITS=48 \
	set_monitor/set_monitor \
	decoder/div3:W=38 \
	decoder/addr_decoder:ADDR_W=48 \
	decoder/addr_decoder:ADDR_W=48,HASH_CHANNEL=1,HASH_BANK=1 \
	decoder/addr_decoder:ADDR_W=48,STACKS=1,CHANNELS=6 \
	decoder/addr_decoder:ADDR_W=48,CHANNELS=6 \
	decoder/addr_decoder_pipe:ADDR_W=48 \
	decoder/addr_decoder_pipe:ADDR_W=48,PORTS=4 \
	tafe/tafe_top \
	paver/paver_top \
	paver/paver_top:SMS=28 \
	paver/paver_top:SMS=80

synth: | $(SETUP) ## cells, area, flip-flop bits and critical path of each block, into docs/results/hardware-cost.md
	@mkdir -p $(O)/synth
	@{ echo '| block | parameters | flip-flop bits | cells, default | um2 | path, ns | cells, speed | um2 | path, ns |'; \
	   echo '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'; \
	   for s in $(RTL_SYNTH); do scripts/synth $(O) $$(basename $${s%%:*}) rtl/$${s%%:*}.v \
		$$(echo $$s: | cut -d: -f2 | tr , ' ') || exit 1; done; } >$(O)/synth/table
	@scripts/keep-result hardware-cost 'make synth' <$(O)/synth/table

# The RTL under the vectors of tests/605, there run by Verilator with counts instead of Icarus; the twins under their own tests, by gcov.
# Both without the model: what is compiled here is csim/hw and what it stands on.
COV      := $(O)/coverage
COV_SRC  := $(wildcard csim/hw/*.c csim/base/arena.c csim/base/err.c csim/base/panic.c csim/base/suggestion.c csim/base/number.c harness/bind/params.c tests/support/program.c tests/support/icarus.c tests/support/refusal.c tests/support/tafe_bench.c tests/support/tafe_host.c tests/support/paver_bench.c tests/60[1-6]-*.c tests/608-*.c tests/611-*.c tests/612-*.c tests/63[12]-*.c tests/64[123]-*paver*.c)
coverage: | $(SETUP) ## line and toggle coverage of the RTL, line coverage of the golden twins, into docs/results/coverage.md
	@rm -rf $(COV) && mkdir -p $(COV)/rtl $(COV)/c
	@cd $(COV)/c && $(CC) -std=c11 -O1 -march=$(ARCH) --coverage -D_GNU_SOURCE -I$(CURDIR)/csim -I$(CURDIR)/harness -I$(CURDIR)/tests \
		$(COV_SRC:%=$(CURDIR)/%) -lcriterion -o tests
	@$(COV)/c/tests -j$$(nproc) >$(COV)/c/log 2>&1 || { cat $(COV)/c/log; exit 1; }
	@LOCUS_COVERAGE=$(CURDIR)/$(COV)/rtl $(COV)/c/tests -j$$(nproc) --filter 'icarus*/*twin*' >$(COV)/rtl/log 2>&1 || { cat $(COV)/rtl/log; exit 1; }
	@scripts/coverage $(COV)/rtl >$(COV)/tables
	@{ echo; echo '| golden twin | lines |'; echo '| --- | ---: |'; cd $(COV)/c && gcov -n *.gcda 2>/dev/null | awk -v root=$(CURDIR)/ -F"'" ' \
		/^File/ { file = $$2; sub(root, "", file) } \
		/^Lines/ && file ~ /^csim\/hw/ { split($$0, w, /[:% ]+/); if (w[3] + 0 >= best[file] + 0) { best[file] = w[3]; of[file] = w[5] } } \
		END { for (file in best) printf("| `%s` | %s %% of %s |\n", file, best[file], of[file]) }' | LC_ALL=C sort; } >>$(COV)/tables
	@scripts/keep-result coverage 'make coverage' <$(COV)/tables
