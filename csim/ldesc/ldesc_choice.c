#include "ldesc/ldesc_choice.h"

struct ldesc_choice ldesc_choose(const struct ldesc *l, bool numa)
{
	struct ldesc_choice c = {.ctas = numa || l->type == LDESC_INTER_THREAD, .pages = numa};

	if (l->type == LDESC_NO_REUSE)
		c.caching = LDESC_BYPASS;
	else if (l->type == LDESC_INTRA_THREAD)
		c.caching = LDESC_HARD_PIN;
	else if (l->sharing == LDESC_NEARBY)
		c.prefetch = LDESC_PREFETCH_NEXT_LINE;
	else if (l->access == LDESC_REGULAR)
		c.prefetch = LDESC_PREFETCH_STRIDE;
	else
		c.caching = LDESC_SOFT_PIN;
	return c;
}

struct ldesc_choice ldesc_choose_caching(const struct ldesc *l, bool numa)
{
	static const enum ldesc_caching by_type[] = {
		[LDESC_INTER_THREAD] = LDESC_SOFT_PIN, [LDESC_INTRA_THREAD] = LDESC_HARD_PIN, [LDESC_NO_REUSE] = LDESC_BYPASS};

	(void)numa;
	return (struct ldesc_choice){.caching = by_type[l->type]};
}

struct ldesc_choice ldesc_choose_prefetch(const struct ldesc *l, bool numa)
{
	struct ldesc_choice c = {.prefetch = LDESC_PREFETCH_NEXT_LINE};

	(void)numa;
	if (l->type == LDESC_NO_REUSE)
		c.prefetch = LDESC_NO_PREFETCH;
	else if (l->access == LDESC_REGULAR)
		c.prefetch = LDESC_PREFETCH_STRIDE;
	return c;
}
