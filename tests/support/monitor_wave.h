/* A wave of the set monitor (32 sets, counters of 16 bits) with known accesses: to set 3 in each of the cycles 10 to 29
 * and 40 to 59, with tags 0 and 1 in turn; the block rests between. */
#ifndef TESTS_SUPPORT_MONITOR_WAVE_H
#define TESTS_SUPPORT_MONITOR_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "lockstep/unit.h"

struct monitor_wave {
	const char *wave, *rtl; /* rtl: NULL: the block's own */
	uint64_t from, to;	/* of the window */
	enum unit_mode mode;
	uint64_t later; /* added to all cycles */
	bool same_tag;	/* 1 in all of them */
};

/* What differs is in bundles program_tmp()/mm-set_monitor-CYCLE. */
void monitor_wave(const struct monitor_wave *m);

/* The changes of the texts of transactions in a wave, "#105 set 3 gets tag 0x0" a line; free() it. */
char *monitor_wave_texts(const char *wave);

#endif
