#include "ldesc/ldesc_shapes.h"

#define ALL UINT32_MAX /* a tile larger than what it cuts counts as the whole */

static uint64_t tiles(uint64_t n, uint64_t tile)
{
	return n / tile + (n % tile != 0);
}

struct ldesc ldesc_line(uint32_t element, uint64_t n, uint64_t tile)
{
	return (struct ldesc){.element = element,
			      .len = {n, 1, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {tile, 1, 1},
			      .c_tile = {1, ALL, ALL},
			      .rank = {1, 0, 0}};
}

struct ldesc ldesc_tiles(const struct ldesc_matrix *m, uint64_t tile_x, uint64_t tile_y)
{
	if (tiles(m->pitch, tile_x) != tiles(m->cols, tile_x))
		return ldesc_rows(m, tile_y, 1);
	return (struct ldesc){.element = m->element,
			      .len = {m->pitch, m->rows, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {tile_x, tile_y, 1},
			      .c_tile = {1, 1, ALL},
			      .rank = {1, 2, 0}};
}

struct ldesc ldesc_rows(const struct ldesc_matrix *m, uint64_t tile, unsigned along)
{
	struct ldesc l = {.element = m->element,
			  .len = {m->pitch, m->rows, 1},
			  .type = LDESC_NO_REUSE,
			  .d_tile = {m->pitch, tile, 1},
			  .c_tile = {ALL, ALL, ALL}};

	l.c_tile[along] = 1;
	l.rank[along] = 1;
	return l;
}

struct ldesc ldesc_columns(const struct ldesc_matrix *m, uint64_t tile)
{
	if (tiles(m->pitch, tile) != tiles(m->cols, tile))
		return ldesc_whole(m->element, m->pitch * m->rows);
	return (struct ldesc){.element = m->element,
			      .len = {m->pitch, m->rows, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {tile, m->rows, 1},
			      .c_tile = {1, ALL, ALL},
			      .rank = {1, 0, 0}};
}

struct ldesc ldesc_whole(uint32_t element, uint64_t n)
{
	return (struct ldesc){
		.element = element, .len = {n, 1, 1}, .type = LDESC_NO_REUSE, .d_tile = {n, 1, 1}, .c_tile = {ALL, ALL, ALL}};
}

static struct ldesc shared(struct ldesc l, enum ldesc_sharing sharing, uint64_t stride)
{
	l.type = LDESC_INTER_THREAD;
	l.sharing = sharing;
	l.access = stride ? LDESC_REGULAR : LDESC_IRREGULAR;
	l.stride = stride;
	return l;
}

struct ldesc ldesc_coaccessed(struct ldesc l, uint64_t stride)
{
	return shared(l, LDESC_COACCESSED, stride);
}

struct ldesc ldesc_nearby(struct ldesc l, uint64_t stride)
{
	return shared(l, LDESC_NEARBY, stride);
}

struct ldesc ldesc_intra(struct ldesc l)
{
	l.type = LDESC_INTRA_THREAD;
	return l;
}
