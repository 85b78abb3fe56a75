#include "support/ptx.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char before[] = ".visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)\n{\n"
			     ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<32>;\n"
			     ".reg .f32 %f<16>;\n.reg .f64 %fd<16>;\n";

static void parse_in(struct ptx_try *t, enum ptx_order order, const char *head, const char *body)
{
	size_t room = strlen(head) + strlen(body) + sizeof before + 200;
	char *text = malloc(room);
	int n = snprintf(text, room, ".version 6.0\n.target sm_60\n.address_size 64\n%s\n%s%s\n}\n", head, before, body);

	memset(t, 0, sizeof *t);
	t->m = ptx_parse_in(order, text, (size_t)n, "test.ptx", &t->e);
	t->result = t->m ? 0 : -1;
	free(text);
}

void ptx_try_parse(struct ptx_try *t, const char *head, const char *body)
{
	parse_in(t, PTX_TEXT_ORDER, head, body);
}

static void bind_and_run(struct ptx_try *t, const uint32_t grid[3], const uint32_t block[3], const void *in, uint32_t n_words,
			 struct trace_writer *w)
{
	struct {
		uint64_t out, in;
		uint32_t n;
	} params;
	struct ptx_launch l = {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, 0, &params};
	uint32_t kernel = 0;

	memory_add(&t->mem, "out", PTX_TRY_WORDS * 4, &t->e);
	memory_add(&t->mem, "in", PTX_TRY_WORDS * 4, &t->e);
	t->out = t->mem.buffer[0].base;
	t->in = t->mem.buffer[1].base;
	if (n_words)
		memcpy(t->mem.buffer[1].bytes, in, n_words * 4u);
	params.out = t->out;
	params.in = t->in;
	params.n = n_words;
	t->result = ptx_bind(t->m, &t->mem, &t->e);
	if (w)
		kernel = trace_add_kernel(w, ptx_trace_kernel(ptx_kernel_at(t->m, 0)));
	for (unsigned i = 0; w && i < t->mem.n; i++)
		trace_add_buffer(w, t->mem.buffer[i].name, t->mem.buffer[i].base, t->mem.buffer[i].size, &t->e);
	if (!t->result)
		t->result = ptx_run(ptx_kernel_named(t->m, "k"), &l, &t->mem, w, kernel, &t->e);
}

/* What an assembler's order leaves behind, too. */
static void run_reordered(const struct ptx_try *t, const char *head, const char *body, const uint32_t grid[3],
			  const uint32_t block[3], const void *in, uint32_t n_words)
{
	struct ptx_try other;

	parse_in(&other, PTX_ASSEMBLER_ORDER, head, body);
	cr_assert_not_null(other.m, "%s", other.e.text);
	bind_and_run(&other, grid, block, in, n_words, NULL);
	cr_expect_eq(other.result, 0, "%s", other.e.text);
	for (unsigned i = 0; i < 2; i++)
		cr_expect_eq(memcmp(other.mem.buffer[i].bytes, t->mem.buffer[i].bytes, PTX_TRY_WORDS * 4), 0,
			     "%s differs in an assembler's order:\n%s", t->mem.buffer[i].name, body);
	ptx_try_free(&other);
}

void ptx_try_run(struct ptx_try *t, const char *head, const char *body, const uint32_t grid[3], const uint32_t block[3],
		 const void *in, uint32_t n_words, struct trace_writer *w)
{
	ptx_try_parse(t, head, body);
	if (!t->m)
		return;
	bind_and_run(t, grid, block, in, n_words, w);
	if (t->result == 0 && !strstr(body, "%clock"))
		run_reordered(t, head, body, grid, block, in, n_words);
}

void ptx_try_threads(struct ptx_try *t, const char *body, uint32_t threads, const void *in, uint32_t n_words)
{
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {threads, 1, 1};

	ptx_try_run(t, "", body, grid, block, in, n_words, NULL);
}

uint32_t *ptx_try_out(const struct ptx_try *t)
{
	return (uint32_t *)(void *)t->mem.buffer[0].bytes;
}

void ptx_try_free(struct ptx_try *t)
{
	ptx_close(t->m);
	memory_free(&t->mem);
}
