/* The invariants that every run must keep, checked after each one, in release builds too.
 *
 * Conservation: what goes in comes out (requests and replies, CTAs, instructions, cycles of the stall breakdown, bytes
 * at the DRAM). Roofline: nothing is faster than its port (issue slots, L1 port, network, DRAM data bus). An invariant
 * that fails prints both of its sides; the run's exit status is then 1.
 */
#ifndef CSIM_BASE_AUDIT_H
#define CSIM_BASE_AUDIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { AUDIT_MAX_INVARIANTS = 128 };

struct audit_invariant {
	char name[256]; /* "l1: accesses = hits + hit-reserved + misses + bypasses + writes" */
	uint64_t left, right;
	bool at_most; /* left <= right; else left = right */
	bool holds;
};

struct audit {
	struct audit_invariant invariant[AUDIT_MAX_INVARIANTS];
	unsigned n, failed;
};

void audit_equal(struct audit *a, const char *name, uint64_t left, uint64_t right);
void audit_at_most(struct audit *a, const char *name, uint64_t left, uint64_t right);

/* Adds the invariants of `from` behind those of `to`. */
void audit_take(struct audit *to, const struct audit *from);

/* "audit 14/14 invariants hold", and a line for each that does not, with both sides. */
void audit_print(const struct audit *a, FILE *to);

struct json_t;
struct json_t *audit_json(const struct audit *a); /* an array of {invariant, left, right, holds} */

#endif
