#include "hw/twins/addr_decoder.h"
#include "support/dram_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "noc/route.h"
#include "support/at_tick.h"

static void keep(void *context, const struct dram_command_event *e)
{
	struct rig *r = context;
	uint32_t banks = e->command == DRAM_REF_BANK ? r->m.dram.banks : 1;

	for (uint64_t i = 0; i <= e->again; i++) {
		cr_assert(r->commands < RIG_LOG);
		r->log[r->commands] = *e;
		if (i)
			r->log[r->commands].bank = (uint8_t)((e->bank + i) % banks);
		r->log[r->commands++].cycle += i * (r->m.dram.refi / banks);
	}
}

/* HBM2 of 850 MHz (docs/explanation/memory.md). Four banks of each group side by side below the row, the group's bits
 * lowest. */
const char *const rig_hbm2[] = {"clock.dram=850",
				"dram.command_bus=dual",
				"dram.group_bits=low",
				"dram.burst_bytes=32",
				"dram.burst=1",
				"dram.row_bytes=1K",
				"dram.map=BBCCCBBCCSSSSS",
				"dram.cl=12",
				"dram.wl=2",
				"dram.rcd=12",
				"dram.rp=12",
				"dram.ras=28",
				"dram.rc=40",
				"dram.rrd=3",
				"dram.ccd=1",
				"dram.ccdl=2",
				"dram.rtp=3",
				"dram.cdlr=3",
				"dram.wr=10",
				"dram.faw=12",
				"dram.refi=3315",
				"dram.rfc=221",
				NULL};

static void set_all(struct machine *m, const char *const *set)
{
	struct err e = {""};

	for (; set && *set; set++)
		cr_assert_eq(machine_set(m, *set, &e), 0, "%s", e.text);
}

struct rig *rig_new(const char *const *set)
{
	return rig_of(RIG_GDDR5, set);
}

static struct rig *load(const char *machine)
{
	struct rig *r = xcalloc(1, sizeof *r);
	struct err e = {""};

	cr_assert_eq(machine_load(&r->m, machine, "csim/machines", &e), 0, "%s", e.text);
	return r;
}

/* A channel of r->m, whose keys are set. */
static struct rig *built(struct rig *r)
{
	struct hw_binder golden = hw_golden_binder(&r->arena);
	struct addr_decoder_port decoder;
	struct err e = {""};

	cr_assert_eq(machine_resolve(&r->m, &e), 0, "%s", e.text);
	r->log = xcalloc(RIG_LOG, sizeof *r->log);
	r->next = TIME_NEVER;
	queue_init(&r->in, &r->arena, RIG_QUEUE, at_tick(1));
	queue_init(&r->out, &r->arena, RIG_QUEUE, at_tick(1));
	r->in.ring.consumer.wake = &r->next;
	r->out.ring.producer.wake = &r->next;
	r->in_list[0] = &r->in;
	r->out_list[0] = &r->out;
	cr_assert_eq(route_bind_channel(&decoder, &r->m, &golden, "channel", &e), 0, "%s", e.text);
	dram_init(&r->d, &r->arena, &r->m, &decoder, 1, r->in_list, r->out_list);
	r->d.watch = keep;
	r->d.watch_context = r;
	return r;
}

struct rig *rig_of(enum rig_memory memory, const char *const *set)
{
	struct rig *r = load("gtx480");

	set_all(&r->m, (const char *const[]){"dram.refresh=false", NULL});
	set_all(&r->m, memory == RIG_HBM2 ? rig_hbm2 : NULL);
	set_all(&r->m, set);
	return built(r);
}

struct rig *rig_of_machine(const char *machine, const char *const *set)
{
	struct rig *r = load(machine);

	set_all(&r->m, set);
	return built(r);
}

void rig_free(struct rig *r)
{
	arena_free(&r->arena);
	free(r->log);
	free(r);
}

uint32_t rig_bank(const struct rig *r, uint32_t group, uint32_t n)
{
	return r->m.dram.group_bits == BANK_GROUP_HIGH ? group * (r->m.dram.banks / r->m.dram.groups) + n
						       : n * r->m.dram.groups + group;
}

/* The channel-local address of a place: dram.map read backwards. */
static uint64_t local_of(const struct rig *r, uint32_t bank, uint64_t row, uint32_t column)
{
	const char *map = r->m.dram.map;
	uint64_t local = row << strlen(map);

	for (size_t at = 0; at < strlen(map); at++) {
		char letter = map[strlen(map) - 1 - at];
		uint32_t *from = letter == 'B' ? &bank : &column;

		if (letter == 'S')
			continue;
		local |= (uint64_t)(*from & 1) << at;
		*from >>= 1;
	}
	return local;
}

struct dram_req *rig_push(struct rig *r, uint64_t cycle, bool write, uint32_t bank, uint64_t row, uint32_t column, uint8_t bursts,
			  uint32_t token)
{
	struct dram_req *q = queue_push(&r->in, ticks_of(cycle, r->m.clock.period[CLOCK_DRAM]));

	*q = (struct dram_req){
		.local = local_of(r, bank, row, column), .token = token, .bursts = bursts, .write = write, .whole = write};
	return q;
}

void rig_run(struct rig *r, uint64_t cycle)
{
	struct ticks until = ticks_of(cycle, r->m.clock.period[CLOCK_DRAM]);

	while (ticks_by(r->next, until)) {
		struct ticks now = r->next;

		r->next = TIME_NEVER;
		r->next = dram_step(&r->d, now);
		cr_assert(ticks_before(now, r->next), "asks for the same tick %lu again", (unsigned long)now.n);
	}
}

bool rig_reply(struct rig *r, uint64_t cycle, uint32_t *token)
{
	struct ticks now = ticks_of(cycle, r->m.clock.period[CLOCK_DRAM]);
	const struct dram_done *done;

	rig_run(r, cycle);
	done = queue_front(&r->out, now);
	if (!done)
		return false;
	*token = done->token;
	queue_pop(&r->out, now);
	return true;
}

void rig_expect_reply(struct rig *r, uint64_t cycle, uint32_t token)
{
	uint32_t got = UINT32_MAX;

	cr_assert_not(rig_reply(r, cycle - 1, &got), "reply %u is there before cycle %lu", got, (unsigned long)cycle);
	cr_assert(rig_reply(r, cycle, &got), "no reply at cycle %lu", (unsigned long)cycle);
	cr_assert_eq(got, token, "reply %u instead of %u at cycle %lu", got, token, (unsigned long)cycle);
}

uint64_t rig_command(const struct rig *r, enum dram_command command, int bank, uint32_t n)
{
	for (uint32_t i = 0; i < r->commands; i++)
		if (r->log[i].command == command && (bank < 0 || r->log[i].bank == bank) && !n--)
			return r->log[i].cycle;
	cr_assert_fail("command %d of bank %d is not in the log of %u", command, bank, r->commands);
	return 0;
}

uint32_t rig_commands(const struct rig *r, enum dram_command command, int bank)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->commands; i++)
		n += r->log[i].command == command && (bank < 0 || r->log[i].bank == bank);
	return n;
}
