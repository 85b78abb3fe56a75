#include "support/tafe_host.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/corner.h"

static uint32_t below(struct tafe_bench *b, uint32_t n)
{
	return (uint32_t)(tafe_bench_random(b) % n);
}

/* ---- the launch ---- */

static uint32_t threads_of(const struct tafe_launch *l)
{
	return l->block[0] * l->block[1] * l->block[2];
}

static uint32_t most_ctas(const struct tafe_params *p)
{
	return (1u << (p->tb_w < 8 ? p->tb_w : 8)) - 1;
}

/* What the widths of the block and the bench's time allow. */
static bool fits(const struct tafe_launch *l, const struct tafe_params *p)
{
	uint32_t room = p->index_w < 16 ? 100 : 1000;
	bool in_block = true;

	for (int i = 0; i < 3; i++)
		in_block &= l->block[i] <= 1u << p->block_w;
	return in_block && tafe_launch_ctas(l) <= most_ctas(p) && tafe_launch_ctas(l) * threads_of(l) <= room;
}

static void make_launch(struct tafe_launch *l, struct tafe_bench *b)
{
	do {
		*l = (struct tafe_launch){.grid = {1 + below(b, 12), 1 + below(b, 3) / 2, 1 + below(b, 4) / 3},
					  .block = {1 + below(b, 6), 1 + below(b, 3) / 2, 1 + below(b, 4) / 3}};
		if (below(b, 8) == 0) {
			*l = (struct tafe_launch){.grid = {1 + below(b, 2), 1, 1}, .block = {1, 1, 1}};
			l->block[below(b, 3)] = 250 + below(b, 80);
		} else if (below(b, 8) == 0) {
			*l = (struct tafe_launch){.grid = {most_ctas(&b->port.params) - below(b, 6), 1, 1}, .block = {1, 1, 1}};
		}
	} while (!fits(l, &b->port.params));
}

/* ---- the arrays ---- */

static uint64_t limit(const struct tafe_array *a)
{
	return a->base + ((uint64_t)a->elements << a->size);
}

/* A base for an array that ends within the address space and keeps clear of the other. */
static void put_somewhere(struct tafe_array *a, const struct tafe_array *other, struct tafe_bench *b)
{
	uint32_t width = b->port.params.addr_w;

	do {
		a->base =
			below(b, 4) ? corner_value(&b->seed, width - 3, other->base >> 3) << 3 : (limit(other) + 7) & ~(uint64_t)7;
	} while (limit(a) > UINT64_MAX >> (64 - width) || limit(a) < a->base || (a->base < limit(other) && other->base < limit(a)));
}

/* Thread i of all reads element i + c, and others in every further iteration. Values rise with the elements, so CTAs'
 * minima rise with the CTAs, as the columns need it, if each has its elements of the first iteration. */
static void make_rows(struct tafe_host *h, struct tafe_bench *b)
{
	const struct tafe_launch *l = &h->l;
	uint32_t t = threads_of(l), all = tafe_launch_ctas(l) * t, n = all < 250 ? below(b, 4) : 0;
	int32_t c = (int32_t)below(b, 9) - (n < 2 ? 4 : 0);

	h->rows = (struct tafe_array){.entry = below(b, 2),
				      .type = TAFE_TID_DEP,
				      .elements = all * (n ? n : 1) + (c > 0 ? (uint32_t)c : 0) + 1,
				      .size = b->port.params.index_w < 16 ? 1 : 2 + below(b, 2),
				      .extents = 0x80,
				      .apd = 1,
				      .m = {1, (int32_t)l->block[0], (int32_t)(l->block[0] * l->block[1]), (int32_t)t,
					    (int32_t)(t * l->grid[0]), (int32_t)(t * l->grid[0] * l->grid[1])},
				      .c = c,
				      .n = n,
				      .ofs = (int32_t)all};
	put_somewhere(&h->rows, &h->columns, b);
	tafe_array_init(&h->rows);
}

/* The tracker's bounds wrap at 32 bits, so narrower ones have small constants. */
static void make_constants(struct tafe_array *a, struct tafe_bench *b)
{
	if (b->port.params.index_w == 32 && below(b, 2)) {
		a->c_s = a->c_e = (uint32_t)corner_value(&b->seed, 32, below(b, 2) ? 0 : a->elements);
	} else {
		a->c_s = below(b, 3);
		a->c_e = a->c_s ? a->c_s - below(b, 2) : 0;
	}
}

static void make_columns(struct tafe_host *h, struct tafe_bench *b)
{
	h->columns = (struct tafe_array){.entry = 1 - h->rows.entry,
					 .type = TAFE_INDIR_RANGE,
					 .elements = h->rows.elements * 3 + 2,
					 .size = below(b, 4),
					 .extents = 0xc0,
					 .apd = 2,
					 .nested = &h->rows};
	make_constants(&h->columns, b);
	put_somewhere(&h->columns, &h->rows, b);
	tafe_array_init(&h->columns);
}

void tafe_host_make(struct tafe_host *h, struct tafe_bench *b)
{
	uint32_t line_w = b->port.params.addr_w - 6;

	memset(h, 0, sizeof *h);
	h->shuffled = below(b, 3) == 0;
	b->first_line = corner_value(&b->seed, line_w, 0) & ~(uint64_t)(TAFE_BENCH_LINES - 1);
	make_launch(&h->l, b);
	make_rows(h, b);
	make_columns(h, b);
}

/* ---- the program ---- */

static bool inside(const struct tafe_array *a, uint64_t addr)
{
	return addr >= a->base && addr < limit(a);
}

/* Now and then a store outside the arrays, often just outside or one address bit off. */
static void stray(struct tafe_host *h, struct tafe_bench *b)
{
	const struct tafe_array *a = below(b, 2) ? &h->rows : &h->columns;
	uint32_t size = below(b, 4);
	uint64_t addr = corner_value(&b->seed, b->port.params.addr_w, below(b, 2) ? a->base : limit(a)) >> size << size;

	if (below(b, 4) == 0 && !inside(&h->rows, addr) && !inside(&h->columns, addr))
		tafe_bench_store(b, addr, tafe_bench_random(b), size);
}

void tafe_host_run(struct tafe_host *h, struct tafe_bench *b)
{
	uint32_t ctas = tafe_launch_ctas(&h->l), at = 0;

	tafe_bench_setup(b, &h->l);
	tafe_bench_register(b, &h->rows, ctas);
	tafe_bench_register(b, &h->columns, ctas);
	for (uint32_t i = 0; i < h->rows.elements; i++, at += below(b, 4)) {
		tafe_array_store(b, &h->rows, i, at);
		stray(h, b);
	}
	tafe_bench_release(b, &h->rows, TAFE_READY);
	for (uint32_t i = 0; i < h->columns.elements; i++) {
		uint64_t value = below(b, 2) ? tafe_bench_random(b) : corner_value(&b->seed, 64, i);

		tafe_array_store(b, &h->columns, h->shuffled ? below(b, h->columns.elements) : i, value);
		stray(h, b);
	}
	tafe_bench_release(b, &h->columns, below(b, 2) ? TAFE_READY : TAFE_RESET);
	cr_assert_eq(tafe_bench_compare(b, &h->l, &h->rows), 0, "rows");
	cr_assert_eq(tafe_bench_compare(b, &h->l, &h->columns), 0, "columns");
	tafe_array_free(&h->rows);
	tafe_array_free(&h->columns);
}

void tafe_host_memory(struct tafe_bench *b, unsigned seed)
{
	static const unsigned latency[] = {0, 1, 5, 40}, stall_in[] = {0, 2, 5};

	b->latency = latency[seed % 4];
	b->stall_in = stall_in[seed / 4 % 3];
	b->gap_in = seed % 5 ? 0 : 3;
}
