#include "support/prefetch_stimulus.h"

#include <string.h>

#include "support/corner.h"
#include "support/random.h"

void prefetch_stimulus_init(struct prefetch_stimulus *s, const struct prefetch_unit_params *p, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
	s->seed = seed;
}

static uint64_t bits(uint64_t value, uint32_t width)
{
	return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

/* One that lies beside a threshold, more often than not. */
static uint32_t near(uint32_t threshold, uint64_t r)
{
	uint64_t seed = r;

	return (uint32_t)(r & 3 ? bits(threshold + (r >> 2 & 3), PREFETCH_UNIT_FREE_W)
				: corner_value(&seed, PREFETCH_UNIT_FREE_W, threshold));
}

static void access_in(struct prefetch_stimulus *s, struct prefetch_unit_in *in)
{
	uint64_t r = random_u64(&s->seed), a = random_u64(&s->seed), last = bits(UINT64_MAX, s->p.addr_w);
	uint64_t reach = 4 * (uint64_t)s->p.line;

	in->acc_valid = s->n / 32 % 4 == 0 ? 0 : s->n / 32 % 4 == 1 ? 1 : r & 1;
	in->acc_missed = (r >> 1 & 3) != 0;
	in->acc_prefetch = r >> 3 & 3;
	in->acc_entry = (uint32_t)bits(r >> 5, prefetch_unit_bits(s->p.entries));
	in->acc_addr = (r >> 10 & 7) == 0 ? last - a % reach : corner_value(&s->seed, s->p.addr_w, s->addr);
	in->acc_bound = r >> 13 & 1 ? corner_value(&s->seed, s->p.addr_w, in->acc_addr)
				    : bits(in->acc_addr + (r >> 14) % reach, s->p.addr_w);
	in->acc_distance =
		(uint32_t)(r >> 40 & 1 ? corner_value(&s->seed, s->p.dist_w, s->p.line) : bits((r >> 41) % reach, s->p.dist_w));
	s->addr = in->acc_addr;
	in->acc_wait = (a >> 50 & 3) == 0;
}

static void look_in(struct prefetch_stimulus *s, struct prefetch_unit_in *in)
{
	uint64_t r = random_u64(&s->seed);

	in->look_known = (r & 7) != 0;
	in->look_there = (r >> 3 & 3) == 0;
	in->look_way = (r >> 5 & 7) != 0;
	in->look_dirty = r >> 8 & 1;
	in->free_mshrs = near(s->p.spare_mshrs, r >> 9);
	in->free_queue = near(s->p.spare_queue, r >> 30);
}

/* A CTA of the entry begins in one of few tiles, others after a while, if there is a slot; or one ends. */
static void orderly_cta(struct prefetch_stimulus *s, struct prefetch_unit_in *in, uint64_t r)
{
	uint32_t *held = &s->held[in->cta_entry], *tile = s->tile[in->cta_entry], i, kinds = s->p.tiles + 1;
	uint64_t kind = s->n / 256 * kinds + (r >> 8) % (r & 2 ? 2 : kinds);

	in->cta_end = *held == s->p.tiles || (*held && (r & 1));
	if (in->cta_end) {
		i = (uint32_t)(r >> 8) % *held;
		in->cta_tile = tile[i];
		tile[i] = tile[--*held];
	} else {
		in->cta_tile = (uint32_t)bits(kind * 0x9e3779b1u, s->p.tile_w);
		tile[(*held)++] = in->cta_tile;
	}
}

static void cta_in(struct prefetch_stimulus *s, struct prefetch_unit_in *in)
{
	uint64_t r = random_u64(&s->seed);

	in->cta_valid = r & 1;
	in->cta_entry = (uint32_t)bits(r >> 1, prefetch_unit_bits(s->p.entries));
	in->cta_end = r >> 6 & 1;
	in->cta_tile = (uint32_t)bits(r >> 7 & 3, s->p.tile_w);
	if (in->cta_valid && in->cta_entry < s->p.entries && !s->wild)
		orderly_cta(s, in, r >> 16);
}

static void write_in(struct prefetch_stimulus *s, struct prefetch_unit_in *in)
{
	uint64_t r = random_u64(&s->seed), all = (uint64_t)s->p.entries * s->p.tiles;

	in->wr_valid = s->n < all || (r & 7) == 0;
	in->wr_entry = (uint32_t)(s->n < all ? s->n / s->p.tiles : bits(r >> 3, prefetch_unit_bits(s->p.entries)));
	in->wr_slot = (uint32_t)(s->n < all ? s->n % s->p.tiles : bits(r >> 8, prefetch_unit_bits(s->p.tiles)));
	in->wr_distance = (uint32_t)(r >> 16 & 1 ? corner_value(&s->seed, s->p.dist_w, s->p.line)
						 : bits((r >> 17) % (8 * s->p.line), s->p.dist_w));
}

struct prefetch_unit_in prefetch_stimulus_next(struct prefetch_stimulus *s)
{
	struct prefetch_unit_in in = {0};

	access_in(s, &in);
	look_in(s, &in);
	cta_in(s, &in);
	write_in(s, &in);
	s->n++;
	return in;
}
