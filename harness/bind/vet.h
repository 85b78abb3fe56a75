/* Whether Verilog that somebody else wrote can do no more than compute: what a bundle holds is built and executed by
 * whoever replays it, and $system, $c, $fopen, $writememh, import "DPI-C" or `systemc_header would run or write
 * whatever they like.
 *
 * The text is not parsed. A reading of comments, strings, conditions and macros of our own would only have to differ
 * from Verilator's once for something to hide in the difference. Instead every `$` and every backtick of a file counts,
 * wherever it is, in comments and strings too, so that there is nothing to disagree about:
 *
 *   $       must begin the name of a function that returns a value and does nothing else ($clog2, $signed, $past, ...),
 *           or be $readmemh or $readmemb: they read copies of the bundle's files alone (data.hpp)
 *   `       must begin a directive that only selects text, or the name of a macro that one of the files defines. So no
 *           macro can put a name together (``), and a macro has no arguments, into which a name could be put
 *   import  must be followed by a name: not by the string of the C interface. export likewise
 *
 * A system function's name cannot come into being in another way: no escape of Verilog's stands for a character outside
 * of strings. That leaves files that are not looked at; which ones Verilator read is asked afterwards, before anything
 * is compiled (bind_read_outside). What is refused without need, such as a price in a comment, is read by a person, who
 * then says --trust.
 */
#ifndef HARNESS_BIND_VET_H
#define HARNESS_BIND_VET_H

#include "bind/bind.h"

/* 0, or -1 with file, line and what is there. */
int bind_vet(const struct bind_sources *src, struct err *e);

#endif
