#include "spec/paver.h"

#include <stddef.h>

void spec_paver_reset(struct spec_paver *s, unsigned sms, unsigned position_bits)
{
	*s = (struct spec_paver){.sms = sms, .scan = sms + position_bits + 2};
}

/* The CTA at `next` is pinned while it is read and offered. */
static uint64_t waiting(const struct spec_paver_sm *m)
{
	return m->tail - m->next;
}

static uint64_t stealable(const struct spec_paver_sm *m)
{
	return waiting(m) - (m->reads_cta || m->offers);
}

static bool rested(const struct spec_paver *s, unsigned sm)
{
	const struct spec_paver_sm *m = &s->sm[sm];

	return s->cycle - m->rest_since >= s->scan && !m->reads_group && (!waiting(m) || m->offers);
}

static const char *check_algorithm_2(struct spec_paver *s, const struct spec_paver_cycle *c)
{
	uint64_t sum = 0, max = 0, count;
	unsigned donor = 0;

	for (unsigned sm = 0; sm < s->sms; sm++) {
		if (!rested(s, sm))
			return NULL;
		sum += waiting(&s->sm[sm]);
		if (stealable(&s->sm[sm]) > max) {
			max = stealable(&s->sm[sm]);
			donor = sm;
		}
	}
	s->judged++;
	s->upper += donor >= s->sms / 2;
	count = max > sum / s->sms ? max - sum / s->sms : 1;
	if (c->donor != donor)
		return "the donor is not the first SM with most CTAs";
	return c->count == count ? NULL : "the number of stolen CTAs is not the maximum less the average";
}

static const char *take_steal(struct spec_paver *s, const struct spec_paver_cycle *c)
{
	struct spec_paver_sm *donor, *recipient;
	const char *wrong;

	if (c->donor >= s->sms || c->recipient >= s->sms)
		return "a steal of an SM that does not exist";
	donor = &s->sm[c->donor];
	recipient = &s->sm[c->recipient];
	if (!s->steals || s->next_group < s->groups)
		return "a steal though there are groups left, or none is wanted";
	if (waiting(recipient) || recipient->reads_group)
		return "an SM steals that has CTAs or waits for a group";
	if (!c->count || c->count > stealable(donor))
		return "no CTA is stolen, or more than wait";
	wrong = check_algorithm_2(s, c);
	recipient->tail = donor->tail;
	donor->tail -= c->count;
	recipient->next = donor->tail;
	donor->rest_since = recipient->rest_since = s->cycle + 1;
	donor->passed_over = 0; /* its next read does not begin in the cycle of a steal: that may have been its turn */
	return wrong;
}

static const char *take_read(struct spec_paver *s, const struct spec_paver_cycle *c)
{
	struct spec_paver_sm *m = &s->sm[c->reader];

	if (c->reader >= s->sms || m->reads_group || m->reads_cta || m->offers)
		return "an SM has two reads at a time";
	m->rest_since = s->cycle;
	if (c->of_group) {
		if (waiting(m))
			return "an SM reads a group though its own is not exhausted";
		if (c->index != s->next_group || c->index >= s->groups)
			return "groups are not handed out in their order";
		s->next_group++;
		m->reads_group = true;
		return NULL;
	}
	if (!waiting(m) || c->index != m->next)
		return "an SM reads another CTA than its next one";
	m->reads_cta = true;
	return NULL;
}

static const char *take_answer(struct spec_paver *s, const struct spec_paver_cycle *c)
{
	struct spec_paver_sm *m = &s->sm[c->answered];

	m->rest_since = s->cycle;
	if (m->reads_group) {
		m->next = c->head;
		m->tail = c->tail;
	} else {
		m->cta = c->cta;
		m->offers = true;
	}
	m->reads_group = m->reads_cta = false;
	return NULL;
}

/* SMs take turns, so no more reads of others go first than there are SMs; two may be chosen when an SM begins to want
 * one. */
static const char *check_turn(struct spec_paver *s, const struct spec_paver_cycle *c)
{
	for (unsigned sm = 0; sm < s->sms; sm++) {
		struct spec_paver_sm *m = &s->sm[sm];
		bool wants = !m->reads_group && !m->reads_cta && !m->offers && (waiting(m) || s->next_group < s->groups);

		m->passed_over = wants && sm != c->reader ? m->passed_over + 1 : 0;
		if (m->passed_over > s->sms + 2)
			return "an SM is passed over";
	}
	return NULL;
}

static const char *check_offer(struct spec_paver *s, const struct spec_paver_cycle *c, unsigned sm)
{
	struct spec_paver_sm *m = &s->sm[sm];

	if (c->offered[sm] != m->offers)
		return m->offers ? "a CTA that was read is not offered" : "a CTA is offered that was not read";
	if (!c->offered[sm])
		return NULL;
	if (c->id[sm] != m->cta)
		return "the CTA has another number than in the list";
	if (!c->taken[sm])
		return NULL;
	if (m->next < SPEC_PAVER_CTAS && s->is_issued[m->next])
		return "a CTA is issued twice";
	if (m->next < SPEC_PAVER_CTAS)
		s->is_issued[m->next] = true;
	s->issued++;
	m->offers = false;
	m->next++;
	m->rest_since = s->cycle;
	return NULL;
}

static const char *take_launch(struct spec_paver *s, const struct spec_paver_cycle *c)
{
	for (unsigned sm = 0; sm < s->sms; sm++)
		if (waiting(&s->sm[sm]) || s->sm[sm].reads_group)
			return "a launch ends before all of its CTAs are issued";
	if (s->next_group != s->groups)
		return "a launch ends before all of its groups are handed out";
	for (unsigned i = 0; i < SPEC_PAVER_CTAS; i++)
		s->is_issued[i] = false;
	s->groups = c->groups;
	s->steals = c->steals;
	s->next_group = s->issued = 0;
	return NULL;
}

const char *spec_paver_cycle(struct spec_paver *s, const struct spec_paver_cycle *c)
{
	const char *wrong = c->steal ? take_steal(s, c) : NULL;

	s->cycle++;
	for (unsigned sm = 0; sm < s->sms && !wrong; sm++)
		wrong = check_offer(s, c, sm);
	if (!wrong && c->read)
		wrong = check_turn(s, c);
	if (!wrong && c->read)
		wrong = take_read(s, c);
	if (!wrong && c->answer)
		wrong = take_answer(s, c);
	if (!wrong && c->launch)
		wrong = take_launch(s, c);
	return wrong;
}
