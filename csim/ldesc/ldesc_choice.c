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
