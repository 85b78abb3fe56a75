#include <string.h>

#include "ptx/rows/rows.h"

const struct alu_def *alu_find(const char *key)
{
	static const struct alu_def *const lists[] = {alu_int, alu_bits, alu_float, alu_compare, alu_convert};

	for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++)
		for (const struct alu_def *d = lists[i]; d->key; d++)
			if (!strcmp(d->key, key))
				return d;
	return NULL;
}
