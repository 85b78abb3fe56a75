#include <string.h>

#include "base/panic.h"
#include "hw/addr_decoder.h"
#include "hw/addr_decoder_pipe.h"
#include "hw/block.h"
#include "hw/locality_table.h"
#include "hw/paver.h"
#include "hw/pin_replacement.h"
#include "hw/pric.h"
#include "hw/set_monitor.h"
#include "hw/tafe.h"

const struct hw_block *const hw_blocks[] = {
	&pric_block, &set_monitor_block, &addr_decoder_block,	 &addr_decoder_pipe_block,
	&tafe_block, &paver_block,	 &pin_replacement_block, &locality_table_block,
	NULL,
};

const struct hw_block *hw_block_named(const char *name)
{
	for (const struct hw_block *const *b = hw_blocks; *b; b++)
		if (!strcmp((*b)->name, name))
			return *b;
	return NULL;
}

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
