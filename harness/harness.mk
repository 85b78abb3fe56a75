# Verilated blocks. The C++ runtime of Verilator is compiled once; each block is a shared library in build/blocks, kept by a hash of
# all that it is made from (harness/bind/bind.h), so `make` only asks the program to see that they are there.
VERILATOR_INC := /usr/share/verilator/include
VERILATED_LIB := build/verilated/libverilated.a
VERILATED_OBJ := $(patsubst %,build/verilated/%.o,verilated verilated_threads verilated_fst_c)

$(VERILATED_OBJ): build/verilated/%.o: $(VERILATOR_INC)/%.cpp | $(SETUP)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=gnu++17 -O2 -w -fPIC -fvisibility=hidden -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL \
		-I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd -c $< -o $@
$(VERILATED_LIB): $(VERILATED_OBJ)
	@rm -f $@ && $(AR) rcs $@ $^
$(VERILATOR_INC)/%.cpp: | $(SETUP) ;

.PHONY: blocks
all: blocks
test: blocks
blocks: $(O)/locus ## build the Verilated hardware blocks and check them against their golden twins
	@$(O)/locus blocks --quiet
$(O)/locus: | $(VERILATED_LIB)
