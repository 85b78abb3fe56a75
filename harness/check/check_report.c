#include "check/check_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/number.h"

static const char *const kind_names[] = {
	[FINDING_RACE] = "race", [FINDING_STORE] = "store", [FINDING_UNWRITTEN] = "unwritten", [FINDING_BARRIER] = "barrier"};

static const char *space_of(const struct finding *f)
{
	return f->space == SPACE_NONE ? "none" : f->space == SPACE_SHARED ? "shared" : "local";
}

static int by_times(const void *a, const void *b)
{
	const struct finding *x = *(const struct finding *const *)a, *y = *(const struct finding *const *)b;

	if (x->times != y->times)
		return x->times < y->times ? 1 : -1;
	if (x->second.ptx_line != y->second.ptx_line)
		return x->second.ptx_line < y->second.ptx_line ? -1 : 1;
	return (x->first.ptx_line > y->first.ptx_line) - (x->first.ptx_line < y->first.ptx_line);
}

/* The caller frees. */
static const struct finding **sorted(const struct findings *f)
{
	const struct finding **all = xmalloc((findings_count(f) + 1) * sizeof *all);
	uint32_t n = 0;

	for (const struct finding *x = findings_next(f, NULL); x; x = findings_next(f, x))
		all[n++] = x;
	qsort(all, n, sizeof *all, by_times);
	return all;
}

/* "kernel.cu:18: st.shared.f32 of thread 5 (kernel.ptx:40)" */
static void print_access(const struct finding_access *a, FILE *to)
{
	fprintf(to, "    ");
	if (a->source)
		fprintf(to, "%s:%" PRIu32 ": ", a->source, a->line);
	fprintf(to, "%s of thread %" PRIu32, a->opcode, a->thread);
	if (a->source)
		fprintf(to, " (%s:%" PRIu32 ")\n", a->ptx, a->ptx_line);
	else
		fprintf(to, ", %s:%" PRIu32 "\n", a->ptx, a->ptx_line);
}

static void print(const struct finding *f, FILE *to)
{
	static const char *const says[] = {
		[FINDING_RACE] = "race: two warps, one of which writes, and no barrier between",
		[FINDING_STORE] = "race: lanes of a store have different values for the same place",
		[FINDING_UNWRITTEN] = "unwritten: reads what nothing has written",
		[FINDING_BARRIER] = "divergent barrier: lanes of a warp come to it without others",
	};
	char times[32];

	fprintf(to, "  %s\n    ", says[f->kind]);
	if (f->space != SPACE_NONE)
		fprintf(to, "%s memory at 0x%" PRIx64 " of ", space_of(f), f->offset);
	fprintf(to, "CTA %" PRIu32 " (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), kernel %s, launch %" PRIu32, f->cta, f->cta_at[0],
		f->cta_at[1], f->cta_at[2], f->kernel, f->launch);
	fprintf(to, "; %s time%s in all\n", number_commas(f->times, times), f->times == 1 ? "" : "s");
	if (f->kind < FINDING_UNWRITTEN)
		print_access(&f->first, to);
	print_access(&f->second, to);
}

void check_report_print(const struct findings *f, uint32_t most, FILE *to)
{
	const struct finding **all = sorted(f);
	uint32_t n = findings_count(f), count[4] = {0};

	for (uint32_t i = 0; i < n; i++)
		count[all[i]->kind]++;
	for (uint32_t i = 0; i < n && i < most; i++)
		print(all[i], to);
	if (n > most)
		fprintf(to, "  and %" PRIu32 " more (--most)\n", n - most);
	if (f->left_out)
		fprintf(to, "  and %" PRIu64 " times others, beyond the first %d\n", f->left_out, FINDINGS_MOST);
	if (f->what & FINDINGS_RACES)
		fprintf(to, "races: %" PRIu32 "\n", count[FINDING_RACE] + count[FINDING_STORE]);
	if (count[FINDING_BARRIER])
		fprintf(to, "divergent barriers: %" PRIu32 "\n", count[FINDING_BARRIER]);
	if (f->what & FINDINGS_UNWRITTEN)
		fprintf(to, "reads of what nothing has written: %" PRIu32 "\n", count[FINDING_UNWRITTEN]);
	free(all);
}

/* ---- JSON ---- */

static json_t *access_json(const struct finding_access *a)
{
	json_t *o = json_pack("{s:s, s:s, s:I, s:I}", "opcode", a->opcode, "ptx", a->ptx, "ptx_line", (json_int_t)a->ptx_line,
			      "thread", (json_int_t)a->thread);

	if (a->source) {
		json_object_set_new(o, "source", json_string(a->source));
		json_object_set_new(o, "line", json_integer(a->line));
	}
	return o;
}

json_t *check_report_json(const struct findings *f)
{
	const struct finding **all = sorted(f);
	json_t *list = json_array();

	for (uint32_t i = 0; i < findings_count(f); i++) {
		const struct finding *x = all[i];
		json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "kind", kind_names[x->kind], "space", space_of(x),
				      "kernel", x->kernel, "launch", (json_int_t)x->launch, "cta", (json_int_t)x->cta, "offset",
				      (json_int_t)x->offset, "times", (json_int_t)x->times);

		if (x->kind < FINDING_UNWRITTEN)
			json_object_set_new(o, "first", access_json(&x->first));
		json_object_set_new(o, "second", access_json(&x->second));
		json_array_append_new(list, o);
	}
	free(all);
	return list;
}
