#include "hw/tafe/tafe.h"
#include "support/tafe_host.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/random.h"

static uint32_t below(struct tafe_bench *b, uint32_t n)
{
	return (uint32_t)(tafe_bench_random(b) % n);
}

void tafe_host_make(struct tafe_host *h, struct tafe_bench *b)
{
	uint32_t threads = 1 + below(b, 6), ctas = 1 + below(b, 25);

	*h = (struct tafe_host){.l = {.grid = {ctas, 1, 1}, .block = {threads, 1, 1}}, .shuffled = below(b, 3) == 0};
	h->rows = (struct tafe_array){.entry = below(b, 2),
				      .type = TAFE_TID_DEP,
				      .base = 0x1000,
				      .elements = ctas * threads + 1,
				      .size = b->port.params.index_w < 16 ? 1 : 2 + below(b, 2),
				      .extents = 0x80,
				      .apd = 1,
				      .m = {1, 0, 0, (int32_t)threads},
				      .n = below(b, 2)};
	h->columns = (struct tafe_array){.entry = 1 - h->rows.entry,
					 .type = TAFE_INDIR_RANGE,
					 .base = 0x2000,
					 .elements = ctas * threads * 3 + 2,
					 .size = below(b, 4),
					 .extents = 0xa0,
					 .apd = 2,
					 .c_s = below(b, 3),
					 .nested = &h->rows};
	h->columns.c_e = h->columns.c_s;
	tafe_array_init(&h->rows);
	tafe_array_init(&h->columns);
}

static void stray(struct tafe_bench *b)
{
	if (below(b, 4) == 0)
		tafe_bench_store(b, 0x8000 + 8 * below(b, 100), tafe_bench_random(b), below(b, 4));
}

void tafe_host_run(struct tafe_host *h, struct tafe_bench *b)
{
	uint32_t ctas = tafe_launch_ctas(&h->l), at = 0;

	tafe_bench_setup(b, &h->l);
	tafe_bench_register(b, &h->rows, ctas);
	tafe_bench_register(b, &h->columns, ctas);
	for (uint32_t i = 0; i < h->rows.elements; i++, at += below(b, 4)) {
		tafe_array_store(b, &h->rows, i, at);
		stray(b);
	}
	tafe_bench_release(b, &h->rows, TAFE_READY);
	for (uint32_t i = 0; i < h->columns.elements; i++) {
		tafe_array_store(b, &h->columns, h->shuffled ? below(b, h->columns.elements) : i, tafe_bench_random(b));
		stray(b);
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

static void random_command(struct tafe_in *in, const uint64_t r[3], const struct tafe_params *p)
{
	in->cmd_valid = (r[0] >> 40 & 63) == 0;
	in->cmd_op = r[0] >> 32 & 3;
	in->cmd_entry = (r[0] >> 34) & (p->entries - 1);
	in->cmd_base = 0x100 + (r[0] >> 36 & 0xf8);
	in->cmd_limit = in->cmd_base + (r[1] >> 8 & 0xff);
	in->cmd_size = r[1] >> 16 & 3;
	in->cmd_type = r[1] >> 18 & 1;
	in->cmd_extents = r[1] >> 20 & 0xff;
	in->cmd_source = r[1] >> 30 & 0xff;
	in->cmd_c_s = (uint32_t)(r[1] >> 40 & 3);
	in->cmd_c_e = (uint32_t)(r[1] >> 42 & 3);
	in->cmd_ctas = (uint32_t)(r[2] & 31 & ((1u << p->tb_w) - 1));
	in->cmd_grid_x = (uint32_t)(r[2] >> 8 & 7);
	in->cmd_grid_y = (uint32_t)(r[2] >> 12 & 3);
	for (int i = 0; i < 3; i++)
		in->cmd_block[i] = r[2] >> (16 + 4 * i) & 7 & ((1u << p->block_w) - 1);
}

void tafe_random_in(struct tafe_in *in, uint64_t *x, const struct tafe_params *p)
{
	uint64_t r[4];

	for (int i = 0; i < 4; i++)
		r[i] = random_u64(x);
	if (!in->cmd_valid || (r[2] >> 56 & 15) == 0)
		random_command(in, r, p);
	in->st_valid = (r[0] & 7) != 0;
	in->st_addr = 0x100 + (r[0] >> 8 & 0xff);
	in->st_data = r[0] >> 60 ? r[1] >> (r[0] >> 20 & 63) : r[1];
	in->st_size = r[0] >> 30 & 3;
	in->req_ready = r[2] >> 40 & 1;
	in->rsp_valid = (r[2] >> 41 & 3) == 0;
	in->rsp_tag = r[2] >> 43 & 1;
	for (int i = 0; i < 8; i++)
		in->rsp_data[i] = r[2] >> 50 & 1 ? r[3] * (i + 1) : (r[3] >> (8 * i)) & 0x0003000300030103;
}
