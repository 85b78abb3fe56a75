#include "cache/prefetch.h"

#include "base/panic.h"

int prefetch_init(struct prefetch *p, const struct machine *m, uint32_t depth, const char *owner, const struct hw_binder *binder,
		  struct err *e)
{
	struct prefetch_unit_params of = {.entries = PLAN_LOCALITIES,
					  .tiles = m->sm.ctas,
					  .tile_w = 32,
					  .addr_w = PLAN_LOCALITY_ADDRESS,
					  .dist_w = 32,
					  .line = m->l1.c.line,
					  .depth = depth,
					  .spare_mshrs = m->l1.prefetch.mshrs,
					  .spare_queue = m->l1.prefetch.queue};

	*p = (struct prefetch){.clock = clocked_with(binder)};
	if (prefetch_unit_params_check(&of, e) != 0 || prefetch_unit_bind(binder, owner, &of, &p->port, e) != 0)
		return err_prefix(e, "l1.prefetch");
	return 0;
}

/* ---- the block's clock ---- */

/* While a line waits a cycle of which nobody says more is one in which an access waits. */
static void edge(struct prefetch *p)
{
	prefetch_unit_port_tick(&p->port, p->clock.cycle + p->ahead, &p->in);
	p->in = (struct prefetch_unit_in){.acc_wait = p->waiting != 0};
	p->active = false;
	p->clock.busy = p->waiting != 0;
}

/* An edge that is none of the core's clock. */
static void edge_ahead(struct prefetch *p)
{
	edge(p);
	p->ahead++;
}

static void advance(struct prefetch *p, uint64_t cycle)
{
	PANIC_UNLESS(cycle >= p->clock.cycle, "prefetch unit", cycle);
	for (; clocked_lags(&p->clock, cycle); p->clock.cycle++)
		edge(p);
}

static struct prefetch_unit_out outputs(struct prefetch *p)
{
	struct prefetch_unit_out out;

	prefetch_unit_port_eval(&p->port, p->clock.cycle + p->ahead, &p->in, &out);
	return out;
}

/* ---- launches and CTAs ---- */

static bool has_distances(const struct plan_launch *l, uint32_t entry)
{
	return l->tiles && l->locality[entry].prefetch == LOCALITY_STRIDE && l->tiles[entry].n_distances > 0;
}

static void write_distances(struct prefetch *p, uint32_t entry, const struct plan_tiles *t)
{
	for (uint32_t i = 0; i < p->port.params.tiles; i++) {
		p->in.wr_valid = 1;
		p->in.wr_entry = entry;
		p->in.wr_slot = i;
		p->in.wr_distance = t->distance[i < t->n_distances ? i : t->n_distances - 1];
		edge_ahead(p);
	}
}

void prefetch_begin_launch(struct prefetch *p, uint64_t now, const struct plan_launch *l, const uint32_t grid[3])
{
	PANIC_UNLESS(!p->waiting, "prefetch unit", now);
	advance(p, now);
	if (p->active)
		edge_ahead(p);
	p->launch = l;
	p->grid = grid;
	for (uint32_t i = 0; i < l->n_localities; i++)
		if (has_distances(l, i))
			write_distances(p, i, &l->tiles[i]);
}

static void notify(struct prefetch *p, const struct prefetch_unit_in *event)
{
	if (p->in.cta_valid)
		edge_ahead(p);
	p->in.cta_valid = 1;
	p->in.cta_end = event->cta_end;
	p->in.cta_entry = event->cta_entry;
	p->in.cta_tile = event->cta_tile;
	p->active = p->clock.busy = true;
}

/* An event of each structure whose tiles count. */
static void notify_all(struct prefetch *p, uint64_t now, uint32_t cta, struct prefetch_unit_in event)
{
	advance(p, now);
	for (uint32_t i = 0; i < p->launch->n_localities; i++)
		if (has_distances(p->launch, i)) {
			event.cta_entry = i;
			event.cta_tile = plan_tile_of(&p->launch->tiles[i], p->grid, cta);
			notify(p, &event);
		}
}

void prefetch_begin_cta(struct prefetch *p, uint64_t now, uint32_t cta)
{
	notify_all(p, now, cta, (struct prefetch_unit_in){.cta_end = 0});
}

void prefetch_end_cta(struct prefetch *p, uint64_t now, uint32_t cta)
{
	notify_all(p, now, cta, (struct prefetch_unit_in){.cta_end = 1});
}

/* ---- accesses and lines ---- */

enum prefetch_trigger_result prefetch_access(struct prefetch *p, uint64_t now, const struct locality_answer *a, bool missed)
{
	struct prefetch_unit_out out;

	advance(p, now);
	p->active = p->clock.busy = true;
	p->in.acc_valid = 1;
	p->in.acc_missed = missed;
	p->in.acc_prefetch = a->prefetch;
	p->in.acc_entry = a->entry;
	p->in.acc_addr = a->addr & ((UINT64_C(1) << PLAN_LOCALITY_ADDRESS) - 1);
	p->in.acc_bound = a->bound;
	p->in.acc_distance = a->distance;
	p->in.acc_wait = 0;
	if (!missed || !a->prefetch)
		return PREFETCH_NOT_TRIGGERED;
	out = outputs(p);
	p->waiting += out.acc_kept;
	return out.acc_kept ? PREFETCH_WAITS : out.acc_lost ? PREFETCH_LOST : PREFETCH_NOT_TRIGGERED;
}

uint64_t prefetch_line(struct prefetch *p, uint64_t now)
{
	struct prefetch_unit_out out;

	advance(p, now);
	out = outputs(p);
	PANIC_UNLESS(out.look_valid, "prefetch unit", p->clock.cycle);
	return out.look_line;
}

static enum prefetch_decision show(struct prefetch *p, const struct prefetch_look *look)
{
	static const enum prefetch_decision dropped[] = {
		[PREFETCH_UNKNOWN] = PREFETCH_NO_PAGE, [PREFETCH_THERE] = PREFETCH_NEEDLESS, [PREFETCH_SHORT] = PREFETCH_DROPPED};
	struct prefetch_unit_out out;

	p->active = p->clock.busy = true;
	p->in.acc_wait = 0;
	p->in.look_known = look->known;
	p->in.look_there = look->there;
	p->in.look_way = look->way;
	p->in.look_dirty = look->dirty;
	p->in.free_mshrs = look->free_mshrs;
	p->in.free_queue = look->free_queue;
	out = outputs(p);
	PANIC_UNLESS(out.issue != out.drop, "prefetch unit", p->clock.cycle);
	p->waiting--;
	return out.issue ? PREFETCH_FETCH : dropped[out.why];
}

enum prefetch_decision prefetch_decide(struct prefetch *p, uint64_t now, const struct prefetch_look *look)
{
	advance(p, now);
	return show(p, look);
}

void prefetch_drop_all(struct prefetch *p)
{
	static const struct prefetch_look nothing_free = {.known = true};

	if (p->waiting && p->active)
		edge_ahead(p);
	while (p->waiting) {
		show(p, &nothing_free);
		edge_ahead(p);
	}
}

void prefetch_change(struct prefetch *p, const struct machine *m, uint64_t cycle)
{
	struct prefetch_unit_params *golden = &p->port.golden->p;

	if (cycle > p->clock.cycle)
		advance(p, cycle);
	golden->spare_mshrs = p->port.params.spare_mshrs = m->l1.prefetch.mshrs;
	golden->spare_queue = p->port.params.spare_queue = m->l1.prefetch.queue;
}

void prefetch_finish(struct prefetch *p, uint64_t cycle)
{
	if (cycle > p->clock.cycle)
		advance(p, cycle);
	if (p->active)
		edge_ahead(p);
}
