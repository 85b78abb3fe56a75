#include "profile/profile_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/inst_names.h"

enum { TEXT = 100, NAME = INST_NAME, CELL = 16 };

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* ---- the columns, of a line or of an instruction ---- */

static void print_head(FILE *to)
{
	fprintf(to, "  %6s %6s %6s %6s  %-11s %6s %6s %6s %8s  %s\n", "took", "issue", "held", "waited", "most for", "trans",
		"L1 hit", "L2 hit", "latency", "line");
}

/* A ratio, or nothing where there is nothing to divide by. */
static const char *ratio(char out[CELL], uint64_t a, uint64_t b, double times, const char *format)
{
	out[0] = '\0';
	if (b)
		snprintf(out, CELL, format, times * (double)a / (double)b);
	return out;
}

/* Of all cycles of schedulers. */
static const char *share(char out[CELL], uint64_t cycles, const struct profile_report *r)
{
	out[0] = '\0';
	if (cycles)
		snprintf(out, CELL, "%.1f%%", percent(cycles, r->slots));
	return out;
}

static void print_columns(const struct profile_report *r, const struct profile_row *x, FILE *to)
{
	uint64_t held = profile_held(x), l1 = x->l1_hits + x->l1_reserved + x->l1_misses;
	uint64_t l2 = x->l2_hits + x->l2_reserved + x->l2_misses;
	char cell[8][CELL];

	fprintf(to, "  %6s %6s %6s %6s  %-11s %6s %6s %6s %8s  ", share(cell[0], profile_taken(x), r), share(cell[1], x->issued, r),
		share(cell[2], held, r), share(cell[3], profile_waited(x), r), held ? stall_name(profile_main_cause(x)) : "",
		ratio(cell[4], x->transactions, x->accesses, 1, "%.1f"), ratio(cell[5], x->l1_hits, l1, 100, "%.1f%%"),
		ratio(cell[6], x->l2_hits, l2, 100, "%.1f%%"), ratio(cell[7], x->load_cycles, x->loads, 1, "%.1f"));
}

/* ---- names ---- */

static const struct trace_kernel *kernel_of(const struct profile_report *r, uint32_t kernel)
{
	return trace_kernel(r->lines->trace, kernel);
}

static void line_name(const struct profile_report *r, const struct profile_line *x, char out[NAME])
{
	const struct trace_kernel *k = kernel_of(r, x->kernel);

	if (!x->line)
		inst_name(k, x->first, out);
	else
		snprintf(out, NAME, "%.200s:%" PRIu32, x->file ? inst_base_name(k->lines->file[x->file - 1]) : "source", x->line);
}

static const char *file_of(const struct profile_report *r, const struct profile_line *x)
{
	return x->file ? kernel_of(r, x->kernel)->lines->file[x->file - 1] : NULL;
}

static bool source_line(const struct profile_report *r, const struct profile_line *x, char *out, size_t room)
{
	const char *file = file_of(r, x);

	out[0] = '\0';
	return file && source_text_line(r->text, file, x->line, out, room);
}

/* ---- the hottest lines ---- */

static void print_summary(const struct profile_report *r, FILE *to)
{
	const struct profile_row *none = &r->lines->profile->row[r->lines->profile->n];
	uint64_t issued = none->issued, held = profile_held(none), idle = none->holds[STALL_IDLE];

	for (uint32_t i = 0; i < r->lines->n; i++) {
		issued += r->lines->line[i].sum.issued;
		held += profile_held(&r->lines->line[i].sum);
	}
	fprintf(to, "  %" PRIu64 " core cycles, %" PRIu64 " of schedulers: %.1f %% issue, %.1f %% wait, %.1f %% idle\n\n",
		r->cycles, r->slots, percent(issued, r->slots), percent(held - idle, r->slots), percent(idle, r->slots));
}

static bool has_several(const struct profile_report *r)
{
	for (uint32_t i = 1; i < r->lines->n; i++)
		if (r->lines->line[i].kernel != r->lines->line[0].kernel)
			return true;
	return false;
}

/* Whether nothing that ran has a line of the source, though a compiler could have named it. */
static bool has_no_source(const struct profile_report *r)
{
	bool none = r->lines->n > 0;

	for (uint32_t i = 0; none && i < r->lines->n; i++) {
		const struct trace_lines *of = kernel_of(r, r->lines->line[i].kernel)->lines;

		none = !r->lines->line[i].line && of && !of->is_sass;
	}
	return none;
}

void profile_report_hottest(const struct profile_report *r, uint32_t most, FILE *to)
{
	bool several = has_several(r);
	uint32_t *hot = arena_array(r->text->arena, (size_t)most + 1, sizeof *hot), n = profile_hottest(r->lines, hot, most);

	print_summary(r, to);
	print_head(to);
	for (uint32_t i = 0; i < n; i++) {
		const struct profile_line *x = &r->lines->line[hot[i]];
		char name[NAME], text[TEXT];
		const char *from = text;

		line_name(r, x, name);
		source_line(r, x, text, sizeof text);
		from += strspn(from, " ");
		print_columns(r, &x->sum, to);
		if (several)
			fprintf(to, "%s: ", kernel_of(r, x->kernel)->name);
		fprintf(to, "%s%s%s\n", name, *from ? "  " : "", from);
	}
	if (has_no_source(r))
		fputs("  (the kernels name no source lines: compile them with -lineinfo, nvcc's option and locus nvcc's)\n", to);
}

/* ---- whole kernels ---- */

static void print_instruction(const struct profile_report *r, const struct profile_line *x, uint32_t inst, FILE *to)
{
	const struct trace_kernel *k = kernel_of(r, x->kernel);
	const struct gpu_profile *p = r->lines->profile;
	char name[NAME], text[TEXT];
	const char *from = text;

	inst_name(k, inst, name);
	print_columns(r, &p->row[p->first[x->kernel] + inst], to);
	text[0] = '\0';
	if (k->lines && k->lines->ptx && source_text_line(r->text, k->lines->ptx, k->lines->at[inst].text, text, sizeof text))
		from += strspn(from, " ");
	/* it may be another file by now: then the opcode is what is known */
	if (k->n_names && strstr(from, k->names[k->inst[inst].name]))
		*strchr(name, ' ') = '\0';
	else
		from = "";
	fprintf(to, "    %s%s%s\n", name, *from ? "  " : "", from);
}

static void print_line(const struct profile_report *r, uint32_t number, FILE *to)
{
	const struct profile_line *x = &r->lines->line[number];
	const struct gpu_profile *p = r->lines->profile;
	char name[NAME], text[TEXT];

	if (x->line) {
		line_name(r, x, name);
		source_line(r, x, text, sizeof text);
		print_columns(r, &x->sum, to);
		fprintf(to, "%s%s%s\n", name, *text ? "  " : "", text);
	}
	for (uint32_t i = x->first, left = x->n; left; i++)
		if (r->lines->line_of[p->first[x->kernel] + i] == number) {
			print_instruction(r, x, i, to);
			left--;
		}
}

struct at {
	uint32_t file, line, number;
};

static int in_source_order(const void *a, const void *b)
{
	const struct at *x = a, *y = b;

	if (!x->line != !y->line) /* those without a line are behind */
		return x->line ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static uint64_t issued_in(const struct gpu_profile *p, uint32_t kernel)
{
	uint64_t n = 0;

	for (uint32_t i = p->first[kernel]; i < p->first[kernel + 1]; i++)
		n += p->row[i].issued;
	return n;
}

void profile_report_kernels(const struct profile_report *r, FILE *to)
{
	const struct profile_lines *l = r->lines;
	struct at *at = arena_array(r->text->arena, (size_t)l->n + 1, sizeof *at);

	print_summary(r, to);
	for (uint32_t i = 0, n; i < l->n; i += n) {
		uint32_t kernel = l->line[i].kernel;

		for (n = 0; i + n < l->n && l->line[i + n].kernel == kernel; n++)
			at[n] = (struct at){l->line[i + n].file, l->line[i + n].line, i + n};
		if (!issued_in(l->profile, kernel))
			continue;
		qsort(at, n, sizeof *at, in_source_order);
		fprintf(to, "  kernel %s\n", kernel_of(r, kernel)->name);
		print_head(to);
		for (uint32_t k = 0; k < n; k++)
			print_line(r, at[k].number, to);
		fputc('\n', to);
	}
}
