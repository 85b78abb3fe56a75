#include "hw/twins/blocks.h"

#include <string.h>

#include "hw/tafe/tafe.h"
#include "hw/twins/addr_decoder.h"
#include "hw/twins/addr_decoder_pipe.h"
#include "hw/twins/bypass_monitor.h"
#include "hw/twins/locality_table.h"
#include "hw/twins/paver.h"
#include "hw/twins/pin_replacement.h"
#include "hw/twins/prefetch_unit.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "hw/twins/throttle.h"
#include "hw/twins/throttle_coordinator.h"

const struct hw_block *const hw_blocks[] = {
	&pric_block,
	&set_monitor_block,
	&addr_decoder_block,
	&addr_decoder_pipe_block,
	&tafe_block,
	&paver_block,
	&pin_replacement_block,
	&locality_table_block,
	&prefetch_unit_block,
	&bypass_monitor_block,
	&throttle_block,
	&throttle_coordinator_block,
	NULL,
};

const struct hw_block *hw_block_named(const char *name)
{
	for (const struct hw_block *const *b = hw_blocks; *b; b++)
		if (!strcmp((*b)->name, name))
			return *b;
	return NULL;
}
