#include "perfetto/rows.h"

#include <stdlib.h>

#include "base/alloc.h"

uint64_t rows_track(struct rows *rows, struct packets *p, uint64_t begin, uint64_t end)
{
	uint32_t had = rows->lanes.n, lane = lanes_take(&rows->lanes, begin, end);

	if (lane == had) {
		rows->track = xgrow(rows->track, had, sizeof *rows->track);
		rows->track[had] = packets_track(p, rows->of, rows->name);
	}
	return rows->track[lane];
}

void rows_free(struct rows *rows)
{
	lanes_free(&rows->lanes);
	free(rows->track);
}
