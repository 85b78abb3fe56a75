// Verilator's runtime headers, which every block includes; `make` compiles them once, so that a block's build takes
// half the time.
#include "verilated.h"
#include "verilated_fst_c.h"
#include "verilated_syms.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
