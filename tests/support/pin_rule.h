/* The replacement rule for pinned lines (ldesc, section 4.4), written out over a time of last use for each way; and
 * traffic for the block of hw/twins/pin_replacement.h that keeps to its protocol. Nothing here is shared with the
 * golden twin. */
#ifndef TESTS_SUPPORT_PIN_RULE_H
#define TESTS_SUPPORT_PIN_RULE_H

#include "hw/twins/pin_replacement.h"

struct pin_rule_way {
	bool there, on_its_way;
	enum pin_replacement_pin pin;
	uint64_t used; /* the larger, the later */
};

struct pin_rule {
	struct pin_replacement_params p;
	struct pin_rule_way way[PIN_REPLACEMENT_MAX_SETS][PIN_REPLACEMENT_MAX_WAYS];
	uint64_t uses;
	bool timing;
	uint64_t since; /* cycle of the first pin */
	bool waits;	/* a request has been accepted, and its response not taken: */
	uint32_t pending;
	bool bypasses;
	int given; /* the way that the last response gave and no line has taken, of the set; -1: none */
	uint32_t given_set;
};

void pin_rule_init(struct pin_rule *r, const struct pin_replacement_params *p);
/* The victim, or -1. */
int pin_rule_victim(const struct pin_rule *r, uint32_t set);
/* What the response that waits has to give: a way, or -1. */
int pin_rule_answer(const struct pin_rule *r);
/* A cycle's inputs, those that are valid; `cycle` is not cut to 32 bits. Whether all pins ended ahead of them. */
bool pin_rule_step(struct pin_rule *r, uint64_t cycle, const struct pin_replacement_in *in);

/* Requests that hold until they are taken, lines that take the way of the last response (and some that it gave no way),
 * uses, drops and fills of lines that are there. `in` is that of the present cycle. */
struct pin_traffic {
	struct pin_rule rule; /* as it is ahead of the present cycle */
	struct pin_replacement_in in;
	uint64_t seed, cycle;
	unsigned ready_in; /* a response is taken one time in so many */
	bool gaps;	   /* cycles without a valid input may be left out */
};

void pin_traffic_init(struct pin_traffic *t, const struct pin_replacement_params *p, uint64_t seed, unsigned ready_in);
/* Goes on to the next cycle; out: the outputs of the present one. */
void pin_traffic_next(struct pin_traffic *t, const struct pin_replacement_out *out);

#endif
