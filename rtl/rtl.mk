# The RTL blocks: lint, proofs, synthesis, coverage.
.PHONY: lint-rtl formal synth coverage rtl-package

# Each block has its shapes and tests beside its Verilog, in rtl/BLOCK/block.mk:
#
#   RTL_SYNTH         rows of docs/results/hardware-cost.md
#   COV_TESTS         tests of the golden twin, and the files of tests/support that they use
#   MUTATION_SHAPES   small shapes, of which `make mutate` makes mutants
#   MUTATION_TWIN_SHAPES   further ones, as wide as it takes, that mutants of the golden twin run in, too
#
# A shape is block/file:PARAMETER=VALUE,...
include $(sort $(wildcard rtl/*/block.mk))

# Every shape that a check or a table uses: those of the shape matrix and of these lists.
lint-rtl: ## the Verilog front ends of Verilator, Icarus and Yosys, without a warning, at every shape
	@scripts/rtl-lint rtl/*/*.v
	@shapes=$$(scripts/rtl-shapes $(RTL_SYNTH) $(MUTATION_SHAPES) $(MUTATION_TWIN_SHAPES)) && \
		echo "$$shapes" | while read -r s; do scripts/rtl-elaborate accept $$s </dev/null || exit 1; done

formal: ## proofs about the RTL blocks, and mutants that must fail them (ROWS=tafe: those rows)
	@scripts/formal $(O) '$(ROWS)'

synth: ## cells, area, flip-flop bits and critical path of each block, into docs/results/hardware-cost.md
	@mkdir -p $(O)/synth
	@{ echo '| block | parameters | flip-flop bits | cells, default | um2 | path, ns | cells, speed | um2 | path, ns | version |'; \
	   echo '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |'; \
	   for s in $(RTL_SYNTH); do scripts/synth $(O) $$(basename $${s%%:*}) rtl/$${s%%:*}.v \
		$$(echo $$s: | cut -d: -f2 | tr , ' ') || exit 1; done; } >$(O)/synth/table
	@echo >$(O)/synth/beside && scripts/synth-tafe /usr/share/qflow/tech/osu018/osu018_stdcells.lib <$(O)/synth/table >>$(O)/synth/beside
	@cat $(O)/synth/table $(O)/synth/beside | scripts/keep-result hardware-cost 'make synth'

rtl-package: ## each block as an integrator takes it (file list, constraints, FuseSoC core, README), in build/rtl-package
	@for f in $(sort $(foreach s,$(RTL_SYNTH),$(firstword $(subst :, ,$s)))); do \
		scripts/rtl-package $(O)/rtl-package rtl/$$f.v || exit 1; done && echo "$(O)/rtl-package"

# The RTL under the vectors of tests/605, there run by Verilator with counts instead of Icarus; the twins under their
# own tests, by gcov; the corners that random steps meet at the inputs. All without the model: what is compiled here are
# the twins and what they need.
COV      := $(O)/coverage
COV_SRC  := $(wildcard csim/hw/*.c csim/hw/twins/*.c csim/hw/tafe/*.c csim/base/alloc.c csim/base/arena.c csim/base/region.c csim/base/err.c csim/base/panic.c csim/base/suggestion.c csim/base/number.c harness/bind/params.c tests/support/program.c tests/support/icarus.c tests/support/refusal.c tests/60[56]-*.c tests/608-*.c \
	tests/690-*.c tests/support/corner.c tests/support/corner_stimulus.c tests/support/shape_matrix.c $(COV_TESTS))
coverage: ## line and toggle coverage of the RTL, line coverage of the golden twins, into docs/results/coverage.md
	@rm -rf $(COV) && mkdir -p $(COV)/rtl $(COV)/c
	@cd $(COV)/c && $(CC) -std=c11 -O1 -march=$(ARCH) --coverage -D_GNU_SOURCE -I$(CURDIR)/csim -I$(CURDIR)/harness -I$(CURDIR)/tests \
		$(COV_SRC:%=$(CURDIR)/%) -lcriterion -ljansson -o tests
	@LOCUS_CORNERS=$(CURDIR)/$(COV)/corners $(COV)/c/tests -j$$(nproc) >$(COV)/c/log 2>&1 || { cat $(COV)/c/log; exit 1; }
	@LOCUS_COVERAGE=$(CURDIR)/$(COV)/rtl $(COV)/c/tests -j$$(nproc) --filter 'icarus*/*twin*' >$(COV)/rtl/log 2>&1 || { cat $(COV)/rtl/log; exit 1; }
	@{ scripts/coverage $(COV)/rtl; echo; cat $(COV)/corners; } >$(COV)/tables
	@{ echo; echo '| golden twin | lines |'; echo '| --- | ---: |'; cd $(COV)/c && gcov -n *.gcda 2>/dev/null | awk -v root=$(CURDIR)/ -F"'" ' \
		/^File/ { file = $$2; sub(root, "", file) } \
		/^Lines/ && file ~ /^csim\/hw/ { split($$0, w, /[:% ]+/); if (w[3] + 0 >= best[file] + 0) { best[file] = w[3]; of[file] = w[5] } } \
		END { for (file in best) printf("| `%s` | %s %% of %s |\n", file, best[file], of[file]) }' | LC_ALL=C sort; } >>$(COV)/tables
	@scripts/keep-result coverage 'make coverage' <$(COV)/tables
