#include "spec/set_monitor.h"

#include <stddef.h>

enum { LONGEST_WAIT = 4 }; /* cycles to the answer: two edges, and one for the table */

void spec_sets_reset(struct spec_sets *s, unsigned count_bits)
{
	*s = (struct spec_sets){.largest = (UINT64_C(1) << count_bits) - 1};
}

static const char *check_answer(const struct spec_sets *s, const struct spec_sets_cycle *c)
{
	if (!c->answer)
		return s->answered				 ? "an answer is withdrawn before it is taken"
		       : s->requests && s->waited > LONGEST_WAIT ? "a request has no answer"
								 : NULL;
	if (!s->requests)
		return "an answer without a request";
	if (s->answered && c->count != s->count)
		return "an answer changes before it is taken";
	if (c->count < s->request[0].least || c->count > s->set[s->request[0].set].conflicts)
		return "the answer is not the set's number of conflicts";
	return NULL;
}

static void take_answer(struct spec_sets *s)
{
	s->answered = false;
	s->waited = 0;
	s->requests--;
	for (unsigned i = 0; i < s->requests; i++)
		s->request[i] = s->request[i + 1];
}

static void take_access(struct spec_sets *s, const struct spec_sets_cycle *c)
{
	if (s->set[c->access_set].accessed && s->set[c->access_set].tag != c->tag && s->set[c->access_set].conflicts < s->largest)
		s->set[c->access_set].conflicts++;
	s->set[c->access_set].accessed = true;
	s->set[c->access_set].tag = c->tag;
}

const char *spec_sets_cycle(struct spec_sets *s, const struct spec_sets_cycle *c)
{
	const char *wrong = check_answer(s, c);

	if (wrong)
		return wrong;
	s->waited += s->requests != 0;
	s->answered = c->answer;
	s->count = c->count;
	if (c->answer && c->taken)
		take_answer(s);
	if (c->request) {
		if (s->requests == SPEC_REQUESTS)
			return "requests are accepted that nobody answers";
		s->request[s->requests].set = c->request_set;
		s->request[s->requests++].least = s->set[c->request_set].conflicts;
	}
	if (c->access)
		take_access(s, c);
	return NULL;
}
