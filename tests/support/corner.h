/* Values at the corners of a field, drawn by weight: where hardware of one shape goes wrong and that of another does
 * not. The random stimuli of the blocks draw their values here.
 *
 *     of 32 draws   value
 *               2   0
 *               2   1
 *               2   the largest
 *               2   the largest less one
 *               5   one bit set: the highest in one of four, else any alike
 *               6   beside another value (`near`: a register, another input): it, or one more or less
 *               5   such a value with one bit changed: the highest in one of four, else any alike
 *               2   two halves, each of them a corner, the upper one beside the lower
 *               6   uniform
 *
 * What was drawn is noted by what it is, not by how it came about, as points of functional coverage: each of the first
 * four rows is one point, one bit set and one bit changed are a point for every bit, and beside is three. A value of
 * one bit has two points, 0 and 1.
 */
#ifndef TESTS_SUPPORT_CORNER_H
#define TESTS_SUPPORT_CORNER_H

#include <stdint.h>
#include <stdio.h>

/* A value of `width` bits, 1 to 64. seed: steps as random_u64's does. */
uint64_t corner_value(uint64_t *seed, unsigned width, uint64_t near);

/* The corners that the values of a field have met. */
struct corner_points {
	unsigned met; /* a bit for each of the points that a field has once */
	uint64_t one_bit, changed_bit;
};

void corner_note(struct corner_points *p, unsigned width, uint64_t value, uint64_t near);

/* Points by what they are of: values that are corners, one bit alone, beside another value, one bit of it changed. */
enum corner_class { CORNER_VALUE, CORNER_BIT, CORNER_BESIDE, CORNER_CHANGED, CORNER_CLASSES };
struct corner_tally {
	unsigned points[CORNER_CLASSES], met[CORNER_CLASSES];
};
/* Adds those of a field. */
void corner_count(struct corner_tally *t, const struct corner_points *p, unsigned width);
/* Those that have not been met, in words, separated by commas; nothing if all have. */
void corner_print_missing(const struct corner_points *p, unsigned width, FILE *to);

#endif
