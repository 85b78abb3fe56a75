/* What a program asks of the compiler behind modules: its logs. How well it is to compile is no matter here. */
#include <stdio.h>
#include <string.h>

#include "cuda/driver/driver.h"

struct jit jit_of(unsigned n, const CUjit_option *options, void **values)
{
	struct jit j = {NULL};

	for (unsigned i = 0; options && values && i < n; i++)
		switch (options[i]) {
		case CU_JIT_WALL_TIME:
			j.ms = &values[i];
			break;
		case CU_JIT_INFO_LOG_BUFFER:
			j.info = values[i];
			break;
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
			j.info_room = (unsigned)(uintptr_t)values[i];
			j.info_filled = &values[i];
			break;
		case CU_JIT_ERROR_LOG_BUFFER:
			j.error = values[i];
			break;
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
			j.error_room = (unsigned)(uintptr_t)values[i];
			j.error_filled = &values[i];
			break;
		default:
			break;
		}
	return j;
}

void jit_report(const struct jit *j, const char *error)
{
	const float none = 0;

	if (j->error && j->error_room)
		snprintf(j->error, j->error_room, "%s", error);
	if (j->error_filled)
		*j->error_filled = (void *)(j->error && j->error_room ? strlen(j->error) : 0);
	if (j->info && j->info_room)
		*j->info = '\0';
	if (j->info_filled)
		*j->info_filled = NULL;
	if (j->ms)
		memcpy(j->ms, &none, sizeof none);
}
