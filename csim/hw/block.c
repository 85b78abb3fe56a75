#include "hw/block.h"

#include <string.h>

#include "base/panic.h"

void hw_params_default(const struct hw_block *b, void *params)
{
	memset(params, 0, b->params_size);
	for (unsigned i = 0; i < b->n_params; i++)
		hw_put(params, b->params[i].offset, b->params[i].size, b->params[i].def);
}

uint64_t hw_get(const void *base, size_t offset, size_t size)
{
	const unsigned char *at = (const unsigned char *)base + offset;
	uint64_t value = 0;

	PANIC_UNLESS(size == 1 || size == 2 || size == 4 || size == 8, "hw", 0);
	memcpy(&value, at, size); /* little endian */
	return value;
}

void hw_put(void *base, size_t offset, size_t size, uint64_t value)
{
	unsigned char *at = (unsigned char *)base + offset;

	PANIC_UNLESS(size == 1 || size == 2 || size == 4 || size == 8, "hw", 0);
	memcpy(at, &value, size);
}
