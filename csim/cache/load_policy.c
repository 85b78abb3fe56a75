#include "cache/load_policy.h"

static uint64_t next(const struct load_policy *p)
{
	return p->ops->next ? p->ops->next(p->state) : UINT64_MAX;
}

void load_policy_init(struct load_policy *p, struct arena *a, const struct machine_bypass *settings, const struct tags *t)
{
	*p = (struct load_policy){.ops = cache_policy_of(settings)};
	p->ops->init(&p->state, a, settings);
	p->tag_only = arena_array(a, tags_slots(t), sizeof *p->tag_only);
	p->due = next(p);
}

void load_policy_change(struct load_policy *p, const struct machine_bypass *settings, uint64_t cycle)
{
	if (p->ops->change)
		p->ops->change(p->state, settings, cycle);
}

int load_policy_bind(struct load_policy *p, const char *owner, const struct hw_binder *binder, struct err *e)
{
	return p->ops->bind ? p->ops->bind(p->state, owner, binder, e) : 0;
}

void load_policy_finish(struct load_policy *p, uint64_t cycle)
{
	if (p->ops->finish)
		p->ops->finish(p->state, cycle);
}

static void drop_tags(struct load_policy *p, struct tags *t)
{
	for (uint32_t s = 0; s < tags_slots(t); s++)
		if (p->tag_only[s]) {
			uint32_t sectors = p->tag_only[s];

			p->tag_only[s] = 0;
			tags_drop_sectors(t, s, sectors);
		}
}

void load_policy_pass_time(struct load_policy *p, struct tags *t, uint64_t cycle)
{
	bool drops = p->ops->advance(p->state, cycle);

	p->due = next(p);
	if (drops)
		drop_tags(p, t);
}

/* A load that waits is tried again at once: what it waits for may be another resource now. */
void load_policy_hold(struct load_policy *p, struct tags *t, uint64_t cycle, bool open)
{
	load_policy_advance(p, t, cycle);
	if (!p->ops->hold || !p->ops->hold(p->state, cycle, open))
		return;
	drop_tags(p, t);
	p->due = cycle;
}

enum cache_found load_policy_found(const struct load_policy *p, enum tags_result r, uint32_t slot)
{
	switch (r) {
	case TAGS_HIT:
		return p->tag_only[slot] ? CACHE_FOUND_TAG : CACHE_FOUND;
	case TAGS_HIT_RESERVED:
		return CACHE_FOUND_RESERVED;
	default:
		return CACHE_NOT_FOUND;
	}
}

void load_policy_brought_in(struct load_policy *p, struct tags *t, uint32_t slot, enum cache_pin pin)
{
	p->tag_only[slot] = 0;
	tags_pin(t, slot, pin);
}

void load_policy_take_tag(struct load_policy *p, struct tags *t, uint32_t slot, uint64_t line, uint32_t sectors)
{
	tags_take(t, slot, line, TAGS_VALID);
	t->sectors[slot] = p->tag_only[slot] = (uint8_t)sectors;
}
