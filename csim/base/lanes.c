#include "base/lanes.h"

#include <stdlib.h>

#include "base/alloc.h"

uint32_t lanes_take(struct lanes *l, uint64_t begin, uint64_t end)
{
	uint32_t i = 0;

	while (i < l->n && l->free_at[i] > begin)
		i++;
	if (i == l->n)
		l->free_at = xgrow(l->free_at, l->n++, sizeof *l->free_at);
	l->free_at[i] = end;
	return i;
}

void lanes_free(struct lanes *l)
{
	free(l->free_at);
	*l = (struct lanes){0};
}
