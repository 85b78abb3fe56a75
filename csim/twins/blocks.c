#include "twins/blocks.h"

#include <string.h>

#include "tafe_twin/tafe.h"
#include "twins/addr_decoder.h"
#include "twins/addr_decoder_pipe.h"
#include "twins/locality_table.h"
#include "twins/paver.h"
#include "twins/pin_replacement.h"
#include "twins/pric.h"
#include "twins/set_monitor.h"

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
