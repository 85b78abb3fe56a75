/* What the fuzz targets share. docs/explanation/verification.md says how they are run and what becomes of a finding.
 *
 * A target is one file, target_NAME.c, with a function fuzz_NAME that hands its bytes to a reader of the program, asks
 * the reader's result for what the rest of the program relies on, and frees everything. Whatever the bytes, it must
 * come back: a crash, a sanitizer's report, a leak, an exit, an input that takes longer than the limit, or a broken
 * requirement is a finding. main.c makes a libFuzzer program of a target; tests/160 runs the same functions over the
 * corpora.
 *
 * The program under test sees no files but those that a target put into files.h's table.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/* A requirement on what a reader returned; ends the program if it does not hold. */
#define REQUIRE(cond) ((cond) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #cond))
_Noreturn void fuzz_broken(const char *file, int line, const char *what);

/* An error says something. (What a quoted input may do to a terminal is the business of cli_print_error.) */
void fuzz_told(const struct err *e);

/* Where prints go that nobody reads. */
FILE *fuzz_sink(void);

/* Cuts an input into parts at lines that begin with "%%%%": part[i] and size[i], of the parts that are there; the
 * others are empty. More than n parts: the rest belongs to the last. */
void fuzz_parts(const uint8_t *data, size_t n, unsigned parts, const uint8_t **part, size_t *size);

/* A copy that ends in a zero byte, to be freed. */
char *fuzz_text(const uint8_t *data, size_t n);

/* ---- the targets; each takes any bytes ---- */

void fuzz_ptx(const uint8_t *data, size_t n);
void fuzz_flow(const uint8_t *data, size_t n);
void fuzz_ltrace(const uint8_t *data, size_t n);
void fuzz_accelsim(const uint8_t *data, size_t n);
void fuzz_graph(const uint8_t *data, size_t n);
void fuzz_machine(const uint8_t *data, size_t n);
void fuzz_gpgpusim(const uint8_t *data, size_t n);
void fuzz_launch(const uint8_t *data, size_t n);
void fuzz_din(const uint8_t *data, size_t n);
void fuzz_stimulus(const uint8_t *data, size_t n);
void fuzz_dram(const uint8_t *data, size_t n);
void fuzz_diff(const uint8_t *data, size_t n);
void fuzz_rtl(const uint8_t *data, size_t n);
void fuzz_sweep(const uint8_t *data, size_t n);
void fuzz_fatbin(const uint8_t *data, size_t n);
void fuzz_cuda(const uint8_t *data, size_t n);

/* Targets whose format has checksums or compressed parts change an input on the inside and close it again. mutate:
 * changes data[0..n) in place, to at most `max` bytes, and returns how many. Returns the new size. */
typedef size_t fuzz_mutator(uint8_t *data, size_t n, size_t max);
size_t fuzz_ltrace_mutate(uint8_t *data, size_t n, size_t max, unsigned seed, fuzz_mutator *mutate);
size_t fuzz_stimulus_mutate(uint8_t *data, size_t n, size_t max, unsigned seed, fuzz_mutator *mutate);
size_t fuzz_fatbin_mutate(uint8_t *data, size_t n, size_t max, unsigned seed, fuzz_mutator *mutate);

#endif
