/* 515: the bandwidth of a stream of reads is what the scarcest resource on its way gives, as docs/explanation/memory.md
 * ("How fast a stream of reads can be") states it: MSHR entries times a line in the time that an entry is held
 * (Little's law), the reply network, or the pins. The formulas are written from that page and the machine's keys; they
 * share nothing with the model. Measured between two ticks of a steady stream, so that neither its beginning nor its
 * end counts. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/any_machine.h"
#include "support/at_tick.h"
#include "support/dram_rig.h"
#include "support/mem_rig.h"
#include "support/program.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { LINE = 128, UNLIMITED = 1 << 20 };

struct bounds { /* bytes a tick */
	double pins, l2_entries, l1_entries, network;
};

/* window: reads that an SM has under way at most. */
static struct bounds bounds_of(const struct machine *m, uint32_t window)
{
	const double core = m->clock.period[CLOCK_CORE], net = m->clock.period[CLOCK_NET], l2 = m->clock.period[CLOCK_L2],
		     dram = m->clock.period[CLOCK_DRAM], slices = m->dram.channels * (double)m->l2.slices;
	uint32_t bursts = LINE / m->dram.burst_bytes,
		 flits = (m->net.header_bytes + LINE + m->net.flit_bytes - 1) / m->net.flit_bytes;
	double open_row = (bursts - 1) * m->dram.ccdl + m->dram.cl + m->dram.burst;
	double held = m->dram.latency * core + open_row * dram + l2;
	double round = (m->net.hop + 1) * net + m->l2.latency * l2 + held - l2 + (m->net.hop + flits) * net;

	return (struct bounds){
		.pins = m->dram.channels * (double)m->dram.burst_bytes / (m->dram.burst * dram),
		.l2_entries = slices * m->l2.c.mshr_entries * LINE / held,
		.l1_entries = m->sm.count * (double)window * LINE / round,
		.network = (slices < m->sm.count ? slices : m->sm.count) * LINE / (flits * net),
	};
}

/* Every SM reads the next line of all whenever it may; bytes a tick that come back. */
static double stream(struct mem_rig *r, uint32_t window)
{
	const uint64_t core = r->m.clock.period[CLOCK_CORE], from = 3000 * core, to = 13000 * core;
	uint32_t out[MEM_RIG_SMS] = {0}, token = 0;
	uint64_t lines = 0;

	for (uint64_t t = 0; t < to; t += core)
		for (uint32_t i = 0; i < r->m.sm.count; i++) {
			struct mem_req q;

			for (; mem_rig_reply(r, t, i, &q); out[i]--)
				lines += t >= from;
			if (out[i] == window || !mem_rig_can_send(r, t, i))
				continue;
			mem_rig_send(r, t, i, REQ_READ, (UINT64_C(1) << 30) + (uint64_t)token * LINE, LINE, token);
			token++;
			out[i]++;
		}
	return (double)lines * LINE / (double)(to - from);
}

static double measure(const char *machine, const char *const *set, uint32_t window, struct bounds *b)
{
	struct mem_rig *r = mem_rig_of(machine, set);
	double x = stream(r, window);

	*b = bounds_of(&r->m, window);
	cr_assert_leq(x, b->pins * 1.001, "%s: faster than the pins", machine);
	cr_assert_leq(x, b->l2_entries * 1.001, "%s: faster than the L2's entries", machine);
	cr_assert_leq(x, b->l1_entries * 1.001, "%s: faster than the SMs' entries", machine);
	cr_assert_leq(x, b->network * 1.001, "%s: faster than the network", machine);
	mem_rig_free(r);
	return x;
}

static const char *const machines[] = {"gtx480", "titanx", "titanv"};

/* Left of the knee: up to half of the entries with which the pins would be busy. What is missing is the rounding of
 * times to edges of clocks, an open row now and then, and the odd wait. */
Test(stream, few_l2_entries_give_their_lines_in_the_time_that_each_is_held)
{
	for (unsigned k = 0; k < 3; k++)
		for (unsigned e = 1; e <= 16; e++) {
			char entries[32];
			struct bounds b;
			double x;

			snprintf(entries, sizeof entries, "l2.mshr_entries=%u", e);
			x = measure(machines[k], SET(entries), UNLIMITED, &b);
			if (b.l2_entries > b.pins / 2)
				break;
			cr_assert_geq(x, 0.93 * b.l2_entries, "%s, %u entries: %.3f of the bound", machines[k], e,
				      x / b.l2_entries);
		}
}

/* Right of it: twice these entries, and a map that walks round the bank groups, so that tCCDL does not count. */
Test(stream, many_l2_entries_give_what_the_pins_give)
{
	for (unsigned k = 0; k < 3; k += 2) { /* titanx: below */
		struct bounds b;
		double x = measure(machines[k], SET("l2.mshr_entries=128", "dram.group_bits=low"), UNLIMITED, &b);

		cr_assert_geq(b.l2_entries, 2 * b.pins);
		cr_assert_geq(x, 0.97 * b.pins, "%s: %.3f of the pins", machines[k], x / b.pins);
	}
}

/* Near the knee both hold it back: more entries help, but less and less. gtx480's is at 37.6 entries: 32 of them allow
 * 85 % of the pins, and get most of it. */
Test(stream, near_the_knee_is_between_the_two)
{
	struct bounds b;
	double last = 0, x;

	for (unsigned e = 8; e <= 128; e *= 2) {
		char entries[32];

		snprintf(entries, sizeof entries, "l2.mshr_entries=%u", e);
		x = measure("gtx480", SET(entries), UNLIMITED, &b);
		cr_assert_gt(x, last);
		last = x;
	}
	x = measure("gtx480", NULL, UNLIMITED, &b);
	cr_assert_float_eq(b.l2_entries / b.pins, 32 / 37.6, 0.002);
	cr_assert_geq(x, 0.75 * b.l2_entries);
}

/* The SMs' entries likewise: few of them, many in the L2. */
Test(stream, few_l1_entries_give_their_lines_in_the_time_of_a_way_there_and_back)
{
	for (unsigned k = 0; k < 3; k++)
		for (uint32_t window = 1; window <= 16; window *= 2) {
			struct bounds b;
			double x = measure(machines[k], SET("l2.mshr_entries=256"), window, &b);

			if (b.l1_entries > b.pins / 2)
				break;
			cr_assert_geq(x, 0.93 * b.l1_entries, "%s, %u a SM: %.3f of the bound", machines[k], window,
				      x / b.l1_entries);
		}
}

/* titanx: 24 slices with 128 bytes in 5 flits of 1 GHz could send 128 % of what the pins read, but queues that serve in
 * order let the first packet hold up others: of as many inputs as outputs about 2 - sqrt(2) = 0.586 go on (Karol,
 * Hluchyj, Morgan, "Input versus output queueing on a space-division packet switch", 1987, Table I). The same packets
 * in one flit of 136 bytes are no bound, and the pins are. */
Test(stream, a_crossbar_with_queues_in_order_gives_three_fifths_of_its_ports)
{
	struct bounds b;
	double x = measure("titanx", SET("l2.mshr_entries=128", "dram.group_bits=low"), UNLIMITED, &b);

	cr_assert_float_eq(b.network / b.pins, 24 * 128 / 5.0 / 480, 1e-6);
	cr_assert_float_eq(x / b.network, 0.586, 0.06, "%.3f of the ports", x / b.network);
	x = measure("titanx", SET("l2.mshr_entries=128", "dram.group_bits=low", "net.flit_bytes=136"), UNLIMITED, &b);
	cr_assert_geq(x, 0.97 * b.pins, "%.3f of the pins", x / b.pins);
}

/* ---- the same by a kernel, on the whole machine ---- */

static double number(json_t *stats, const char *name)
{
	return json_number_value(json_object_get(stats, name));
}

/* Mean share of the L2's entries in use: reads x the time that each is held, of entries x cycles (Little's law).
 * scalarprod reads two streams and writes a number a pair. One L2 cycle is one of the core. */
static double in_use(unsigned entries)
{
	struct program p = program_run("locus run scalarprod --set l2.mshr_entries=%u --json %s/s.json", entries, program_tmp());
	char path[256];
	json_t *j, *s;
	double held, share;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/s.json", program_tmp());
	cr_assert_not_null(j = json_load_file(path, 0, NULL));
	s = json_object_get(j, "stats");
	held = number(s, "load.latency.dram") + number(s, "load.latency.dram_queue") + 1;
	share = number(s, "dram.reads") * held / (6.0 * entries * number(s, "cycles"));
	json_decref(j);
	return share;
}

Test(stream, a_kernel_that_streams_keeps_few_entries_full_and_many_not)
{
	double few = in_use(8), some = in_use(32), many = in_use(128);

	cr_assert(few >= 0.96 && few <= 1, "8 entries: %.3f in use", few);
	cr_assert(some >= 0.8 && some <= 0.95, "32 entries: %.3f in use", some);
	cr_assert(many <= 0.5, "128 entries: %.3f in use", many);
}

/* ---- one channel of each machine, refresh included: "How fast a DRAM channel can be" of docs/explanation/memory.md
 * ---- */

/* The k-th bit, from the lowest, of the address bits that name a line's bank group. */
static uint32_t group_bit(const struct machine *m, uint32_t k)
{
	const char *map = m->dram.map;
	uint32_t skip = m->dram.group_bits == BANK_GROUP_HIGH ? m->dram.banks / m->dram.groups : 1, at = 0;

	for (;; at++)
		if (map[strlen(map) - 1 - at] == 'B') {
			if (skip == 1 && k-- == 0)
				return at;
			skip = skip > 1 ? skip / 2 : 1;
		}
}

/* DRAM cycles between two column accesses of a stream of consecutive lines, on the mean. */
static double column_every(const struct machine *m)
{
	double pins = m->dram.ccd > m->dram.burst ? m->dram.ccd : m->dram.burst, bursts = (double)LINE / m->dram.burst_bytes;

	for (uint32_t k = 0, among = 1; among < m->dram.groups; k++, among *= 2) {
		double slow = m->dram.ccdl / (double)among, fast = slow / 2 > pins ? slow / 2 : pins, open, both;
		double stretch = (double)(UINT64_C(1) << group_bit(m, k)) / LINE;

		if (slow <= pins)
			return pins;
		open = (m->dram.rp + m->dram.rcd) / (bursts * slow);
		both = 2 * (m->dram.queue - open);
		if (both < stretch)
			return (both * fast + (stretch - both) * slow) / stretch;
	}
	return m->dram.ccdl > m->dram.groups * pins ? m->dram.ccdl / (double)m->dram.groups : pins;
}

/* Share of the time in which a channel is not in refresh of all its banks, from its due time to the first access. */
static double not_refreshed(const struct machine *m)
{
	double lost = m->dram.rtp + m->dram.rp + m->dram.rfc + m->dram.rcd;

	return m->dram.refresh && m->dram.refresh_banks == DRAM_REFRESH_ALL ? 1 - lost / m->dram.refi : 1;
}

/* Share of the time that is left of turns between as many reads and writes. */
static double not_turning(const struct machine *m)
{
	double column = column_every(m),
	       turn = (double)LINE / m->dram.burst_bytes * (m->dram.write_high - m->dram.write_low) * column;
	double to_write = m->dram.cl + m->dram.burst + 2.0 - m->dram.wl, to_read = m->dram.wl + m->dram.burst + m->dram.cdlr;

	return 2 * turn / (2 * turn + to_write + to_read - 2 * column);
}

/* Consecutive lines, all waiting, read; or read and written in turn, the written ones in other banks. Share of the pins
 * in use once the channel is full. */
static double channel_stream(const char *machine, bool copy)
{
	enum { LINES = 40000, STEADY = 8000, STEP = 16 };
	struct rig *r = rig_of_machine(machine, NULL);
	const uint64_t far = (UINT64_C(1) << 26) + (UINT64_C(1) << (strlen(r->m.dram.map) - 1));
	uint64_t t = 0, from = 0, before = 0;
	double busy;
	uint32_t token;
	struct ticks when;

	r->d.watch = NULL;
	for (uint32_t sent = 0; sent < LINES; t += STEP) {
		struct ticks now = ticks_of(t, r->m.clock.period[CLOCK_DRAM]);

		for (; sent < LINES && queue_has_space(&r->in, now, &when); sent++) {
			bool write = copy && sent % 2;
			struct dram_req *q = queue_push(&r->in, now);

			*q = (struct dram_req){.local = (copy ? sent / 2 : sent) * (uint64_t)LINE + (write ? far : 0),
					       .bursts = (uint8_t)((1u << LINE / r->m.dram.burst_bytes) - 1),
					       .write = write,
					       .whole = write};
			if (sent == STEADY) {
				from = t;
				before = r->d.stats.busy;
			}
		}
		rig_run(r, t + STEP);
		while (rig_reply(r, t + STEP, &token))
			;
	}
	busy = (double)(r->d.stats.busy - before) / (double)(t - from);
	rig_free(r);
	return busy;
}

enum column { READS_BOUND = 1, READS, COPIES_BOUND, COPIES };

/* The machine's value in a column of the page's table. An empty cell is 0. */
static double page_says(const char *name, enum column column)
{
	char *page = program_text("docs/explanation/memory.md"), *line = strstr(page, "## How fast a DRAM channel can be"), *rest,
	     *cell_rest;
	double value = -1;

	cr_assert_not_null(line);
	for (line = strtok_r(line, "\n", &rest); line && (line[0] != '#' || line[3] == 'H'); line = strtok_r(NULL, "\n", &rest)) {
		char *cell[5] = {NULL}, *of;
		unsigned n = 0;

		if (line[0] != '|')
			continue;
		for (char *at = line + 1; n < 5 && at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
			cell[n++] = at;
		cr_assert_eq(n, 5);
		cell[1][-1] = '\0';
		for (of = strtok_r(cell[0], ", ", &cell_rest); of; of = strtok_r(NULL, ", ", &cell_rest))
			if (!strcmp(of, name)) {
				cr_expect_eq(value, -1, "%s is there twice", name);
				value = strtod(cell[column], NULL);
			}
	}
	free(page);
	cr_assert_neq(value, -1, "docs/explanation/memory.md lists no channel of %s", name);
	return value;
}

static void page_agrees(const char *name, enum column column, double share)
{
	double says = page_says(name, column);

	cr_expect_float_eq(says, 100 * share, 0.0501, "%s, column %d: docs/explanation/memory.md says %g, it is %.3f", name,
			   (int)column, says, 100 * share);
}

static void reads_at_its_bound(const char *name, unsigned number)
{
	struct machine m = any_machine_with(name, NULL);
	double bound = m.dram.burst / column_every(&m) * not_refreshed(&m), got = channel_stream(name, false);

	(void)number;
	cr_expect_float_eq(got / bound, 1, 0.03, "%s: %.3f of the pins instead of %.3f", name, got, bound);
	page_agrees(name, READS_BOUND, bound);
	page_agrees(name, READS, got);
}

Test(stream, a_channel_of_each_machine_reads_as_fast_as_its_timings_allow)
{
	any_machine_each(reads_at_its_bound);
}

/* Drains begin a little above and end a little below their marks, so turns are longer than the least. */
static void copies_near_its_bound(const char *name, unsigned number)
{
	struct machine m = any_machine_with(name, NULL);
	double bound = m.dram.burst / column_every(&m) * not_refreshed(&m) * not_turning(&m), got = channel_stream(name, true);

	(void)number;
	page_agrees(name, COPIES, got);
	page_agrees(name, COPIES_BOUND, m.dram.group_bits == BANK_GROUP_LOW ? bound : 0);
	if (m.dram.ccdl / 2 <= (m.dram.ccd > m.dram.burst ? m.dram.ccd : m.dram.burst) && m.dram.group_bits == BANK_GROUP_LOW)
		cr_expect_float_eq(got / bound, 1, 0.07, "%s: %.3f of the pins instead of %.3f", name, got, bound);
}

Test(stream, a_channel_that_copies_loses_its_turns)
{
	any_machine_each(copies_near_its_bound);
}

/* ---- HBM3 ---- */

/* A GH200 copies 2.98 TB/s of 4.0 and has 3.31 in a triad (74 to 83 %), of a stream of two arrays of doubles (RRZE,
 * gpu-stream: 3.17). */
Test(stream, gh200_copies_as_fast_as_was_measured)
{
	double cycles[2], bytes[2], share;
	struct machine m = any_machine_with("gh200", NULL);

	for (unsigned i = 0; i < 2; i++) {
		json_t *s = program_stats("locus run stream --arg kernel=scale --machine gh200 --arg n=%uM", 4 << i);

		cycles[i] = number(s, "cycles");
		bytes[i] = number(s, "dram.bytes");
		json_decref(s);
	}
	share = (bytes[1] - bytes[0]) / (cycles[1] - cycles[0]) * m.clock.mhz[CLOCK_CORE] /
		((double)m.dram.channels * m.dram.burst_bytes / m.dram.burst * m.clock.mhz[CLOCK_DRAM]);
	cr_assert(share > 0.92 * 0.74 && share < 1.08 * 0.83, "%.3f of the pins", share);
}
