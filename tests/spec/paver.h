/* Specification of PAVER's scheduler (paver, section 5, Algorithm 2; docs/studies/paver.md, "The hardware"), by reads
 * of its two tables, CTAs and steals.
 *
 * Groups of CTAs go to SMs that have none left, in their order; an SM issues the CTAs of its interval [next, tail) of
 * the list in turn. Without groups left, an idle SM gets the upper end of the interval of the SM with most waiting
 * CTAs: "count = max - average", at least one. SMs take turns in reading the tables.
 *
 * A steal is judged against Algorithm 2 if each SM's interval was at rest while the block looked at it: the SM was out
 * of CTAs, or offered one.
 */
#ifndef TESTS_SPEC_PAVER_H
#define TESTS_SPEC_PAVER_H

#include <stdbool.h>
#include <stdint.h>

enum { SPEC_PAVER_SMS = 256, SPEC_PAVER_CTAS = 65536 };

struct spec_paver {
	unsigned sms;
	uint64_t scan; /* cycles from the choice of a recipient to its steal */
	bool steals;
	uint64_t groups, next_group, cycle;
	struct spec_paver_sm {
		bool reads_group, reads_cta, offers; /* a read is outstanding; a CTA is offered */
		uint64_t next, tail, cta;
		uint64_t rest_since;  /* cycle after its last event */
		unsigned passed_over; /* reads of others since it wants one */
	} sm[SPEC_PAVER_SMS];
	bool is_issued[SPEC_PAVER_CTAS];
	uint64_t issued, judged, upper; /* CTAs; steals judged, of them those of a donor in the upper half */
};

struct spec_paver_cycle {
	bool launch, steals, idle; /* accepted; the block is ready for another */
	uint64_t groups;
	bool read, of_group; /* accepted: an entry of the group table or of the CTA list */
	uint64_t index;
	unsigned reader;
	bool answer;
	unsigned answered;
	uint64_t head, tail, cta; /* as the outstanding read has it */
	bool steal;
	unsigned donor, recipient;
	uint64_t count;
	bool offered[SPEC_PAVER_SMS], taken[SPEC_PAVER_SMS];
	uint64_t id[SPEC_PAVER_SMS];
};

void spec_paver_reset(struct spec_paver *s, unsigned sms, unsigned position_bits);

/* NULL, or how the block differs from the specification in this cycle. */
const char *spec_paver_cycle(struct spec_paver *s, const struct spec_paver_cycle *c);

#endif
