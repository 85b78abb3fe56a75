/* Whole programs with a block in its golden twin, in Verilog and in both. A model is what `locus cosim` is called with:
 * "bfs --size test --l1-pin buffers:hard=edge". */
#ifndef TESTS_SUPPORT_COSIM_PROGRAM_H
#define TESTS_SUPPORT_COSIM_PROGRAM_H

/* The block as golden twin, as RTL, in lockstep, in lockstep with no cycle left out, and `locus run` give the same JSON
 * to the byte; steps of the block were compared. */
void cosim_program_agrees(const char *block, const char *model);

/* The block's Verilog, changed by a sed expression, ends the program with status 1 and a report of the first difference
 * ("output issue_o"; NULL: any); its bundle replays. */
void cosim_program_catches(const char *block, const char *model, const char *sed, const char *differs);

/* Runs the model with the block in lockstep, with options beside it ("" or "--wave-window 0:20000"), and returns its
 * wave as text (support/vcd.h); free() it. */
char *cosim_program_wave(const char *block, const char *model, const char *options);
/* A signal is not one under two names but changes on both sides at the same times, at least so often. */
void cosim_program_same(const char *wave, const char *signal, unsigned least);
/* What the save file of the last wave shows first, ahead of the inputs. */
void cosim_program_shows(const char *const *names, unsigned n);
void cosim_program_hides(const char *name);

#endif
