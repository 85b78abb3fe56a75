#include "tracking/initial_stores.h"

#include <string.h>

#include "base/panic.h"

enum { WORD = 8 };

/* ---- calls become actions ---- */

/* Actions that a call can make at most: its accesses, fences before and behind, and for each entry of its primary
 * arrays a command or a reading and a fence. */
enum { ACTIONS_A_CALL = 6 + 2 * TAF_ARRAYS };

static struct phase_action *add(struct initial_stores *h, enum phase_action_kind kind, uint64_t store)
{
	struct phase_action *a = &h->action[h->n_actions++];

	PANIC_UNLESS(h->n_actions <= h->cap_actions, "initial_stores", store);
	*a = (struct phase_action){.kind = kind, .store = store};
	return a;
}

static void touch(struct initial_stores *h, uint64_t store, uint64_t address, uint64_t bytes, bool write, uint16_t non_memory)
{
	struct phase_action *a = add(h, ACT_TOUCH, store);

	a->address = address;
	a->n = bytes / WORD;
	a->write = write;
	a->non_memory = non_memory;
}

static struct phase_action *fence(struct initial_stores *h, uint64_t store, enum phase_effect effect, const struct taf_call *call)
{
	struct phase_action *a = add(h, ACT_FENCE, store);

	a->effect = effect;
	a->call = call;
	return a;
}

static void command(struct initial_stores *h, uint64_t store, enum tafe_op op, uint32_t entry)
{
	struct phase_action *a = fence(h, store, EFFECT_NONE, NULL);
	const struct taf_array *x = &h->array[entry];

	a->command = true;
	a->entry = entry;
	a->array = *x;
	a->in = (struct tafe_in){.cmd_op = (uint8_t)op, .cmd_entry = op == TAFE_SETUP ? 0 : (uint32_t)h->slot[entry]};
	if (op == TAFE_SETUP) {
		a->in.cmd_ctas = h->taf->n_ctas;
		a->in.cmd_grid_x = h->taf->grid[0];
		a->in.cmd_grid_y = h->taf->grid[1];
		for (int d = 0; d < 3; d++)
			a->in.cmd_block[d] = (uint16_t)(h->taf->block[d] - 1);
		return;
	}
	a->in.cmd_base = x->base;
	a->in.cmd_limit = x->limit;
	a->in.cmd_size = (uint8_t)__builtin_ctz(x->size);
	a->in.cmd_type = x->type == TAF_TID_DEP ? TAFE_TID_DEP : TAFE_INDIR_RANGE;
	a->in.cmd_extents = x->extents / TAF_LINE;
	a->in.cmd_source = (x->type == TAF_TID_DEP ? taf_entry_address(entry) : h->array[x->start].extents) / TAF_LINE;
	a->in.cmd_c_s = x->c_s;
	a->in.cmd_c_e = x->c_e;
}

/* A free entry of the comparator table for the array, if the hardware can track it; else -1. */
static int8_t find_slot(const struct initial_stores *h, uint32_t entry)
{
	const struct taf_array *x = &h->array[entry];
	uint32_t taken = 0;

	if (x->type == TAF_INDIR || (x->type == TAF_INDIR_RANGE && h->array[x->start].base != h->array[x->end].base))
		return -1;
	for (uint32_t i = 0; i < TAF_ARRAYS; i++) {
		if (h->slot[i] < 0)
			continue;
		if (h->array[i].base == x->base)
			return -1;
		taken |= 1u << h->slot[i];
	}
	for (uint32_t s = 0; s < h->m->store_tracker.entries; s++)
		if (!(taken >> s & 1))
			return (int8_t)s;
	return -1;
}

static void plan_register(struct initial_stores *h, const struct taf_call *c)
{
	uint32_t i = c->entry;

	touch(h, c->store, taf_entry_address(i), TAF_LINE, true, (uint16_t)h->m->store_tracker.call_insts);
	h->slot[i] = -1;
	h->complete[i] = false;
	if (h->tracker == TRACK_HW && c->array.primary)
		h->slot[i] = find_slot(h, i);
	if (h->slot[i] < 0)
		return;
	fence(h, c->store, EFFECT_CALL, c); /* the hardware reads the entry */
	command(h, c->store, TAFE_REGISTER, i);
	h->counts.hw_arrays++;
}

static void plan_software(struct initial_stores *h, uint64_t store, uint32_t i)
{
	struct phase_action *a = add(h, h->tracker == TRACK_SW_GPU ? ACT_GPU : ACT_SOFTWARE, store);

	a->entry = i;
	a->array = h->array[i];
	h->complete[i] = true;
	h->counts.sw_arrays++;
	if (h->tracker != TRACK_HW)
		return;
	a = fence(h, store, EFFECT_TABLE, NULL);
	a->array = h->array[i];
}

static bool incomplete(const struct initial_stores *h, uint32_t i, uint64_t base)
{
	return h->array[i].valid && h->array[i].primary && h->array[i].base == base && !h->complete[i];
}

/* All relations of the array that begins at `base`: the hardware's entry is free again and its buffer in memory; then
 * the elements of the others are read. */
static void complete(struct initial_stores *h, uint64_t store, uint64_t base)
{
	for (uint32_t i = 0; i < TAF_ARRAYS; i++) {
		if (!incomplete(h, i, base) || h->slot[i] < 0)
			continue;
		command(h, store, TAFE_READY, i);
		h->slot[i] = -1;
		h->complete[i] = true;
	}
	for (uint32_t i = 0; i < TAF_ARRAYS; i++)
		if (incomplete(h, i, base))
			plan_software(h, store, i);
}

static void plan_ready(struct initial_stores *h, const struct taf_call *c)
{
	const struct taf_array *x = &h->array[c->entry];

	fence(h, c->store, EFFECT_CALL, c);
	if (x->type != TAF_TID_DEP) {
		complete(h, c->store, h->array[x->start].base);
		complete(h, c->store, h->array[x->end].base);
	}
	touch(h, c->store, taf_entry_address(c->entry), WORD, false, (uint16_t)h->m->store_tracker.call_insts);
	touch(h, c->store, taf_entry_address(c->entry), WORD, true, 1);
}

static void plan_reset(struct initial_stores *h, const struct taf_call *c)
{
	if (h->slot[c->entry] >= 0)
		command(h, c->store, TAFE_RESET, c->entry);
	h->slot[c->entry] = -1;
	touch(h, c->store, taf_entry_address(c->entry), TAF_LINE, true, (uint16_t)h->m->store_tracker.call_insts);
	if (c->array.primary)
		touch(h, c->store, c->array.extents, taf_table_bytes(h->taf), true, 1);
	if (h->tracker == TRACK_HW)
		fence(h, c->store, EFFECT_CALL, c);
}

static void plan_call(struct initial_stores *h, const struct taf_call *c)
{
	if (c->op == TAF_REGISTER || c->op == TAF_READY)
		h->array[c->entry] = c->array;
	switch (c->op) {
	case TAF_SETUP:
		if (h->tracker == TRACK_HW)
			command(h, c->store, TAFE_SETUP, 0);
		touch(h, c->store, TAF_BASE, 3 * WORD, true, (uint16_t)h->m->store_tracker.call_insts);
		break;
	case TAF_REGISTER:
		plan_register(h, c);
		break;
	case TAF_READY:
		plan_ready(h, c);
		break;
	case TAF_RESET:
		plan_reset(h, c);
		h->array[c->entry] = (struct taf_array){0};
		break;
	}
}

/* ---- effects ---- */

static void apply_calls(struct initial_stores *h, uint64_t n)
{
	while (h->applied < n)
		taf_memory_call(h->memory, h->taf, &h->taf->call[h->applied++]);
}

void initial_stores_finish(struct initial_stores *h)
{
	apply_calls(h, h->taf->n_calls);
}

static const struct phase_action *fence_of(const struct initial_stores *h, uint32_t number)
{
	PANIC_UNLESS(number >= 1 && number <= h->n_actions && h->action[number - 1].kind == ACT_FENCE, "initial_stores", h->stores);
	return &h->action[number - 1];
}

const struct tafe_in *initial_stores_command(const struct initial_stores *h, uint32_t number)
{
	const struct phase_action *a = fence_of(h, number);

	return a->command ? &a->in : NULL;
}

void initial_stores_taken(struct initial_stores *h, uint32_t number)
{
	const struct phase_action *a = fence_of(h, number);

	if (a->effect == EFFECT_CALL)
		apply_calls(h, (uint64_t)(a->call - h->taf->call) + 1);
	if (a->effect == EFFECT_TABLE)
		memcpy(taf_memory_at(h->memory, a->array.extents, taf_table_bytes(h->taf)),
		       taf_memory_at(h->software, a->array.extents, taf_table_bytes(h->taf)), taf_table_bytes(h->taf));
}

/* ---- the steps ---- */

/* What the hardware tracks from this fence on, to count what it should see. */
static void follow(struct initial_stores *h, const struct phase_action *a)
{
	if (a->effect == EFFECT_CALL && a->call->op == TAF_READY)
		h->seen[a->call->entry].early = h->seen[a->call->entry].elements > 0 && a->call->array.type != TAF_TID_DEP;
	h->counts.commands += a->command;
	if (!a->command || a->in.cmd_op == TAFE_SETUP)
		return;
	h->live[a->in.cmd_entry] = a->in.cmd_op == TAFE_REGISTER ? a : NULL;
	if (a->in.cmd_op == TAFE_REGISTER)
		h->seen[a->entry] = (struct initial_stores_array){.by_hardware = true};
}

static void count_store(struct initial_stores *h, const struct taf_store *s)
{
	h->counts.stores++;
	for (uint32_t i = 0; i < h->m->store_tracker.entries; i++) {
		const struct phase_action *a = h->live[i];
		uint64_t elements, left;

		if (!a || s->addr < a->array.base || s->addr >= a->array.limit)
			continue;
		elements = s->bytes > a->array.size ? s->bytes / a->array.size : 1;
		left = (a->array.limit - s->addr) / a->array.size;
		elements = left && left < elements ? left : elements;
		h->counts.watched++;
		h->counts.elements += elements;
		h->seen[a->entry].elements += elements;
		h->seen[a->entry].partial |= s->bytes < a->array.size;
	}
}

static void issue_store(struct initial_stores *h, const struct taf_store *s, struct stream_step *out)
{
	*out = (struct stream_step){.addr = s->addr,
				    .value = s->value,
				    .bytes = s->bytes,
				    .value_insts = h->m->cpu.value_insts ? s->insts : 0,
				    .non_memory = (uint16_t)h->m->cpu.init_insts,
				    .store = true};
	h->stores++;
	count_store(h, s);
}

static void issue_touch(struct initial_stores *h, struct stream_step *out)
{
	*out = (struct stream_step){.addr = h->scratch + (h->touch.address - TAF_BASE),
				    .bytes = WORD,
				    .non_memory = h->touch.non_memory,
				    .store = h->touch.write};
	h->touch.address += WORD;
	h->touch.non_memory = 1;
	h->touch.n--;
}

static void issue_fence(struct initial_stores *h, const struct phase_action *a, struct stream_step *out)
{
	*out = (struct stream_step){.fence = true, .command = (uint32_t)(a - h->action) + 1};
	follow(h, a);
}

/* Issues the action's next step; false: it has none left. */
static bool act(struct initial_stores *h, const struct phase_action *a, struct stream_step *out)
{
	switch (a->kind) {
	case ACT_FENCE:
		h->next++;
		issue_fence(h, a, out);
		return true;
	case ACT_TOUCH:
		h->next++;
		h->touch.address = a->address;
		h->touch.n = a->n;
		h->touch.non_memory = a->non_memory;
		h->touch.write = a->write;
		return false;
	case ACT_SOFTWARE:
		if (!h->software_tracker.array.valid)
			software_tracker_begin(&h->software_tracker, &a->array);
		if (software_tracker_next(&h->software_tracker, out))
			return true;
		h->software_tracker.array.valid = false;
		h->next++;
		return false;
	default:
		h->next++;
		return false;
	}
}

static bool issue_flush(struct initial_stores *h, struct stream_step *out)
{
	*out = (struct stream_step){.fence = true, .flush = true};
	return h->flush && !(h->flush = false);
}

static bool advance(struct initial_stores *h, struct stream_step *out)
{
	struct taf_store s;

	for (;;) {
		if (h->touch.n) {
			issue_touch(h, out);
			return true;
		}
		if (h->next < h->n_actions && h->action[h->next].store <= h->stores) {
			if (act(h, &h->action[h->next], out))
				return true;
			continue;
		}
		if (!taf_stores_next(&h->taf->stores, &h->at, &s))
			return issue_flush(h, out);
		issue_store(h, &s, out);
		return true;
	}
}

static bool next(struct stream_steps *steps, struct stream_step *out)
{
	struct initial_stores *h = (struct initial_stores *)steps;
	bool more = advance(h, out);

	h->counts.issued += more && out->store;
	return more;
}

/* ---- the plan ---- */

void initial_stores_plan(struct initial_stores *h, struct arena *a, const struct tracking_phase_config *c,
			 struct taf_memory *memory, const struct taf_memory *software, uint64_t scratch)
{
	const struct taf *t = c->taf;

	*h = (struct initial_stores){.steps = {next},
				     .taf = t,
				     .m = c->machine,
				     .tracker = c->tracker,
				     .memory = memory,
				     .software = software,
				     .scratch = scratch,
				     .cap_actions = (t->n_calls + 1) * ACTIONS_A_CALL};
	memset(h->slot, -1, sizeof h->slot);
	software_tracker_init(&h->software_tracker, a, t, software, scratch);
	if (c->tracker == TRACK_NONE)
		return;
	h->action = arena_array(a, h->cap_actions, sizeof *h->action);
	for (uint64_t i = 0; i < t->n_calls; i++)
		plan_call(h, &t->call[i]);
	for (uint32_t i = 0; i < TAF_ARRAYS; i++) /* nothing depends on these; the hardware's buffer goes to memory */
		if (h->slot[i] >= 0)
			command(h, t->stores.n, TAFE_READY, i);
}
