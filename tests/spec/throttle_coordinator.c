#include "spec/throttle_coordinator.h"

#include <stddef.h>

__extension__ typedef unsigned __int128 wide;

void spec_coordinator_reset(struct spec_coordinator *s, uint64_t sms, uint64_t kernels, uint64_t n, uint64_t threshold,
			    uint64_t per_cycles, bool any)
{
	*s = (struct spec_coordinator){
		.sms = sms, .kernels = kernels, .n = n, .threshold = threshold, .per_cycles = per_cycles, .any = any};
}

/* Misses per kilo instructions, or cycles, above the threshold. */
static bool is_above(const struct spec_coordinator *s, wide misses, wide instructions, uint64_t working)
{
	return 1000 * misses > s->threshold * (s->per_cycles ? (wide)s->per_cycles * working : instructions);
}

/* An SM that has committed nothing does not vote. */
static bool misses_are_above(const struct spec_coordinator *s)
{
	wide misses = 0, instructions = 0;
	uint64_t working = 0;
	bool any = false;

	for (unsigned sm = 0; sm < s->sms; sm++) {
		working += s->instructions[sm] != 0;
		misses += s->misses[sm];
		instructions += s->instructions[sm];
		any |= s->instructions[sm] && is_above(s, s->misses[sm], s->instructions[sm], 1);
	}
	return s->any ? any : is_above(s, misses, instructions, working);
}

/* The SMs try numbers of warps: 1 + j mod K in the first round, K the numbers that there are; later those above the
 * winner so far, which the other SMs keep: at least one does, so that it competes. */
static void deal_numbers(struct spec_coordinator *s, struct spec_choice *k)
{
	uint64_t numbers = s->sms < s->most ? s->sms : s->most, above = s->most - k->winner;

	if (k->winner) {
		numbers = above < s->sms - 1 ? above : s->sms - 1;
		for (unsigned sm = 0; sm < s->sms; sm++)
			k->number[sm] = sm < numbers ? k->winner + 1 + sm : k->winner;
	} else {
		for (unsigned sm = 0; sm < s->sms; sm++)
			k->number[sm] = 1 + sm % numbers;
	}
	k->highest = k->winner + numbers;
	k->sampled = true;
}

struct mean {
	wide instructions;
	uint64_t sms;
};

/* A number's instructions for each SM that worked with it. */
static struct mean mean_of(const struct spec_coordinator *s, const struct spec_choice *k, uint64_t number)
{
	struct mean m = {0, 0};

	for (unsigned sm = 0; sm < s->sms; sm++)
		if (k->number[sm] == number && s->instructions[sm]) {
			m.instructions += s->instructions[sm];
			m.sms++;
		}
	return m;
}

static bool is_more(struct mean a, struct mean b)
{
	return a.sms && (!b.sms || a.instructions * b.sms > b.instructions * a.sms);
}

/* The number with the largest mean, of equal ones the lowest; the winner so far only if there is none better, which
 * leaves open which of two wins if the mean of a higher number equals its. 0: nobody worked. */
static const char *check_vote(const struct spec_coordinator *s, const struct spec_choice *k, uint64_t winner)
{
	uint64_t best = 0;

	for (uint64_t number = k->winner + 1; number <= k->highest; number++)
		if (is_more(mean_of(s, k, number), mean_of(s, k, best)))
			best = number;
	if (k->winner && is_more(mean_of(s, k, k->winner), mean_of(s, k, best)))
		best = k->winner;
	else if (k->winner && winner == k->winner && !is_more(mean_of(s, k, best), mean_of(s, k, k->winner)))
		best = k->winner;
	return winner == best ? NULL : "the winner is not the number with the most instructions";
}

static const char *decide_vote(struct spec_coordinator *s, struct spec_choice *k, const struct spec_coordinator_cycle *c)
{
	const char *wrong = c->voted ? check_vote(s, k, c->winner) : "a sampling ends without a vote";
	bool again = c->winner == k->highest && c->winner < s->most;

	k->sampled = false;
	s->mode = !c->winner ? SPEC_MONITOR : again ? SPEC_SAMPLE : SPEC_SETTLED;
	if (c->winner) {
		k->winner = c->winner;
		k->has_winner = !again;
	}
	if (again)
		deal_numbers(s, k);
	return wrong;
}

static const char *decide_period(struct spec_coordinator *s, struct spec_choice *k, const struct spec_coordinator_cycle *c)
{
	bool above = misses_are_above(s);

	k->above = above ? k->above + 1 : 0;
	s->mode = !above ? SPEC_MONITOR : k->has_winner ? SPEC_SETTLED : k->above >= s->n ? SPEC_SAMPLE : SPEC_WATCH;
	if (s->mode == SPEC_SAMPLE) {
		k->above = 0;
		k->winner = 0;
		deal_numbers(s, k);
	}
	if (c->voted)
		return "a vote without a sampling";
	return c->above == above ? NULL : above ? "misses above the threshold are not seen" : "misses are not above the threshold";
}

static const char *check_decision(struct spec_coordinator *s, const struct spec_coordinator_cycle *c)
{
	struct spec_choice *k = &s->choice[s->kernel];
	const char *wrong;

	if (s->messages != s->sms || s->is_decided)
		return "a decision without a message of each SM";
	wrong = k->sampled ? decide_vote(s, k, c) : decide_period(s, k, c);
	s->is_decided = true;
	if (!wrong && c->kernel != s->kernel)
		wrong = "the decision is of another kernel";
	return wrong ? wrong : c->mode == s->mode ? NULL : "the decision does not follow from the messages";
}

static const char *take_message(struct spec_coordinator *s, const struct spec_coordinator_cycle *c)
{
	if (c->sm >= s->sms || s->heard[c->sm])
		return "an SM reports twice in a period";
	s->heard[c->sm] = true;
	s->instructions[c->sm] = c->instructions;
	s->misses[c->sm] = c->misses;
	s->most = c->most;
	s->kernel = c->kernel;
	s->messages++;
	return NULL;
}

static const char *check_order(struct spec_coordinator *s, const struct spec_coordinator_cycle *c)
{
	const struct spec_choice *k = &s->choice[s->kernel];

	if (!s->is_decided)
		return "an order without a decision";
	if (c->sm >= s->sms || s->ordered[c->sm])
		return "an SM gets two orders of one decision";
	s->ordered[c->sm] = true;
	if (c->kernel != s->kernel || c->mode != s->mode)
		return "the order is not that of the decision";
	if (!c->limit)
		return "an order has a limit of 0";
	if (s->mode == SPEC_SAMPLE && c->limit != k->number[c->sm])
		return "an SM tries another number of warps";
	if (s->mode == SPEC_SETTLED && c->limit != k->winner)
		return "an SM has another limit than the winner";
	if (++s->orders == s->sms) {
		s->messages = s->orders = 0;
		s->is_decided = false;
		for (unsigned sm = 0; sm < s->sms; sm++)
			s->heard[sm] = s->ordered[sm] = false;
	}
	return NULL;
}

const char *spec_coordinator_cycle(struct spec_coordinator *s, const struct spec_coordinator_cycle *c)
{
	const char *wrong = c->decision ? check_decision(s, c) : NULL;

	if (!wrong && c->order)
		wrong = check_order(s, c);
	if (!wrong && c->message)
		wrong = take_message(s, c);
	return wrong;
}
