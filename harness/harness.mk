# Verilated blocks. The C++ runtime of Verilator is compiled once; each block is a shared library in build/blocks, kept
# by a hash of all that it is made from (harness/bind/bind.h), so `make` only asks the program to see that they are
# there.
VERILATOR_INC := /usr/share/verilator/include
VERILATED_LIB := build/verilated/libverilated.a
VERILATED_OBJ := $(patsubst %,build/verilated/%.o,verilated verilated_threads verilated_fst_c)

# What Verilog prints, and assertions that fail, go to standard error: standard output may be a result's JSON.
$(VERILATED_OBJ): build/verilated/%.o: $(VERILATOR_INC)/%.cpp harness/bind/print.hpp harness/harness.mk
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=gnu++17 -O2 -w -fPIC -fvisibility=hidden -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL \
		-include harness/bind/print.hpp \
		-I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd -c $< -o $@
$(VERILATED_LIB): $(VERILATED_OBJ)
	@mkdir -p build/blocks # bind/cache.c keeps blocks there if it is there
	@rm -f $@ && $(AR) rcs $@ $^
# The flags of harness/bind/build.c; with others the compiler reads the header itself.
VERILATED_PCH := build/verilated/runtime.hpp.gch
$(VERILATED_PCH): harness/bind/runtime.hpp harness/harness.mk
	@mkdir -p $(@D) && cp $< $(@:.gch=)
	$(Q)$(CXX) -std=gnu++17 -O3 -w -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0 \
		-I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd -x c++-header $(@:.gch=) -o $@

.PHONY: blocks
all: blocks
test: blocks
blocks: $(O)/locus ## build the Verilated hardware blocks and check them against their golden twins
	@$(O)/locus blocks --quiet
$(O)/locus: | $(VERILATED_LIB) $(VERILATED_PCH)

# ---- each block at every shape of the matrix: tests/775, which has some of them in `make test` ----
.PHONY: shapes
shapes: blocks $(O)/tests/7xx ## every block in lockstep at each shape of the matrix, a line a shape
	@LOCUS_SHAPES=all LOCUS_BUILD=$(CURDIR)/$(O) $(O)/tests/7xx -j$$(nproc) --filter 'shape_matrix/*' </dev/null

# ---- the co-simulation that a newcomer runs first ----
.PHONY: cosim wave
cosim: all ## Verilog blocks in lockstep: SYRK with waves, four stacks with pages of both modes; what the PRIC index does
	@scripts/cosim $(O)/locus $(O) default conv2d syrk gesummv
wave: ## open GTKWave on the last wave that was written
	@last=$$(ls -t *.gtkw $(O)/*.gtkw mismatch-*/*.gtkw 2>/dev/null | head -1); \
	if [ -z "$$last" ]; then echo "no wave yet: make cosim writes one, and so does locus cosim --wave FILE.fst" >&2; exit 2; fi; \
	fst=$$(sed -n 's/^\[dumpfile\] "\(.*\)"$$/\1/p' "$$last"); \
	gtkwave -f "$$(dirname "$$last")/$$fst" -a "$$last"
