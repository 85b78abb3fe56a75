/* 801: what the analysis of a launch claims, beside what the executor did, for every workload at test size and for
 * kernels that exercise one thing each. Two claims: each address of an access is one that its form takes for that
 * thread, some iterations and a slack between lo and hi; and an exact access is executed at the enumerated addresses,
 * as often as enumerated, and no others. The spans of bytes of a CTA are exactly those of the executed addresses if the
 * access is exact; if it is possible and has no slack, all that is executed is in them.
 */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "affine/spans.h"
#include "base/files/root.h"
#include "workload/program.h"
#include "workload/source.h"
#include "support/ptx.h"
#include "trace/walk.h"

struct access { /* one lane's access in the trace */
	uint32_t pc, thread;
	uint64_t address;
};

struct accesses {
	struct access *at;
	size_t n, cap;
};

static void see(struct accesses *s, uint32_t pc, uint32_t thread, uint64_t address)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 1024;
		s->at = realloc(s->at, s->cap * sizeof *s->at);
	}
	s->at[s->n++] = (struct access){pc, thread, address};
}

static int order(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static void sort(struct accesses *s)
{
	if (s->n)
		qsort(s->at, s->n, sizeof *s->at, order);
}

struct cta_sights {
	struct accesses *to;
	const struct trace_cta *cta;
};

static void see_access(void *ctx, const struct trace_access *a)
{
	const struct cta_sights *s = ctx;
	uint64_t lane[TRACE_WARP_SIZE];

	if (a->inst->space != SPACE_GLOBAL)
		return;
	trace_addr_expand(s->cta, a->addr, a->mask, lane);
	for (uint32_t l = 0; l < TRACE_WARP_SIZE; l++)
		if (a->mask >> l & 1)
			see(s->to, a->pc, a->warp * TRACE_WARP_SIZE + l, lane[l]);
}

static void see_cta(struct accesses *s, const struct trace_kernel *k, const struct trace_cta *c)
{
	s->n = 0;
	trace_walk_cta(k, c, see_access, &(struct cta_sights){s, c});
	sort(s);
}

struct claim {
	const struct trace *t;
	const struct affine_launch *l;
	const struct affine_access *x;
	uint32_t cta[3];
	struct accesses predicted;
	struct accesses reach; /* by spans: `pc` is the length */
};

static bool predict(void *ctx, uint32_t thread, int64_t offset)
{
	struct claim *c = ctx;

	see(&c->predicted, c->x->pc, thread, trace_buffer(c->t, (uint32_t)c->x->at.buffer)->base + (uint64_t)offset);
	return true;
}

/* Whether some iterations make the form differ from `offset` by a slack between lo and hi. */
static bool reaches(const struct claim *c, const struct affine_form *f, uint32_t term, int64_t rest)
{
	const struct affine_loop *loop;

	if (term == f->n_loops || term == AFFINE_NEST)
		return rest >= f->lo && rest <= f->hi;
	loop = &c->l->loop[f->loop[term].loop];
	for (uint64_t t = 0; t < loop->trips && t < 5000; t++)
		if (reaches(c, f, term + 1, rest - f->loop[term].k * (int64_t)t))
			return true;
	return false;
}

static bool covers(const struct claim *c, const struct access *s)
{
	const struct affine_form *f = &c->x->at;
	const uint32_t *b = c->l->block;
	const uint32_t index[INDEX_COUNT] = {
		s->thread % b[0], s->thread / b[0] % b[1], s->thread / b[0] / b[1], c->cta[0], c->cta[1], c->cta[2]};
	int64_t rest;

	if (f->lo <= -AFFINE_INF && f->hi >= AFFINE_INF)
		return true;
	rest = (int64_t)(s->address - trace_buffer(c->t, (uint32_t)f->buffer)->base) - f->c;
	for (int v = 0; v < INDEX_COUNT; v++)
		rest -= f->k[v] * index[v];
	return reaches(c, f, 0, rest);
}

static void reach(void *ctx, int64_t offset, uint64_t bytes)
{
	struct claim *c = ctx;

	see(&c->reach, (uint32_t)bytes, 0, trace_buffer(c->t, (uint32_t)c->x->at.buffer)->base + (uint64_t)offset);
}

static int by_address(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* Sorts pieces of memory and joins those that overlap or touch; `pc` is the length. */
static void join(struct accesses *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->at, s->n, sizeof *s->at, by_address);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t end = s->at[i].address + s->at[i].pc, last = n ? s->at[n - 1].address + s->at[n - 1].pc : 0;

		if (!n || s->at[i].address > last)
			s->at[n++] = s->at[i];
		else if (end > last)
			s->at[n - 1].pc = (uint32_t)(end - s->at[n - 1].address);
	}
	s->n = n;
}

static bool is_in(const struct accesses *s, const struct access *piece)
{
	for (size_t i = 0; i < s->n; i++)
		if (piece->address >= s->at[i].address && piece->address + piece->pc <= s->at[i].address + s->at[i].pc)
			return true;
	return false;
}

static void check_spans(struct claim *c, const struct accesses *s, size_t first, size_t end, const char *what)
{
	enum affine_certainty certain = affine_certainty_of(c->l, c->x);
	struct affine_spans *spans;
	struct accesses done = {0};

	cr_assert_eq(certain == AFFINE_EXACT, affine_is_exact(c->l, c->x));
	if (certain == AFFINE_OPEN)
		return;
	spans = affine_spans_new(c->l, c->x);
	c->reach.n = 0;
	affine_spans_of_cta(spans, c->cta, reach, c);
	affine_spans_free(spans);
	for (size_t i = first; i < end; i++)
		see(&done, c->x->width, 0, s->at[i].address);
	join(&done);
	join(&c->reach);
	for (size_t i = 0; i < done.n; i++)
		cr_assert(is_in(&c->reach, &done.at[i]), "%s line %u, CTA %u %u: no span has 0x%llx", what, c->x->line, c->cta[0],
			  c->cta[1], (unsigned long long)done.at[i].address);
	for (size_t i = 0; i < c->reach.n && certain == AFFINE_EXACT; i++)
		cr_assert(is_in(&done, &c->reach.at[i]), "%s line %u, CTA %u %u: 0x%llx is not executed", what, c->x->line,
			  c->cta[0], c->cta[1], (unsigned long long)c->reach.at[i].address);
	free(done.at);
}

struct tally {
	unsigned exact, bounded, open;
};

static void check_access(struct claim *c, const struct accesses *s, const char *what, struct tally *n)
{
	size_t first = 0, end;

	while (first < s->n && s->at[first].pc < c->x->pc)
		first++;
	for (end = first; end < s->n && s->at[end].pc == c->x->pc;)
		end++;
	check_spans(c, s, first, end, what);
	if (affine_is_exact(c->l, c->x)) {
		c->predicted.n = 0;
		affine_enumerate(c->l, c->x, c->cta, predict, c);
		sort(&c->predicted);
		cr_assert_eq(c->predicted.n, end - first, "%s line %u, CTA %u %u: predicted %zu, executed %zu", what, c->x->line,
			     c->cta[0], c->cta[1], c->predicted.n, end - first);
		for (size_t i = first; i < end; i++)
			cr_assert_eq(c->predicted.at[i - first].address, s->at[i].address,
				     "%s line %u, CTA %u %u, thread %u: predicted 0x%llx, executed 0x%llx", what, c->x->line,
				     c->cta[0], c->cta[1], s->at[i].thread, (unsigned long long)c->predicted.at[i - first].address,
				     (unsigned long long)s->at[i].address);
		n->exact++;
		return;
	}
	if (c->x->at.buffer < 0 || c->x->at.lo <= -AFFINE_INF) {
		n->open++;
		return;
	}
	n->bounded++;
	for (size_t i = first; i < end; i += 1 + (end - first) / 256)
		cr_assert(covers(c, &s->at[i]), "%s line %u, CTA %u %u, thread %u: 0x%llx is not covered", what, c->x->line,
			  c->cta[0], c->cta[1], s->at[i].thread, (unsigned long long)s->at[i].address);
}

/* Every access of the trace must be one that the analysis knows of. */
static void check_known(const struct affine_launch *l, const struct accesses *s, const char *what)
{
	for (size_t i = 0; i < s->n; i++) {
		bool found = false;

		if (i && s->at[i].pc == s->at[i - 1].pc)
			continue;
		for (uint32_t a = 0; a < l->n_accesses && !found; a++)
			found = l->access[a].pc == s->at[i].pc;
		cr_assert(found, "%s: instruction %u was executed, but the analysis says it never is", what, s->at[i].pc);
	}
}

static struct tally check_launch(struct trace *t, uint32_t launch, const struct affine_launch *l, const char *what)
{
	const struct trace_launch *tl = trace_launch(t, launch);
	struct claim c = {.t = t, .l = l};
	struct trace_cta cta = {0};
	struct accesses s = {0};
	struct tally n = {0};
	struct err e = {""};
	uint32_t step = tl->n_ctas / 3 + 1;

	for (uint32_t i = 0; i < tl->n_ctas; i = i + step < tl->n_ctas || i == tl->n_ctas - 1 ? i + step : tl->n_ctas - 1) {
		cr_assert_eq(trace_read_cta(t, launch, i, &cta, &e), 0, "%s", e.text);
		see_cta(&s, trace_kernel(t, tl->kernel), &cta);
		check_known(l, &s, what);
		c.cta[0] = i % tl->grid[0];
		c.cta[1] = i / tl->grid[0] % tl->grid[1];
		c.cta[2] = i / tl->grid[0] / tl->grid[1];
		n = (struct tally){0};
		for (uint32_t a = 0; a < l->n_accesses; a++) {
			c.x = &l->access[a];
			check_access(&c, &s, what, &n);
		}
	}
	trace_cta_free(&cta);
	free(s.at);
	free(c.predicted.at);
	free(c.reach.at);
	return n;
}

static const char *const all_affine[] = {"2mm",	    "atax",   "backprop", "blackscholes", "conv2d",    "gaussian",
					 "gesummv", "kmeans", "matmul",	  "mvt",	  "nn",	       "nw",
					 "sepconv", "syr2k",  "syrk",	  "transpose",	  "vectoradd", NULL};
static const char *const data_dependent[] = {"bfs", "spmv", "pagerank", "chase", NULL};

static bool listed(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

Test(affine, agrees_with_every_workload)
{
	char root[4096];

	for (unsigned i = 0; workloads[i]; i++) {
		struct source_options o = {
			.what = workloads[i]->name, .root = root_path("", root), .size = "test", .analyse = true};
		struct tally sum = {0};
		struct source s;
		struct err e = {""};
		uint32_t n;

		cr_assert_eq(source_open(&s, &o, &e), 0, "%s", e.text);
		n = trace_n_launches(s.trace);
		for (uint32_t l = 0; l < n; l += 1 + n / 40) {
			struct tally t = check_launch(s.trace, l, s.analysis[l], workloads[i]->name);

			sum.exact += t.exact;
			sum.bounded += t.bounded;
			sum.open += t.open;
		}
		/* Kernels whose indices are sums and products of indices and sizes leave nothing open; a graph's do. */
		if (listed(all_affine, workloads[i]->name))
			cr_expect(sum.exact && !sum.bounded && !sum.open, "%s: %u bounded, %u open", workloads[i]->name,
				  sum.bounded, sum.open);
		if (listed(data_dependent, workloads[i]->name))
			cr_expect(sum.exact && sum.open, "%s: %u exact, %u open", workloads[i]->name, sum.exact, sum.open);
		source_close(&s);
	}
}

/* ---- kernels that exercise one thing each: they store to out[r5], or do what the body says; r1 = tid.x, r2 = ctaid.x,
 * rd1 = out
 * ---- */

static const char before[] = "ld.param.u64 %rd1, [out];\nld.param.u32 %r20, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n";
static const char put[] = "mul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\n";

enum expected { EXACT, BOUNDED, OPEN };

/* n is 12; three CTAs of 48 threads. PUT in the body stands for the store. */
static void expect_kernel(const char *what, enum expected wanted, const char *body)
{
	const uint32_t grid[3] = {3, 1, 1}, block[3] = {48, 1, 1}, in[12] = {0};
	const char *at = strstr(body, "PUT");
	struct trace_writer *w;
	struct arena a = {0};
	struct ptx_try t;
	struct trace *trace;
	struct tally n;
	struct err e = {""};
	char text[4096];

	snprintf(text, sizeof text, "%s%.*s%s%s\nDONE:\nret;", before, (int)(at - body), body, put, at + 3);
	w = trace_writer_new(&(struct trace_options){.name = what}, &e);
	ptx_try_run(&t, "", text, grid, block, in, 12, w);
	cr_assert_eq(t.result, 0, "%s: %s", what, t.e.text);
	trace = trace_writer_finish(w, &e);
	cr_assert_not_null(trace, "%s", e.text);
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {t.out, t.in, 12};
	struct ptx_launch l = {{3, 1, 1}, {48, 1, 1}, 0, &params};

	n = check_launch(trace, 0, affine_analyse(ptx_kernel_at(t.m, 0), &l, &t.mem, &a), what);
	cr_expect_eq(n.open	 ? OPEN
		     : n.bounded ? BOUNDED
				 : EXACT,
		     wanted, "%s: %u exact, %u bounded, %u open", what, n.exact, n.bounded, n.open);
	trace_close(trace);
	ptx_try_free(&t);
	arena_free(&a);
}

Test(affine, follows_conditions)
{
	expect_kernel("a guard", EXACT, "setp.lt.u32 %p1, %r1, 7;\nmov.u32 %r5, %r1;\n@!%p1 bra DONE;\nPUT");
	expect_kernel("a predicated exit", EXACT, "setp.gt.s32 %p1, %r1, 30;\nmov.u32 %r5, %r1;\n@%p1 exit;\nPUT");
	expect_kernel(
		"a predicated access", EXACT,
		"setp.eq.s32 %p1, %r1, 30;\nmad.lo.s32 %r5, %r2, 48, %r1;\nmul.wide.s32 %rd4, %r5, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
		"@!%p1 bra DONE;\nPUT");
	expect_kernel("both of two conditions", EXACT,
		      "setp.gt.s32 %p1, %r1, 3;\nsetp.lt.s32 %p2, %r1, 9;\nand.pred %p3, %p1, %p2;\nmov.u32 %r5, %r1;\n@!%p3 bra "
		      "DONE;\nPUT");
	expect_kernel("one of two conditions", EXACT,
		      "setp.lt.s32 %p1, %r1, 3;\nsetp.gt.s32 %p2, %r1, 9;\nor.pred %p3, %p1, %p2;\nmov.u32 %r5, %r1;\n@!%p3 bra "
		      "DONE;\nPUT");
	/* The block of the store has two ways in: which threads take one of them is not kept. */
	expect_kernel("one of two branches", BOUNDED,
		      "mov.u32 %r5, %r1;\nsetp.lt.s32 %p1, %r1, 3;\n@%p1 bra L;\nsetp.gt.s32 %p2, %r1, 9;\n@%p2 bra L;\nbra "
		      "DONE;\nL:\nPUT");
	expect_kernel("two ways that meet before it", EXACT,
		      "mov.u32 %r5, %r1;\nsetp.lt.s32 %p1, %r1, 3;\n@%p1 bra L;\nmov.u32 %r6, 1;\nL:\nPUT");
	expect_kernel("an unsigned check of both ends", EXACT,
		      "add.s32 %r5, %r1, -4;\nsetp.lt.u32 %p1, %r5, 10;\n@!%p1 bra DONE;\nPUT");
	expect_kernel("a condition that the sizes decide", EXACT,
		      "mov.u32 %r5, 0;\nsetp.gt.u32 %p1, %r20, 100;\n@%p1 bra DONE;\nadd.s32 %r5, %r1, 5;\nPUT");
	expect_kernel(
		"data", BOUNDED,
		"ld.param.u64 %rd7, [in];\nld.global.u32 %r7, [%rd7];\nsetp.eq.u32 %p1, %r7, 0;\nmov.u32 %r5, %r1;\n@!%p1 bra "
		"DONE;\nPUT");
}

Test(affine, bounds_what_is_not_linear)
{
	expect_kernel("a minimum that cuts", BOUNDED, "min.s32 %r5, %r1, 10;\nPUT");
	expect_kernel("a minimum that never cuts", EXACT, "min.s32 %r5, %r1, 47;\nPUT");
	expect_kernel("a minimum that always cuts", EXACT, "add.s32 %r6, %r1, 20;\nmin.s32 %r5, %r6, 20;\nPUT");
	expect_kernel("a maximum that cuts", BOUNDED, "add.s32 %r6, %r1, -5;\nmax.s32 %r5, %r6, 0;\nPUT");
	expect_kernel("a clamp at both ends", BOUNDED,
		      "mad.lo.s32 %r6, %r2, 48, %r1;\nadd.s32 %r6, %r6, -1;\nmax.s32 %r6, %r6, 0;\nmin.s32 %r5, %r6, 142;\nPUT");
	expect_kernel("a selection", BOUNDED,
		      "setp.gt.s32 %p1, %r1, 9;\nadd.s32 %r6, %r1, 100;\nselp.b32 %r5, %r6, %r1, %p1;\nPUT");
	expect_kernel("low bits", BOUNDED, "and.b32 %r5, %r1, 7;\nPUT");
	expect_kernel("high bits", BOUNDED, "and.b32 %r5, %r1, -8;\nPUT");
	expect_kernel("low bits that are all there is", EXACT, "and.b32 %r5, %r1, 63;\nPUT");
	expect_kernel("bits put together", EXACT, "shl.b32 %r6, %r2, 6;\nor.b32 %r5, %r6, %r1;\nPUT");
	expect_kernel("a quotient", BOUNDED, "div.u32 %r5, %r1, 5;\nPUT");
	expect_kernel("a quotient without rest", EXACT, "mul.lo.s32 %r6, %r1, 20;\ndiv.u32 %r5, %r6, 5;\nPUT");
	expect_kernel("a remainder", BOUNDED, "rem.u32 %r5, %r1, 5;\nPUT");
	expect_kernel("a shift", BOUNDED, "shr.u32 %r5, %r1, 2;\nPUT");
	expect_kernel("a quotient by a magic number", BOUNDED, "mul.hi.u32 %r6, %r1, -252645135;\nshr.u32 %r5, %r6, 5;\nPUT");
	expect_kernel("a product of thread and CTA", BOUNDED, "mul.lo.s32 %r5, %r1, %r2;\nPUT");
	expect_kernel("16 bits", BOUNDED,
		      "cvt.u16.u32 %h1, %r1;\nmul.lo.s16 %h1, %h1, 1;\ncvt.u32.u16 %r6, %h1;\nand.b32 %r5, %r6, 31;\nPUT");
	expect_kernel("a value from memory", OPEN, "ld.param.u64 %rd7, [in];\nld.global.u32 %r5, [%rd7];\nPUT");
}

Test(affine, counts_loops)
{
	expect_kernel("up to a size", EXACT,
		      "mov.u32 %r6, 0;\nL:\nmad.lo.s32 %r5, %r6, 48, %r1;\nPUTadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, "
		      "%r20;\n@%p1 bra L;");
	expect_kernel("in steps that pass the end", EXACT,
		      "mov.u32 %r6, 0;\nL:\nmad.lo.s32 %r5, %r6, 48, %r1;\nPUTadd.s32 %r6, %r6, 5;\nsetp.lt.s32 %p1, %r6, "
		      "%r20;\n@%p1 bra L;");
	expect_kernel("down to zero", EXACT,
		      "mov.u32 %r6, %r20;\nL:\nmad.lo.s32 %r5, %r6, 48, %r1;\nPUTadd.s32 %r6, %r6, -3;\nsetp.ne.s32 %p1, %r6, "
		      "0;\n@%p1 bra L;");
	expect_kernel("tested at the top", EXACT,
		      "mov.u32 %r6, 0;\nL:\nsetp.ge.s32 %p1, %r6, 9;\n@%p1 bra DONE;\nmad.lo.s32 %r5, %r6, 48, %r1;\nPUTadd.s32 "
		      "%r6, %r6, 2;\nbra L;");
	expect_kernel("as often as the thread says", EXACT,
		      "mov.u32 %r6, 0;\nL:\nsetp.ge.s32 %p1, %r6, %r1;\n@%p1 bra DONE;\nmov.u32 %r5, %r6;\nPUTadd.s32 %r6, %r6, "
		      "1;\nbra L;");
	expect_kernel(
		"from the thread on in strides", EXACT,
		"mov.u32 %r6, %r1;\nL:\nmov.u32 %r5, %r6;\nPUTadd.s32 %r6, %r6, 48;\nsetp.lt.s32 %p1, %r6, 130;\n@%p1 bra L;");
	expect_kernel("a triangle", EXACT,
		      "mov.u32 %r6, 0;\nL:\nmov.u32 %r7, 0;\nM:\nsetp.gt.s32 %p1, %r7, %r6;\n@%p1 bra N;\nmad.lo.s32 %r5, %r6, 12, "
		      "%r7;\nPUT"
		      "add.s32 %r7, %r7, 1;\nbra M;\nN:\nadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, %r20;\n@%p2 bra L;");
	expect_kernel(
		"a pointer that both loops move", EXACT,
		"mov.u32 %r6, 0;\nmov.u32 %r5, %r1;\nL:\nmov.u32 %r7, 0;\nM:\nPUTadd.s32 %r5, %r5, 10;\nadd.s32 %r7, %r7, 1;\n"
		"setp.lt.s32 %p1, %r7, 3;\n@%p1 bra M;\nadd.s32 %r5, %r5, 7;\nadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, "
		"%r20;\n@%p2 bra L;");
	expect_kernel(
		"what is left after one", EXACT,
		"mov.u32 %r6, 0;\nL:\nadd.s32 %r6, %r6, 5;\nsetp.lt.s32 %p1, %r6, %r20;\n@%p1 bra L;\nadd.s32 %r5, %r6, %r1;\nPUT");
	expect_kernel("doubling", OPEN, "mov.u32 %r5, 1;\nL:\nPUTadd.s32 %r5, %r5, %r5;\nsetp.lt.s32 %p1, %r5, 100;\n@%p1 bra L;");
	expect_kernel("steps that grow", OPEN,
		      "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nL:\nPUTadd.s32 %r6, %r6, 1;\nadd.s32 %r5, %r5, %r6;\nsetp.lt.u32 %p1, "
		      "%r6, %r20;\n@%p1 bra L;");
	expect_kernel("a way out in the middle", BOUNDED,
		      "mov.u32 %r6, 0;\nL:\nmad.lo.s32 %r5, %r6, 48, %r1;\nPUTadd.s32 %r7, %r6, %r1;\nsetp.eq.s32 %p2, %r7, "
		      "20;\n@%p2 bra DONE;\n"
		      "add.s32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, %r20;\n@%p1 bra L;");
	expect_kernel(
		"a way into the middle", OPEN,
		"mov.u32 %r5, 0;\nsetp.gt.s32 %p1, %r1, 5;\n@%p1 bra M;\nL:\nadd.s32 %r5, %r5, 1;\nM:\nPUTadd.s32 %r5, %r5, 2;\n"
		"setp.lt.s32 %p2, %r5, 30;\n@%p2 bra L;");
	expect_kernel("turns that depend on parity", OPEN,
		      "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nL:\nPUTand.b32 %r7, %r6, 1;\nsetp.eq.s32 %p1, %r7, 0;\n@%p1 bra "
		      "M;\nadd.s32 %r5, %r5, 3;\n"
		      "M:\nadd.s32 %r5, %r5, 1;\nadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, %r20;\n@%p2 bra L;");
}
