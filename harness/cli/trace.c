/* locus trace info FILE: what is in a recorded trace. locus trace dump FILE: what one CTA did, as text. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "cli/cli.h"
#include "process/progress.h"
#include "trace/trace.h"

struct trace_args {
	const char *verb, *file;
	uint64_t launch, cta, warp; /* warp: UINT64_MAX: all */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct trace_args *a = state->input;

	switch (key) {
	case 'l':
		a->launch = cli_argp_number(state, "--launch", arg, 0, UINT64_MAX);
		return 0;
	case 'c':
		a->cta = cli_argp_number(state, "--cta", arg, 0, UINT64_MAX);
		return 0;
	case 'w':
		a->warp = cli_argp_number(state, "--warp", arg, 0, UINT64_MAX);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			return ARGP_ERR_UNKNOWN;
		*(state->arg_num ? &a->file : &a->verb) = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num != 2 || (strcmp(a->verb, "info") && strcmp(a->verb, "dump")))
			argp_error(state, "needs info or dump, and a trace");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"launch", 'l', "N", 0, "dump: launch to print, from 0 (default: 0)", 0},
	{"cta", 'c', "N", 0, "dump: CTA of the launch (default: 0)", 0},
	{"warp", 'w', "N", 0, "dump: warp of the CTA (default: all)", 0},
	{0},
};
static const struct argp argp = {options,
				 parse,
				 "info FILE.ltrace\ndump FILE.ltrace",
				 "info prints the kernels, launches, buffers, sizes and the instruction mix of a recorded trace.\n"
				 "dump prints each instruction that the warps of a CTA executed, with lanes and "
				 "addresses, and what an access waits for.\v"
				 "Examples:\n  locus record syrk -o syrk.ltrace && locus trace info syrk.ltrace\n  locus trace "
				 "dump syrk.ltrace --cta 17 --warp 0 | head",
				 NULL,
				 NULL,
				 NULL};

/* ---- info ---- */

static void print_kernels(const struct trace *t)
{
	printf("\n  %-24s %12s %10s %12s %12s %12s\n", "kernel", "instructions", "virtual", "registers", "shared bytes",
	       "local bytes");
	for (uint32_t i = 0; i < trace_n_kernels(t); i++) {
		const struct trace_kernel *k = trace_kernel(t, i);

		printf("  %-24s %12" PRIu32 " %10" PRIu32 " %12" PRIu32 " %12" PRIu32 " %12" PRIu32 "\n", k->name, k->n_inst,
		       k->n_regs, k->regs_per_thread, k->shared_bytes, k->local_bytes);
	}
}

static const char *dims(const uint32_t d[3], char out[48])
{
	if (d[2] > 1)
		snprintf(out, 48, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, d[0], d[1], d[2]);
	else if (d[1] > 1)
		snprintf(out, 48, "%" PRIu32 "x%" PRIu32, d[0], d[1]);
	else
		snprintf(out, 48, "%" PRIu32, d[0]);
	return out;
}

static void print_launches(const struct trace *t)
{
	printf("\n  %6s  %-24s %14s %12s %14s %10s %18s %12s\n", "launch", "kernel", "grid", "block", "dynamic shared", "CTAs",
	       "warp instructions", "active lanes");
	for (uint32_t i = 0; i < trace_n_launches(t); i++) {
		const struct trace_launch *l = trace_launch(t, i);
		char grid[48], block[48], ctas[32], insts[32];

		printf("  %6" PRIu32 "  %-24s %14s %12s %14" PRIu32 " %10s %18s %12.1f\n", i, trace_kernel(t, l->kernel)->name,
		       dims(l->grid, grid), dims(l->block, block), l->dynamic_shared_bytes, number_commas(l->n_ctas, ctas),
		       number_commas(l->warp_insts, insts), l->warp_insts ? (double)l->thread_insts / (double)l->warp_insts : 0.0);
	}
}

/* "launches below 3, 4, 7"; nothing of a program whose launches follow one another. */
static void print_waits(const struct trace *t)
{
	if (trace_is_in_order(t))
		return;
	printf("\n  %6s  %s\n", "launch", "begins when these have ended");
	for (uint32_t i = 0; i < trace_n_launches(t); i++) {
		const struct trace_launch *l = trace_launch(t, i);

		printf("  %6" PRIu32 "  ", i);
		if (l->below)
			printf("launches below %" PRIu32, l->below);
		else if (!l->n_waits)
			printf("-");
		for (uint32_t n = 0; n < l->n_waits; n++)
			printf("%s%" PRIu32, n || l->below ? ", " : "", trace_waits(t, l)[n]);
		putchar('\n');
	}
}

static void print_buffers(const struct trace *t)
{
	char size[32];

	if (trace_n_buffers(t))
		printf("\n  %-24s %18s %18s\n", "buffer", "address", "bytes");
	for (uint32_t i = 0; i < trace_n_buffers(t); i++) {
		const struct trace_buffer *b = trace_buffer(t, i);

		printf("  %-24s %#18" PRIx64 " %18s\n", b->name, b->base, number_commas(b->size, size));
	}
}

/* "device3", "device3+0x40"; "-" for the host's side. */
static const char *place(const struct trace *t, uint64_t addr, char out[96])
{
	int i = addr ? trace_buffer_of(t, addr) : -1;
	const struct trace_buffer *b = i < 0 ? NULL : trace_buffer(t, (uint32_t)i);

	if (!addr)
		snprintf(out, 96, "-");
	else if (!b)
		snprintf(out, 96, "0x%" PRIx64, addr);
	else if (b->base == addr)
		snprintf(out, 96, "%.64s", b->name);
	else
		snprintf(out, 96, "%.64s+0x%" PRIx64, b->name, addr - b->base);
	return out;
}

static void print_copies(const struct trace *t)
{
	static const char *const kind[TRACE_COPY_KINDS] = {"to device", "to host", "on device", "fill"};
	char to[96], from[96], bytes[32];

	if (trace_n_copies(t))
		printf("\n  %13s  %-10s %18s  %-24s %s\n", "before launch", "copy", "bytes", "to", "from");
	for (uint64_t i = 0; i < trace_n_copies(t); i++) {
		const struct trace_copy *c = trace_copy(t, i);

		printf("  %13" PRIu32 "  %-10s %18s  %-24s %s\n", c->before_launch, kind[c->kind], number_commas(c->bytes, bytes),
		       place(t, c->to, to), place(t, c->from, from));
	}
}

struct mix_row {
	const char *name;
	uint64_t count;
};

static int by_count(const void *x, const void *y)
{
	const struct mix_row *a = x, *b = y;

	return a->count < b->count ? 1 : a->count > b->count ? -1 : strcmp(a->name, b->name);
}

struct mix {
	struct mix_row *row; /* by opcode name */
	unsigned n;
	uint64_t affine, list; /* address records */
};

static void mix_add(struct mix *m, const char *name, uint64_t count)
{
	unsigned i = 0;

	while (i < m->n && strcmp(m->row[i].name, name))
		i++;
	if (i == m->n) {
		m->row = xgrow(m->row, m->n, sizeof *m->row);
		m->row[m->n++] = (struct mix_row){name, 0};
	}
	m->row[i].count += count;
}

/* Adds a launch's executions of each instruction: a run adds one from its first pc on and takes it away behind its
 * last. */
static int mix_launch(struct mix *m, struct trace *t, uint32_t launch, struct trace_cta *c, struct err *e)
{
	const struct trace_launch *l = trace_launch(t, launch);
	const struct trace_kernel *k = trace_kernel(t, l->kernel);
	uint64_t *change = xcalloc((size_t)k->n_inst + 1, sizeof *change), running = 0, total = 0;
	int failed = 0;

	for (uint32_t i = 0; i < l->n_ctas && !failed; i++) {
		failed = trace_read_cta(t, launch, i, c, e);
		for (uint32_t r = 0; r < c->n_runs && !failed; r++) {
			change[c->runs[r].pc]++;
			change[c->runs[r].pc + c->runs[r].len]--;
		}
		for (uint32_t a = 0; a < c->n_addrs && !failed; a++)
			++*(trace_addr_at(c, a).list == TRACE_AFFINE ? &m->affine : &m->list);
	}
	for (uint32_t p = 0; p < k->n_inst && !failed; p++) {
		running += change[p];
		total += running;
		if (running)
			mix_add(m, k->names[k->inst[p].name], running);
	}
	free(change);
	if (!failed && total != l->warp_insts)
		return err_set(e, "launch %" PRIu32 " has %" PRIu64 " warp instructions by its header, and %" PRIu64 " in its CTAs",
			       launch, l->warp_insts, total);
	return failed;
}

static int print_mix(struct trace *t, uint64_t warp_insts, struct err *e)
{
	struct trace_cta c = {0};
	struct mix m = {0};
	struct progress p;
	char text[32];
	int failed = 0;

	progress_begin(&p, "reading %s", trace_name(t));
	for (uint32_t i = 0; i < trace_n_launches(t) && !failed; i++)
		failed = mix_launch(&m, t, i, &c, e);
	progress_end(&p);
	trace_cta_free(&c);
	if (!failed) {
		qsort(m.row, m.n, sizeof *m.row, by_count);
		printf("\n  %-24s %18s\n", "instruction", "warp executions");
		for (unsigned i = 0; i < m.n; i++)
			printf("  %-24s %18s %6.1f %%\n", m.row[i].name, number_commas(m.row[i].count, text),
			       100.0 * (double)m.row[i].count / (double)warp_insts);
		if (m.affine + m.list)
			printf("\n  memory accesses with affine addresses: %.1f %%\n",
			       100.0 * (double)m.affine / (double)(m.affine + m.list));
	}
	free(m.row);
	return failed;
}

static void print_sync(const struct trace *t)
{
	uint64_t accesses = 0, words = 0;
	char a[32], w[32];

	for (uint32_t i = 0; i < trace_n_launches(t); i++) {
		const struct trace_sync *s = trace_sync(t, i);

		accesses += s ? s->n_accesses : 0;
		words += s ? s->n_words : 0;
	}
	if (accesses)
		printf("  warps ordered by       %s accesses to %s words\n", number_commas(accesses, a), number_commas(words, w));
}

static int info(struct trace *t, const char *file, struct err *e)
{
	struct trace_sizes s = trace_sizes(t);
	uint64_t insts = 0;
	char a[32], b[32];

	for (uint32_t i = 0; i < trace_n_launches(t); i++)
		insts += trace_launch(t, i)->warp_insts;
	printf("%s (%s)\n\n", trace_name(t), file);
	printf("  hash                   0x%016" PRIx64 "\n", trace_hash(t));
	printf("  warp instructions      %s\n", number_commas(insts, a));
	printf("  bytes of all CTAs      %s compressed, %s before\n", number_commas(s.stored, a), number_commas(s.raw, b));
	printf("  bytes an instruction   %.3f compressed, %.3f before\n", insts ? (double)s.stored / (double)insts : 0.0,
	       insts ? (double)s.raw / (double)insts : 0.0);
	printf("  host stores            %s\n", number_commas(trace_n_stores(t), a));
	if (trace_independent_lanes(t))
		printf("  only for machines with sm.independent_lanes\n");
	if (trace_sms(t))
		printf("  only for machines of   %" PRIu32 " SMs\n", trace_sms(t));
	print_sync(t);
	print_kernels(t);
	print_launches(t);
	print_waits(t);
	print_buffers(t);
	print_copies(t);
	return print_mix(t, insts, e);
}

/* ---- dump ---- */

static void print_addrs(const struct trace_cta *c, uint32_t addr, uint32_t mask)
{
	struct trace_addr a = trace_addr_at(c, addr);
	uint64_t lane[TRACE_WARP_SIZE];

	if (a.list == TRACE_AFFINE) {
		printf("  0x%" PRIx64, a.base);
		if (a.shift > 0 && a.sx)
			printf(" %+" PRId32 " a lane", a.sx);
		if (a.shift < 5 && a.sy)
			printf(" %+" PRId32 " a row of %d", a.sy, 1 << a.shift);
		return;
	}
	trace_addr_expand(c, addr, mask, lane);
	for (; mask; mask &= mask - 1)
		printf(" 0x%" PRIx64, lane[__builtin_ctz(mask)]);
}

static void print_sleep(const struct trace_cta *c, uint32_t addr, uint32_t mask)
{
	uint64_t lane[TRACE_WARP_SIZE];

	trace_addr_expand(c, addr, mask, lane);
	printf("  %" PRIu64 " ns", lane[__builtin_ctz(mask)]);
}

enum { MOST_WORDS = 4 /* of an access, in its line */ };

/* "; waits for 40 of 0x10000008; again from 3 before; after 8, 16, 32, 64, ..., 256 ns", "; modification 2 of
 * 0x10000010", if the access orders warps. */
static void print_order(const struct trace_sync *s, const struct trace_sync_access *a)
{
	uint32_t n = a->n_items < MOST_WORDS ? a->n_items : MOST_WORDS;

	for (uint32_t i = a->first_item; i < a->first_item + n; i++) {
		const struct trace_sync_item *item = &s->item[i];
		uint64_t word = s->word[item->word].addr;

		if (item->need)
			printf("; waits for %" PRIu32 " of 0x%" PRIx64, item->need, word);
		if (item->n)
			printf("; modification %" PRIu32 " of 0x%" PRIx64, item->first, word);
		if (item->n > 1)
			printf(" to %" PRIu32, item->first + item->n - 1);
	}
	if (n < a->n_items)
		printf("; and of %" PRIu32 " words more", a->n_items - n);
	if (a->insts > 1)
		printf("; again from %" PRIu32 " before", a->insts - 1);
	for (uint32_t i = 0; i < a->n_sleeps && i < MOST_WORDS; i++)
		printf("%s %" PRIu32, i ? "," : "; after", s->sleep[a->first_sleep + i]);
	if (a->n_sleeps > MOST_WORDS)
		printf(", ..., %" PRIu32, s->sleep[a->first_sleep + a->n_sleeps - 1]);
	if (a->n_sleeps)
		printf(" ns");
}

/* sync: NULL, or the launch's. */
static void dump_warp(const struct trace_kernel *k, const struct trace_cta *c, uint32_t warp, const struct trace_sync *sync)
{
	const struct trace_warp *w = &c->warp[warp];
	uint32_t addr = w->first_addr, order = sync ? sync->first_access[c->id] : 0, end = sync ? sync->first_access[c->id + 1] : 0;

	while (order < end && sync->access[order].warp < warp)
		order++;

	for (uint32_t i = w->first_run; i < w->first_run + w->n_runs; i++) {
		const struct trace_run *r = &c->runs[i];

		for (uint32_t p = r->pc; p < r->pc + r->len; p++) {
			const struct trace_inst *in = &k->inst[p];

			printf("%4" PRIu32 " %6" PRIu32 " %6" PRIu32 " %08" PRIx32 "  %-24s", warp, p, in->line, r->mask,
			       k->names[in->name]);
			if (r->mask && in->space == SPACE_SLEEP) {
				print_sleep(c, addr++, r->mask);
			} else if (r->mask && trace_has_record(in)) {
				print_addrs(c, addr, r->mask);
				if (order < end && sync->access[order].warp == warp &&
				    sync->access[order].access == addr - w->first_addr)
					print_order(sync, &sync->access[order++]);
				addr++;
			}
			putchar('\n');
		}
	}
}

static int dump(struct trace *t, const struct trace_args *a, struct err *e)
{
	struct trace_cta c = {0};
	const struct trace_launch *l;

	if (a->launch >= trace_n_launches(t))
		return err_set(e, "%s: has no launch %" PRIu64 ", only %" PRIu32, a->file, a->launch, trace_n_launches(t));
	l = trace_launch(t, (uint32_t)a->launch);
	if (a->cta >= l->n_ctas)
		return err_set(e, "%s: launch %" PRIu64 " has no CTA %" PRIu64 ", only %" PRIu32, a->file, a->launch, a->cta,
			       l->n_ctas);
	if (a->warp != UINT64_MAX && a->warp >= l->warps_per_cta)
		return err_set(e, "%s: its CTAs have no warp %" PRIu64 ", only %" PRIu32, a->file, a->warp, l->warps_per_cta);
	if (trace_read_cta(t, (uint32_t)a->launch, (uint32_t)a->cta, &c, e)) {
		trace_cta_free(&c);
		return -1;
	}
	printf("warp     pc   line     mask  instruction\n");
	for (uint32_t w = 0; w < c.n_warps; w++)
		if (a->warp == UINT64_MAX || a->warp == w)
			dump_warp(trace_kernel(t, l->kernel), &c, w, trace_sync(t, (uint32_t)a->launch));
	trace_cta_free(&c);
	return 0;
}

int cli_trace(int argc, char **argv)
{
	struct trace_args args = {.warp = UINT64_MAX};
	struct cli_given given;
	struct err e = {""};
	struct trace *t;
	int failed;

	cli_parse_given(&argp, argc, argv, &args, &given);
	cli_needs(&given, !strcmp(args.verb, "dump"), "launch cta warp", "is an option of `locus trace dump`");
	t = trace_open(args.file, &e);
	if (!t)
		return cli_fail(&e);
	failed = strcmp(args.verb, "info") ? dump(t, &args, &e) : info(t, args.file, &e);
	trace_close(t);
	return failed ? cli_fail(&e) : CLI_OK;
}
