#include "machine/unread.h"

#include <stdio.h>
#include <string.h>

#include "machine/schema.h"

/* keys: one, or with a dot at the end all that begin so. They are read where `gate` has one of the values `on`, which
 * have | between them, or with ! ahead any other value. */
static const struct rule {
	const char *keys, *gate, *on;
	const char *rest; /* a value of the key that leaves its own unit out; NULL: none does */
} rules[] = {
	{"l1.index", "l1.enabled", "true", "linear"},
	{"l1.replacement", "l1.enabled", "true", "lru"},
	{"l2.replacement", "l2.enabled", "true", "lru"},
	{"l1.seed", "l1.replacement", "random", NULL},
	{"l2.seed", "l2.replacement", "random", NULL},
	{"l1.monitor", "l1.enabled", "true", "false"},
	{"l1.bypass.policy", "l1.enabled", "true", "none"},
	{"l2.index", "l2.enabled", "true", "linear"},
	{"l2.bypass.policy", "l2.enabled", "true", "none"},
	{"l1.poly", "l1.index", "pric", NULL},
	{"l1.addr_bits", "l1.index", "pric", NULL},
	{"l2.poly", "l2.index", "pric", NULL},
	{"l2.addr_bits", "l2.index", "pric", NULL},
	{"l2.coalescer_merges", "l2.coalescer", "!0", NULL},
	{"l2.far_latency", "l2.halves", "2", NULL},
	/* The plan ldesc reads l1.pin.timer, l1.prefetch.mshrs and l1.prefetch.queue without these policies. */
	{"l1.bypass.", "l1.bypass.policy", "!none", NULL},
	{"l2.bypass.", "l2.bypass.policy", "!none", NULL},
	{"l1.front.", "l1.front.policy", "!none", NULL},
	{"l1.front.bypass", "l1.allocate", "miss", NULL},
	{"l1.packet_sectors", "l1.sectors", "!1", "1"},
	{"l1.bank_bytes", "l1.banks", "!1", "0"},
	{"l1.pin.hard", "l1.replacement", "pin", NULL},
	{"l1.pin.soft", "l1.replacement", "pin", NULL},
	{"throttle.warps", "throttle.policy", "swt|pcal", NULL},
	{"throttle.kernels", "throttle.policy", "swt|pcal", NULL},
	{"throttle.ctas", "throttle.policy", "cta", NULL},
	{"throttle.tokens", "throttle.policy", "pcal", NULL},
	{"throttle.base", "throttle.policy", "ccws", NULL},
	{"throttle.k", "throttle.policy", "ccws", NULL},
	{"throttle.victims", "throttle.policy", "ccws", NULL},
	{"throttle.ways", "throttle.policy", "ccws", NULL},
	{"throttle.period", "throttle.policy", "dwt-cs", NULL},
	{"throttle.n", "throttle.policy", "dwt-cs", NULL},
	{"throttle.m", "throttle.policy", "dwt-cs", NULL},
	{"throttle.threshold", "throttle.policy", "dwt-cs", NULL},
	{"throttle.unit", "throttle.policy", "dwt-cs", NULL},
	{"throttle.over", "throttle.policy", "dwt-cs", NULL},
	{"throttle.latency", "throttle.policy", "dwt-cs", NULL},
	{"throttle.entries", "throttle.policy", "dwt-cs", NULL},
	{"throttle.watchdog", "throttle.policy", "dwt-cs", NULL},
	{"subcore.", "subcore.queue", "!0", NULL},
	{"operands.", "operands.banks", "!0", NULL},
	{"operands.tensor", "pipe.tensor", "!0", NULL},
	{"pipe.tensor_rate", "pipe.tensor", "!0", NULL},
	{"latency.tensor", "pipe.tensor", "!0", NULL},
	{"fetch.", "fetch.width", "!0", NULL},
	{"icache.", "fetch.width", "!0", NULL},
	{"l0.", "fetch.width", "!0", NULL},
	{"l0.", "l0.bytes", "!0", NULL},
	{"gcc.", "fetch.width", "!0", NULL},
	{"gcc.", "gcc.bytes", "!0", NULL},
	{"dram.refi", "dram.refresh", "true", NULL},
	{"dram.rfc", "dram.refresh", "true", NULL},
	{"dram.rfc", "dram.refresh_banks", "all", NULL},
	{"dram.rfcsb", "dram.refresh", "true", NULL},
	{"dram.rfcsb", "dram.refresh_banks", "single", NULL},
	{"dram.rrefd", "dram.refresh", "true", NULL},
	{"dram.rrefd", "dram.refresh_banks", "single", NULL},
	{"vm.tlb", "vm.enabled", "true", "false"},
	{"vm.placement", "vm.enabled", "true", "interleave"},
	{"vm.l1_tlb.", "vm.enabled", "true", NULL},
	{"vm.l1_tlb.", "vm.tlb", "true", NULL},
	{"vm.l2_tlb.", "vm.enabled", "true", NULL},
	{"vm.l2_tlb.", "vm.tlb", "true", NULL},
	{"vm.walks", "vm.enabled", "true", NULL},
	{"vm.walks", "vm.tlb", "true", NULL},
	{"vm.walk_cache", "vm.enabled", "true", NULL},
	{"vm.walk_cache", "vm.tlb", "true", NULL},
	{"vm.fault_latency", "vm.enabled", "true", NULL},
	{"vm.fault_latency", "vm.tlb", "true", NULL},
	{"vm.stack_mib", "vm.enabled", "true", NULL},
	{"vm.migrate_lines", "vm.migrate", "!off", NULL},
	{"cpu.", "cpu.count", "!0", NULL},
	{"clock.cpu", "cpu.count", "!0", NULL},
	{"store_tracker.", "cpu.count", "!0", NULL},
	{"link.gbps", "module.count", "!1", NULL},
	{"link.latency", "module.count", "!1", NULL},
	{"link.fanout", "module.count", "!1", NULL},
	{"link.cpu_latency", "link.cpu", "!0", NULL},
};

static bool is_of(const struct rule *r, const char *key)
{
	size_t n = strlen(r->keys);

	return r->keys[n - 1] == '.' ? !strncmp(key, r->keys, n) && strcmp(key, r->gate) != 0 : !strcmp(key, r->keys);
}

static bool is_on(const char *on, const char *value)
{
	if (on[0] == '!')
		return strcmp(value, on + 1) != 0;
	for (size_t n; *on; on += n + (on[n] == '|')) {
		n = strcspn(on, "|");
		if (strlen(value) == n && !strncmp(value, on, n))
			return true;
	}
	return false;
}

/* keys: separated by spaces; one with a dot at the end stands for all that begin so. */
static bool is_among(const char *keys, const char *key)
{
	for (size_t n; *keys; keys += n + (keys[n] == ' ')) {
		n = strcspn(keys, " ");
		if (!strncmp(keys, key, n) && (keys[n - 1] == '.' || key[n] == '\0'))
			return true;
	}
	return false;
}

/* Of a use: the keys that it does not read (NULL: all), but for these. */
static const struct use {
	enum machine_use use;
	const char *unread, *but;
	const char *why;
	const char *gate, *off; /* only where that key has that value (is_on); NULL: in any case */
} uses[] = {
	/* sm.count sets the size of the network; sm.schedule, the order in which kernels are executed. */
	{MACHINE_WITHOUT_SMS,
	 "sm. subcore. launch. throttle. pipe. operands. latency. shared. l1. caches.operators fetch. icache. l0. gcc. const. "
	 "group_dispatch.",
	 "sm.count sm.schedule", "no kernel runs on an SM (--on cpu)", NULL, NULL},
	{MACHINE_WITHOUT_CUDA, "pcie. device.", "", "only CUDA programs read it (locus cuda)", NULL, NULL},
	{MACHINE_WITHOUT_GROUPS, "group_dispatch.", "", "the plan makes no groups of CTAs (--plan paver-kway or paver-rb does)",
	 NULL, NULL},
	{MACHINE_WITHOUT_CPU, "cpu. clock.cpu store_tracker.", "", "nothing runs on the CPU's cores (--on cpu, --tracker)", NULL,
	 NULL},
	{MACHINE_WITHOUT_PINS, "l1.pin.timer", "", "l1.replacement is not pin, and no plan pins lines", "l1.replacement", "!pin"},
	{MACHINE_WITHOUT_PREFETCHES, "l1.prefetch.mshrs l1.prefetch.queue", "",
	 "l1.prefetch.policy is none, and no plan prefetches", "l1.prefetch.policy", "none"},
	{MACHINE_PLACED, NULL,
	 "name module.count sm.count sm.warps sm.ctas sm.threads sm.registers sm.register_unit sm.shared_bytes sm.shared_reserve "
	 "sm.unified_bytes sm.carveouts sm.schedule l1.bytes l2.enabled l2.bytes l2.line l2.slices dram.stacks dram.channels "
	 "map.fgp_lsb vm.enabled vm.page link.topology link.fanout link.list link.cpu",
	 "nothing is simulated", NULL, NULL},
	{MACHINE_EXECUTED, NULL,
	 "name clock.core clock.dram module.count sm.count sm.warps sm.ctas sm.threads sm.registers sm.shared_bytes sm.schedule "
	 "l1.enabled l2.enabled l2.bytes l2.slices dram.stacks dram.channels dram.burst_bytes dram.burst vm.enabled vm.page "
	 "device. "
	 "pcie.",
	 "nothing is simulated", NULL, NULL},
	{MACHINE_DECODER, NULL,
	 "name module.count dram.stacks dram.channels dram.interleave dram.banks dram.burst_bytes dram.map map. vm.page",
	 "only addresses are decoded", NULL, NULL},
	{MACHINE_CHANNEL, NULL, "name clock.dram dram. map.hash_bank l2.line", "a single memory channel is simulated", NULL, NULL},
	{MACHINE_CHANNEL, "dram.stacks dram.channels dram.interleave dram.latency", "", "a single memory channel is simulated",
	 NULL, NULL},
};

static bool has_value(const struct machine *m, const char *key, const char *value)
{
	char text[SCHEMA_TEXT_MAX];

	return !strcmp(schema_text(m, schema_find(key), text), value);
}

bool machine_unread_by(const struct machine *m, unsigned of, const char *key, char why[UNREAD_MAX])
{
	char text[SCHEMA_TEXT_MAX];

	for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
		const struct use *u = &uses[i];

		if (!(u->use & of) || (u->unread && !is_among(u->unread, key)) || is_among(u->but, key) ||
		    (u->gate && !is_on(u->off, schema_text(m, schema_find(u->gate), text))))
			continue;
		snprintf(why, UNREAD_MAX, "%s", u->why);
		return true;
	}
	return false;
}

bool machine_unread(const struct machine *m, const char *key, char why[UNREAD_MAX])
{
	char text[SCHEMA_TEXT_MAX];

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const struct rule *r = &rules[i];

		if (!is_of(r, key) || is_on(r->on, schema_text(m, schema_find(r->gate), text)) ||
		    (r->rest && has_value(m, key, r->rest)))
			continue;
		snprintf(why, UNREAD_MAX, "%s is %.100s", r->gate, text);
		return true;
	}
	return false;
}
