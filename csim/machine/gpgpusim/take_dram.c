/* DRAM: bursts, timings, which address bits are what, the write queue, the hash of channels. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "machine/gpgpusim/import_impl.h"

enum { SECTOR = 32 /* bytes */ };

static bool sectored_l2(const struct gpgpusim_import *i)
{
	const struct gpgpusim_option *o = import_option(i, "-gpgpu_cache:dl2");

	return o && *o->value == 'S';
}

/* A sectored L2 asks for a sector at a time: of a longer burst the rest is lost. */
int take_dram_burst(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	char *part[GPGPUSIM_MAX_FIELDS];
	uint64_t v[GPGPUSIM_MAX_FIELDS], length, bytes;
	unsigned n;

	if (import_split(i, o, r->keys, " ", part, &n, e) || import_number(o, o->value, &length, e))
		return -1;
	for (unsigned k = 0; k < n; k++) {
		const struct gpgpusim_option *other = import_option(i, part[k]);

		if (import_number(other, other->value, &v[k], e))
			return -1;
		if (v[k] == 0 || v[k] > 1024 || length == 0 || length > 1024)
			return import_wrong(other, e, "not from 1 to 1024, as %s must be too", o->name);
	}
	bytes = length * v[0] * v[1];
	if (sectored_l2(i) && bytes > SECTOR) {
		import_note(i, o, "a burst brings one sector of 32 bytes, the rest of it is lost, as there");
		bytes = SECTOR;
	}
	if (import_set_number(i, o, "dram.burst_bytes", bytes, e) ||
	    import_set_number(i, o, "dram.burst", (length + v[2] - 1) / v[2], e))
		return -1;
	import_also(i, "dram.burst_bytes", import_option(i, part[0]));
	import_also(i, "dram.burst_bytes", import_option(i, part[1]));
	import_also(i, "dram.burst", import_option(i, part[2]));
	return 0;
}

enum { NEEDED = 11, GROUPS = NEEDED, CCDL, RTPL, N_TIMINGS };
/* In the order of GPGPU-Sim's form without names; the last three may be left out. */
static const struct {
	const char *name, *key;
} timings[N_TIMINGS] = {{"nbk", "dram.banks"},
			{"CCD", "dram.ccd"},
			{"RRD", "dram.rrd"},
			{"RCD", "dram.rcd"},
			{"RAS", "dram.ras"},
			{"RP", "dram.rp"},
			{"RC", "dram.rc"},
			{"CL", "dram.cl"},
			{"WL", "dram.wl"},
			{"CDLR", "dram.cdlr"},
			{"WR", "dram.wr"},
			[GROUPS] = {"nbkgrp", "dram.groups"},
			[CCDL] = {"CCDL", "dram.ccdl"},
			[RTPL] = {"RTPL", "dram.rtp"}};

static int timing_of(const struct gpgpusim_option *o, const char *name, struct err *e)
{
	for (int t = 0; t < N_TIMINGS; t++)
		if (!strcmp(timings[t].name, name))
			return t;
	return import_wrong(o, e, "no timing \"%.40s\"", name);
}

/* Numbers, or names and numbers by turns; text[t] is NULL for what is not there. */
static int read_timings(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *text[N_TIMINGS], struct err *e)
{
	char *field[GPGPUSIM_MAX_FIELDS];
	unsigned n, named = isalpha((unsigned char)*o->value) != 0;
	int t;

	if (import_split(i, o, o->value, "=:; ", field, &n, e))
		return -1;
	if (n > (unsigned)N_TIMINGS << named || (named && n % 2))
		return import_wrong(o, e, "neither NAME=NUMBER:... nor up to %d numbers with : between", N_TIMINGS);
	for (unsigned k = 0; k < n; k += 1 + named) {
		t = named ? timing_of(o, field[k], e) : (int)k;
		if (t < 0)
			return -1;
		text[t] = field[k + named];
	}
	return 0;
}

int take_dram_timing(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	const char *text[N_TIMINGS] = {[GROUPS] = "1", [CCDL] = "0", [RTPL] = "0"};
	uint64_t v[N_TIMINGS];

	(void)r;
	for (int t = 0; t < NEEDED; t++)
		text[t] = NULL;
	if (read_timings(i, o, text, e))
		return -1;
	for (int t = 0; t < N_TIMINGS; t++) {
		if (!text[t])
			return import_wrong(o, e, "%s is missing", timings[t].name);
		if (import_number(o, text[t], &v[t], e))
			return -1;
	}
	/* Without bank groups their times are 0 there. A precharge may then follow a read at once, but no cycle has
	 * room for both. */
	v[CCDL] = v[CCDL] ? v[CCDL] : v[1];
	v[RTPL] = v[RTPL] ? v[RTPL] : 1;
	for (int t = 0; t < N_TIMINGS; t++)
		if (import_set_number(i, o, timings[t].key, v[t], e))
			return -1;
	return 0;
}

/* ---- the map ---- */

/* The letters below bit 64, from the top, without what separates them; NULL: other letters, or not 64. */
static const char *map_bits(const char *text, char bits[65])
{
	unsigned n = 0;

	for (; *text; text++) {
		if (strchr("|. ", *text))
			continue;
		if (n == 64 || !strchr("0BRCSbrcs", *text))
			return NULL;
		bits[n++] = (char)toupper((unsigned char)*text);
	}
	bits[n] = '\0';
	return n == 64 ? bits : NULL;
}

/* B, C and S below the row; a byte's bits are those of our burst, which may be a part of theirs. NULL: a row's bits are
 * among them. */
static char *below_row(char *bits, uint32_t burst_bytes)
{
	unsigned low = burst_bytes ? (unsigned)__builtin_ctz(burst_bytes) : 0;
	char *map = bits + strspn(bits, "0R");

	for (char *p = map; *p; p++) {
		if (*p != 'B' && *p != 'C' && *p != 'S')
			return NULL;
		if (*p != 'B')
			*p = strlen(p) > low ? 'C' : 'S';
	}
	return map;
}

static int set_map(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *map, struct err *e)
{
	unsigned in_row = 0;

	for (const char *p = map; *p; p++)
		in_row += *p != 'B';
	if (!*map || strlen(map) > 26)
		return import_wrong(o, e, "%u bits below the row, not from 1 to 26", (unsigned)strlen(map));
	return import_set(i, o, "dram.map", map, e) || import_set_number(i, o, "dram.row_bytes", UINT64_C(1) << in_row, e);
}

int take_dram_map(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	char bits[65], *field[GPGPUSIM_MAX_FIELDS];
	const char *map;
	uint64_t lowest;
	unsigned n;

	(void)r;
	if (strncmp(o->value, "dramid@", 7) != 0 || import_split(i, o, o->value + 7, ";", field, &n, e) || n != 2)
		return import_wrong(o, e, "not dramid@BIT;MAP: the channel's bits have no other place here");
	if (import_number(o, field[0], &lowest, e))
		return -1;
	if (lowest > 20)
		return import_wrong(o, e, "dramid@: a channel has at most 2^20 bytes at once here");
	if (!map_bits(field[1], bits))
		return import_wrong(o, e, "the map is not 64 of the letters 0, R, B, C, S");
	map = below_row(bits, i->m.dram.burst_bytes);
	if (!map)
		return import_wrong(o, e,
				    "bits of the row, or that mean nothing, below a bank's or a column's have no counterpart");
	return import_set_number(i, o, "dram.interleave", UINT64_C(1) << lowest, e) || set_map(i, o, map, e);
}

/* ---- queues and hashes ---- */

int take_dram_writes(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	char *field[GPGPUSIM_MAX_FIELDS];
	uint64_t v[3], most = i->m.dram.queue;
	unsigned n;

	if (!strcmp(import_option(i, r->keys)->value, "0")) {
		import_note(i, o, "means nothing without -dram_seperate_write_queue_enable 1");
		return 0;
	}
	if (import_split(i, o, o->value, ":", field, &n, e))
		return -1;
	if (n != 3)
		return import_wrong(o, e, "not SIZE:HIGH:LOW");
	for (unsigned k = 0; k < 3; k++)
		if (import_number(o, field[k], &v[k], e))
			return -1;
	if (v[0] != most)
		import_note(i, o, "the write queue is as long as the read queue here, and no drain starts above that");
	return import_set_number(i, o, "dram.write_high", v[1] < most ? v[1] : most, e) ||
	       import_set_number(i, o, "dram.write_low", v[2], e);
}

/* 0: none. 1: XOR with the bits above; 2: a polynomial. */
int take_partitions(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	bool hashed = !strcmp(o->value, "1") || !strcmp(o->value, "2");

	if (hashed)
		import_note(i, o, "a channel's number is XORed with all bits above it here");
	else if (strcmp(o->value, "0") != 0)
		import_note(i, o, "no such hash: channels take turns");
	return import_set(i, o, r->keys, hashed ? "true" : "false", e);
}
