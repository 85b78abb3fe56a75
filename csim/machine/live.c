#include "machine/live.h"

#include <stdio.h>
#include <string.h>

#include "machine/schema.h"

const char *const machine_live_keys[] = {"sm.scheduler",      "throttle.policy", /* not all: see run/gpu_change.c */
					 "throttle.warps",    "throttle.kernels",
					 "throttle.ctas",     "throttle.tokens",
					 "throttle.k",	      "throttle.threshold",
					 "latency.int",	      "latency.int_interval",
					 "latency.fp32",      "latency.fp32_interval",
					 "latency.fp64",      "latency.fp64_interval",
					 "latency.sfu",	      "latency.sfu_interval",
					 "latency.tensor",    "latency.branch",
					 "shared.latency",    "l1.latency",
					 "l1.bypass.rate",    "l1.prefetch.mshrs",
					 "l1.prefetch.queue", "const.latency",
					 "l2.bypass.rate",    "dram.sched",
					 "dram.first",	      "dram.cl",
					 "dram.rp",	      "dram.rc",
					 "dram.ras",	      "dram.rcd",
					 "dram.rrd",	      "dram.rrdl",
					 "dram.ccd",	      "dram.ccdl",
					 "dram.wl",	      "dram.cdlr",
					 "dram.wr",	      "dram.rtp",
					 "dram.faw",	      "dram.drain",
					 "dram.write_high",   "dram.write_low",
					 "dram.age_cap",      NULL};

bool machine_key_is_live(const char *name)
{
	for (const char *const *k = machine_live_keys; *k; k++)
		if (!strcmp(*k, name))
			return true;
	return false;
}

/* Bytes of the first "KEY=VALUE": it ends where a comma is followed by another key. */
static size_t first_length(const char *text)
{
	size_t n = strcspn(text, ",");

	while (text[n]) {
		size_t more = strcspn(text + n + 1, ",=");

		if (text[n + 1 + more] == '=')
			return n;
		n += 1 + more;
	}
	return n;
}

/* The origin is not noted: an error of the machine as a whole names no file. */
static int change_one(struct machine *m, const char *item, struct err *e)
{
	const char *eq = strchr(item, '=');
	const struct schema_key *k;
	char name[128];

	if (!eq || eq == item || (size_t)(eq - item) >= sizeof name)
		return err_set(e, "\"%s\" is not of the form key=value", item);
	snprintf(name, sizeof name, "%.*s", (int)(eq - item), item);
	k = schema_find(name);
	if (!k)
		return err_set(e, "unknown key \"%s\"", name);
	if (!machine_key_is_live(name))
		return err_set(e, "%s cannot change while a machine runs", name);
	if (schema_set(m, k, eq + 1, e) != 0)
		return err_prefix(e, "%s", name);
	m->origin.key[k - schema_keys].file = 0;
	return 0;
}

static int change_all(struct machine *m, const char *changes, struct err *e)
{
	char item[SCHEMA_TEXT_MAX];

	for (const char *at = changes;; at++) {
		size_t n = first_length(at);

		if (n >= sizeof item)
			return err_set(e, "a change of more than %d letters", SCHEMA_TEXT_MAX - 1);
		snprintf(item, sizeof item, "%.*s", (int)n, at);
		if (change_one(m, item, e) != 0)
			return -1;
		at += n;
		if (!*at)
			return 0;
	}
}

int machine_change(struct machine *m, const char *changes, struct err *e)
{
	return change_all(m, changes, e) == 0 ? machine_resolve(m, e) : -1;
}
