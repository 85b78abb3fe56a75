/* Pages whose data are somewhere before their first touch, and move. */
#include "base/panic.h"
#include "vm/pages_impl.h"

struct pages_data *pages_data_of(const struct pages *p, const struct pages_range *r, uint64_t page)
{
	return r && r->of ? &r->of[page - pages_number(p, r->base)] : NULL;
}

static uint8_t origin_mode(const struct pages *p)
{
	return p->p.origin == PAGES_ORIGIN_INTERLEAVED ? MODE_FGP : MODE_CGP;
}

int pages_take_origin(struct pages *p, const struct pages_range *r, uint64_t page, struct err *e)
{
	struct pages_data *d = pages_data_of(p, r, page);
	uint32_t stack = origin_mode(p) == MODE_FGP ? PAGES_FGP_ANYWHERE : (uint32_t)(page % p->p.stacks);

	d->target = FRAMES_NONE;
	d->origin = stack == PAGES_FGP_ANYWHERE ? frames_take_fine(&p->frames) : frames_take_coarse(&p->frames, stack);
	if (d->origin == FRAMES_NONE)
		return pages_no_room(p, r->name, stack, e);
	p->origins++;
	return 0;
}

static bool is_there(const struct pages *p, const struct pages_data *d, uint32_t stack)
{
	return origin_mode(p) == MODE_CGP && (d->origin & (p->p.stacks - 1)) == stack;
}

uint64_t pages_touched_frame(struct pages *p, const struct pages_range *r, uint64_t page, uint32_t stack)
{
	struct pages_data *d = pages_data_of(p, r, page);
	uint64_t frame;

	if (!d || d->origin == FRAMES_NONE)
		return frames_take_coarse(&p->frames, stack);
	p->origins--;
	if (is_there(p, d, stack)) {
		frame = d->origin;
	} else {
		frame = frames_take_coarse(&p->frames, stack);
		frames_give(&p->frames, d->origin);
	}
	d->origin = FRAMES_NONE;
	return frame;
}

enum pages_motion pages_move(struct pages *p, uint64_t page, uint32_t stack, struct pages_move *m, struct err *e)
{
	const struct pages_range *r = pages_range_of(p, page);
	struct pages_data *d = pages_data_of(p, r, page);

	if (!d || d->origin == FRAMES_NONE)
		return PAGES_STAYS;
	if (d->target != FRAMES_NONE)
		return PAGES_MOVING;
	if (is_there(p, d, stack))
		return PAGES_STAYS;
	d->target = frames_take_coarse(&p->frames, stack);
	if (d->target == FRAMES_NONE) {
		pages_no_room(p, r->name, stack, e);
		return PAGES_NO_ROOM;
	}
	p->targets++;
	*m = (struct pages_move){.page = page,
				 .from = d->origin << p->page_bits,
				 .to = d->target << p->page_bits,
				 .from_mode = origin_mode(p),
				 .to_mode = MODE_CGP};
	return PAGES_MOVES;
}

int pages_moved(struct pages *p, uint64_t page, struct ticks now, struct err *e)
{
	struct pages_data *d = pages_data_of(p, pages_range_of(p, page), page);
	uint64_t frame;

	PANIC_UNLESS(d && d->target != FRAMES_NONE, "pages", page);
	frame = d->target;
	frames_give(&p->frames, d->origin);
	d->origin = d->target = FRAMES_NONE;
	p->origins--;
	p->targets--;
	pages_born(p, page, pages_depth(p, page, TIME_NEVER), now);
	return pages_map(p, page, frame, MODE_CGP, e);
}
