/* 355: the steps of the tracking phase for the example of the paper (tafe, Listing 1, Figures 5 and 8): every store
 * with its value, and between them the commands of the hardware, each of which finds the directory as the calls before
 * it leave it. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "support/machine.h"
#include "support/taf_made.h"
#include "taf/taf_track.h"
#include "tracking/initial_stores.h"

#define NODES	UINT64_C(0x10000000)
#define EDGES	UINT64_C(0x20000000)
#define COST	UINT64_C(0x30000000)
#define SCRATCH UINT64_C(0x40000000)

static const uint32_t nodes[] = {0, 2, 4, 6, 8}, edges[] = {2, 3, 0, 1, 5, 8, 4, 9};
enum { NODES_N = 5, EDGES_N = 8, EVENTS = 64 };

struct rig {
	struct arena arena;
	struct machine m;
	struct taf t;
	struct taf_memory memory, software;
	struct initial_stores h;
};

static void add(struct taf *t, uint64_t base, uint32_t n, enum taf_type type, bool primary, uint64_t from)
{
	taf_made_add(t, (struct taf_array){.type = type, .primary = primary, .m = {1, 0, 0, 2}}, base, n, 4, from, from);
}

/* Two CTAs of two threads. */
static void open_rig(struct rig *r, enum tracker tracker)
{
	static const char *const cpu[] = {"cpu.count=1", "link.cpu=80", NULL};
	struct tracking_phase_config c = {.machine = &r->m, .taf = &r->t, .tracker = tracker};

	memset(r, 0, sizeof *r);
	r->m = machine_with(cpu);
	r->t = taf_made((const uint32_t[3]){2, 1, 1}, (const uint32_t[3]){2, 1, 1}, (struct taf_options){0});
	add(&r->t, NODES, NODES_N, TAF_TID_DEP, true, 0);
	taf_made_ready(&r->t, NODES);
	add(&r->t, EDGES, EDGES_N, TAF_INDIR_RANGE, true, NODES);
	taf_stores_add(&r->t.stores, NODES, 4, NODES_N, nodes);
	taf_made_ready(&r->t, EDGES);
	add(&r->t, COST, 10, TAF_INDIR, false, EDGES);
	taf_stores_add(&r->t.stores, EDGES, 4, EDGES_N, edges);
	taf_made_ready(&r->t, COST);
	taf_memory_init(&r->memory, &r->t);
	taf_track(&r->software, &r->t, NULL);
	initial_stores_plan(&r->h, &r->arena, &c, &r->memory, &r->software, SCRATCH);
}

static void close_rig(struct rig *r)
{
	taf_memory_free(&r->memory);
	taf_memory_free(&r->software);
	taf_free(&r->t);
	arena_free(&r->arena);
}

static bool written(struct rig *r, uint32_t entry)
{
	static const uint8_t none[TAF_LINE];

	return memcmp(taf_memory_at(&r->memory, taf_entry_address(entry), TAF_LINE), none, TAF_LINE) != 0;
}

struct event {
	bool command;
	enum tafe_op op;
	uint32_t entry;
	uint64_t addr, value;
};

/* Takes the command at once. False: the hardware has no part in it. */
static bool take(struct rig *r, uint32_t number, struct event *out)
{
	const struct tafe_in *in = initial_stores_command(&r->h, number);

	if (in)
		*out = (struct event){true, in->cmd_op, in->cmd_entry, in->cmd_base, 0};
	if (in && in->cmd_op == TAFE_REGISTER)
		cr_assert(written(r, in->cmd_entry), "the hardware reads the directory entry of array %u", in->cmd_entry);
	initial_stores_taken(&r->h, number);
	return in != NULL;
}

/* What concerns the program's stores and the hardware, in order. */
static unsigned events(struct rig *r, struct event *out)
{
	struct stream_step s;
	unsigned n = 0;

	while (r->h.steps.next(&r->h.steps, &s)) {
		cr_assert_lt(n, EVENTS);
		if (s.fence && s.command)
			n += take(r, s.command, &out[n]);
		else if (s.store && s.addr < SCRATCH)
			out[n++] = (struct event){.addr = s.addr, .value = s.value};
	}
	return n;
}

static void is_command(const struct event *e, enum tafe_op op, uint32_t entry)
{
	cr_assert(e->command && e->op == op && e->entry == entry, "op %d of entry %u", e->op, e->entry);
}

static void are_stores(const struct event *e, uint64_t base, const uint32_t *value, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		cr_assert(!e[i].command && e[i].addr == base + 4 * i && e[i].value == value[i], "element %u", i);
}

/* taf_register comes before the stores of its array, taf_setRdy of the array that depends on it behind them. */
Test(initial_stores, each_command_comes_where_its_call_does)
{
	struct event e[EVENTS + 1];
	struct rig r;

	open_rig(&r, TRACK_HW);
	cr_assert_eq(events(&r, e), 1 + 2 + NODES_N + 1 + EDGES_N + 1);
	is_command(&e[0], TAFE_SETUP, 0);
	is_command(&e[1], TAFE_REGISTER, 0);
	cr_assert_eq(e[1].addr, NODES);
	is_command(&e[2], TAFE_REGISTER, 1);
	cr_assert_eq(e[2].addr, EDGES);
	are_stores(&e[3], NODES, nodes, NODES_N);
	is_command(&e[3 + NODES_N], TAFE_READY, 0);
	are_stores(&e[4 + NODES_N], EDGES, edges, EDGES_N);
	is_command(&e[4 + NODES_N + EDGES_N], TAFE_READY, 1);
	cr_assert_eq(r.h.counts.stores, NODES_N + EDGES_N);
	cr_assert_eq(r.h.counts.commands, 5);
	close_rig(&r);
}

/* Software reads the arrays again: the steps are the program's stores, and no command is one of the hardware. */
Test(initial_stores, a_software_tracker_has_no_command_for_the_hardware)
{
	struct event e[EVENTS + 1];
	struct rig r;

	open_rig(&r, TRACK_SW_CPU);
	cr_assert_eq(events(&r, e), NODES_N + EDGES_N);
	are_stores(e, NODES, nodes, NODES_N);
	are_stores(e + NODES_N, EDGES, edges, EDGES_N);
	close_rig(&r);
}

Test(initial_stores, a_command_that_no_fence_carries_is_a_defect, .signal = SIGABRT)
{
	struct rig r;

	open_rig(&r, TRACK_HW);
	initial_stores_command(&r.h, 0);
}
