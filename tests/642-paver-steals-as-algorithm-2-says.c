/* 642: what PAVER's hardware steals: worked examples of Algorithm 2 by hand, with the repaired rule for the CTA that is
 * already fetched. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/paver.h"

/* A state in which no group is left: SM s has the entries [100 s, 100 s + waiting). Those with a fetched head are
 * pinned; nobody asks memory, since a request stays that it does not take. */
static void state_of(struct paver *s, uint32_t sms, const uint32_t *waiting, bool fetched)
{
	struct paver_params p = {.sms = sms, .ptr_w = 16, .tb_w = 16};

	paver_reset(s, &p);
	s->steal__on = 1;
	s->dispatch__group = s->dispatch__groups = sms;
	s->dispatch__req_valid = 1;
	for (uint32_t sm = 0; sm < sms; sm++) {
		s->sm__next[sm] = 100 * sm;
		s->sm__tail[sm] = 100 * sm + waiting[sm];
		s->sm__valid[sm] = fetched && waiting[sm];
	}
}

/* Steps until something is stolen, with those SMs ready; the cycles it took. */
static unsigned until_steal(struct paver *s, uint64_t ready, struct paver_out *out)
{
	struct paver_in in = {.cfg_valid = 0};
	unsigned cycles = 0;

	for (uint32_t sm = 0; sm < s->p.sms && sm < 64; sm++)
		in.tb_ready[sm] = (ready >> sm & 1) && s->sm__next[sm] == s->sm__tail[sm];
	for (paver_eval(s, &in, out); !out->ev_steal && cycles < 1000; cycles++) {
		paver_tick(s, &in);
		paver_eval(s, &in, out);
	}
	if (out->ev_steal)
		paver_tick(s, &in);
	return cycles;
}

static void expect(uint32_t sms, const uint32_t *waiting, bool fetched, uint32_t donor, uint32_t recipient, uint32_t count)
{
	struct paver_out out;
	struct paver s;
	unsigned cycles;

	state_of(&s, sms, waiting, fetched);
	cycles = until_steal(&s, UINT64_MAX, &out);
	cr_assert_eq(cycles, sms + 16 + 2, "%u cycles", cycles);
	cr_assert(out.ev_donor == donor && out.ev_recipient == recipient && out.ev_count == count,
		  "SM %u gives SM %u %u, not %u %u %u", out.ev_donor, out.ev_recipient, out.ev_count, donor, recipient, count);
	/* recipient.tail = donor.tail, donor.tail -= count, recipient.next = donor.tail */
	cr_assert_eq(s.sm__next[donor], 100 * donor);
	cr_assert_eq(s.sm__tail[donor], 100 * donor + waiting[donor] - count);
	cr_assert_eq(s.sm__next[recipient], 100 * donor + waiting[donor] - count);
	cr_assert_eq(s.sm__tail[recipient], 100 * donor + waiting[donor]);
}

/* Section 5.2: four wait at the donor, TB0 to TB3, two are stolen: it keeps TB0 and TB1. max = 4, average = 4 / 2. */
Test(paver_steal, the_example_of_section_5_2)
{
	expect(2, (const uint32_t[]){4, 0}, false, 0, 1, 2);
}

Test(paver_steal, the_most_less_the_average_from_the_lowest_of_equals)
{
	expect(3, (const uint32_t[]){0, 7, 7}, false, 1, 0, 3);	      /* 7 - 14 / 3 */
	expect(4, (const uint32_t[]){5, 0, 9, 3}, false, 2, 1, 5);    /* 9 - 17 / 4 */
	expect(4, (const uint32_t[]){2, 2, 0, 100}, false, 3, 2, 74); /* 100 - 104 / 4 */
}

Test(paver_steal, a_fetched_head_waits_but_is_not_stolen)
{
	expect(3, (const uint32_t[]){0, 7, 7}, true, 1, 0, 2); /* 6 - 14 / 3 */
	expect(2, (const uint32_t[]){5, 0}, true, 0, 1, 2);    /* 4 - 5 / 2 */
	expect(3, (const uint32_t[]){2, 0, 2}, true, 0, 1, 1); /* 1 - 4 / 3 = 0: at least 1 */
	expect(3, (const uint32_t[]){60, 60, 0}, true, 0, 2, 59 - 40);
}

Test(paver_steal, fifteen_and_eighty_sms)
{
	uint32_t w[80] = {0};

	w[14] = 30;
	expect(15, w, true, 14, 0, 27); /* 29 - 30 / 15 */
	for (int i = 0; i < 80; i++)
		w[i] = 40;
	w[63] = 0;
	w[50] = 90;
	expect(80, w, true, 50, 63, 49); /* 89 - (90 + 78 * 40) / 80 = 89 - 40 */
}

static void expect_nothing(const uint32_t *waiting, bool on, bool group_left, uint64_t ready)
{
	struct paver before, s;
	struct paver_out out;

	state_of(&s, 3, waiting, true);
	s.steal__on = on;
	s.dispatch__groups += group_left;
	before = s;
	cr_assert_eq(until_steal(&s, ready, &out), 1000);
	cr_assert(memcmp(&before, &s, sizeof s) == 0, "a register moved");
}

Test(paver_steal, nothing_is_stolen_without_a_cause)
{
	static const uint32_t some[3] = {5, 0, 5}, fetched[3] = {1, 0, 1}, none_empty[3] = {5, 1, 5};

	expect_nothing(some, false, false, UINT64_MAX); /* the launch does not want it, as with MST */
	expect_nothing(some, true, true, UINT64_MAX);	/* a group is left */
	expect_nothing(some, true, false, 0);		/* no free context */
	expect_nothing(fetched, true, false, UINT64_MAX);
	expect_nothing(none_empty, true, false, UINT64_MAX);
}

/* An empty SM that waits for a group is no recipient. */
Test(paver_steal, an_sm_whose_group_is_on_its_way_steals_nothing)
{
	struct paver_out out;
	struct paver s;

	state_of(&s, 3, (const uint32_t[]){5, 0, 0}, true);
	s.sm__pending[1] = 1;
	cr_assert_eq(until_steal(&s, UINT64_MAX, &out), 3 + 16 + 2);
	cr_assert_eq(out.ev_recipient, 2);
}

/* 40 wait at SM 2, 10 on average: 39 - 10, of these 29 - 10, of these 19 - 10 are passed on. */
Test(paver_steal, recipients_take_turns)
{
	static const uint32_t recipient[3] = {0, 1, 3}, donor[3] = {2, 0, 1}, count[3] = {29, 19, 9};
	struct paver_out out;
	struct paver s;

	state_of(&s, 4, (const uint32_t[]){0, 0, 40, 0}, true);
	for (unsigned i = 0; i < 3; i++) {
		until_steal(&s, UINT64_MAX, &out);
		cr_assert(out.ev_recipient == recipient[i] && out.ev_donor == donor[i] && out.ev_count == count[i], "steal %u", i);
	}
}

/* 4 - 5 / 3 = 3 are to be stolen, but while the SMs are looked at the donor issues its own. */
static uint32_t when_the_donor_issues(uint32_t n)
{
	struct paver_in in = {.cfg_valid = 0};
	struct paver_out out;
	struct paver s;

	state_of(&s, 3, (const uint32_t[]){5, 0, 0}, true);
	in.tb_ready[1] = 1;
	while (s.steal__state != PAVER_APPLY)
		paver_tick(&s, &in);
	s.sm__next[0] += n;
	paver_eval(&s, &in, &out);
	paver_tick(&s, &in);
	cr_assert_eq(s.steal__state, PAVER_IDLE);
	cr_assert_eq(s.sm__tail[1] - s.sm__next[1], out.ev_count);
	cr_assert_eq(s.sm__tail[0] + out.ev_count, 5u);
	return out.ev_count;
}

Test(paver_steal, no_more_is_stolen_than_the_donor_has_when_it_comes_to_it)
{
	cr_assert_eq(when_the_donor_issues(0), 3);
	cr_assert_eq(when_the_donor_issues(1), 3);
	cr_assert_eq(when_the_donor_issues(2), 2);
	cr_assert_eq(when_the_donor_issues(3), 1);
	cr_assert_eq(when_the_donor_issues(4), 0);
}

/* In the cycle of the steal no fetch for the donor begins: its head, unpinned, might be what is stolen. */
Test(paver_steal, the_donor_does_not_ask_while_it_is_stolen_from)
{
	struct paver_in in = {.cfg_valid = 0};
	struct paver s;

	state_of(&s, 2, (const uint32_t[]){1, 0}, false);
	in.tb_ready[1] = 1;
	while (s.steal__state != PAVER_APPLY)
		paver_tick(&s, &in);
	in.req_ready = 1; /* now the register gets free */
	paver_tick(&s, &in);
	cr_assert(!s.sm__pending[0] && !s.dispatch__req_valid && s.sm__tail[0] == 0);
	cr_assert(s.sm__next[1] == 0 && s.sm__tail[1] == 1);
	paver_tick(&s, &in);
	cr_assert(s.sm__pending[1] && s.dispatch__req_tag == 1 && s.dispatch__req_index == 0, "and so the CTA goes to SM 1");
}

/* Two idle SMs and one CTA: printed, they may steal it from each other indefinitely. */
Test(paver_steal, a_ctas_fetch_ends_its_travels)
{
	struct paver_in in = {.tb_ready = {1, 1}, .req_ready = 1};
	struct paver_out out;
	struct paver s;
	unsigned steals = 0;

	state_of(&s, 2, (const uint32_t[]){1, 0}, false);
	for (unsigned i = 0; i < 2000; i++) {
		paver_eval(&s, &in, &out);
		steals += out.ev_steal;
		paver_tick(&s, &in);
	}
	cr_assert(s.sm__pending[0] && steals == 0);
}
