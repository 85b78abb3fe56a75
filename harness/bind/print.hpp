// What Verilog prints goes to standard error, without characters that a terminal would obey: shim.hpp has the function,
// libverilated.a is compiled to call it.
#pragma once
extern "C" int locus_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF locus_print
