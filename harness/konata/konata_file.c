#include "konata/konata_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/utf8.h"
#include "profile/inst_names.h"

/* What a row's line begins with, and in which order at one time. */
enum what { BEGINS, ENDS_STAGE, STAGE, DEPENDS, RETIRES };

struct event {
	uint64_t cycle;
	uint32_t id; /* of the row */
	enum what what : 8;
	uint8_t stage;
};

struct row { /* of any SM; its index is its number in the file */
	const struct pipeline_log *log;
	uint32_t number; /* in the log */
};

struct file {
	const struct session *session;
	FILE *to;
	uint32_t n;
	struct row *row;
	uint32_t **id; /* by log, then by number in it; UINT32_MAX: it is not shown */
	uint64_t n_events, room;
	struct event *event;
	uint64_t retired;
};

static const char *stage_name(uint32_t stage)
{
	static const char *const name[PIPELINE_STAGES] = {
		[STALL_ISSUED] = "Is",	      [STALL_PIPELINE] = "Wp",	   [STALL_MEM_BUSY] = "Lb",   [STALL_MEM_LINE] = "Ll",
		[STALL_MEM_ENTRY] = "Le",     [STALL_MEM_MERGE] = "Lm",	   [STALL_MEM_QUEUE] = "Lq",  [STALL_MEM_NET] = "Ln",
		[STALL_MEM_TLB] = "Lt",	      [STALL_THROTTLED] = "Wt",	   [STALL_ARITHMETIC] = "Wa", [STALL_OPERANDS] = "Wo",
		[STALL_FETCH] = "F",	      [STALL_MEMORY] = "Wm",	   [STALL_BARRIER] = "Wb",    [STALL_IDLE] = "Wi",
		[PIPELINE_NOT_CHOSEN] = "Ws", [PIPELINE_COLLECTED] = "Oc", [PIPELINE_EXECUTED] = "X", [PIPELINE_IN_UNIT] = "U",
		[PIPELINE_IN_MEMORY] = "M",   [PIPELINE_WRITTEN] = "Wr"};

	return name[stage];
}

static const struct pipeline_row *in_log(const struct row *r)
{
	return &r->log->row[r->number];
}

/* ---- rows, in the order in which they begin ---- */

static int by_begin(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (in_log(x)->begin != in_log(y)->begin)
		return in_log(x)->begin < in_log(y)->begin ? -1 : 1;
	if (x->log->sm != y->log->sm)
		return x->log->sm < y->log->sm ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* One that a cut ends as it begins has nothing to show. */
static void collect_rows(struct file *f)
{
	const struct pipelines *p = &f->session->pipelines;
	uint64_t all = 0;

	for (uint32_t l = 0; l < p->n; l++)
		all += p->log[l].n;
	f->row = xmalloc((all + 1) * sizeof *f->row);
	f->id = xcalloc(p->n + 1, sizeof(*f->id));
	for (uint32_t l = 0; l < p->n; l++) {
		f->id[l] = xmalloc((p->log[l].n + (size_t)1) * sizeof *f->id[l]);
		for (uint32_t i = 0; i < p->log[l].n; i++) {
			f->id[l][i] = UINT32_MAX;
			if (p->log[l].row[i].end > p->log[l].row[i].begin)
				f->row[f->n++] = (struct row){&p->log[l], i};
		}
	}
	qsort(f->row, f->n, sizeof *f->row, by_begin);
	for (uint32_t i = 0; i < f->n; i++)
		f->id[f->row[i].log - p->log][f->row[i].number] = i;
}

/* ---- events ---- */

static void add(struct file *f, uint64_t cycle, uint32_t id, enum what what, uint32_t stage)
{
	if (f->n_events == f->room)
		f->event = xrealloc(f->event, (f->room = 2 * f->room + 1024) * sizeof *f->event);
	f->event[f->n_events++] = (struct event){cycle, id, what, (uint8_t)stage};
}

/* The cycle in which it issued: the begin of that stage. */
static void add_stages(struct file *f, uint32_t id)
{
	const struct pipeline_log *log = f->row[id].log;
	const struct pipeline_row *r = in_log(&f->row[id]);

	for (uint32_t i = r->first; i != PIPELINE_NONE; i = log->span[i].next) {
		const struct pipeline_span *s = &log->span[i];
		uint64_t end = s->next == PIPELINE_NONE ? r->end : log->span[s->next].from;

		if (s->from >= r->end)
			return;
		add(f, s->from, id, STAGE, s->stage);
		add(f, end < r->end ? end : r->end, id, ENDS_STAGE, s->stage);
		if (s->stage == STALL_ISSUED && r->producer != PIPELINE_NONE)
			add(f, s->from, id, DEPENDS, 0);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (int)x->what - (int)y->what;
}

static void collect_events(struct file *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct pipeline_row *r = in_log(&f->row[i]);

		add(f, r->begin, i, BEGINS, 0);
		add_stages(f, i);
		add(f, r->end, i, RETIRES, 0);
	}
	if (f->n_events)
		qsort(f->event, f->n_events, sizeof *f->event, by_time);
}

/* ---- lines ---- */

static void put_begin(const struct file *f, uint32_t id)
{
	const struct row *row = &f->row[id];
	const struct pipeline_row *r = in_log(row);
	const struct trace *t = f->session->source.trace;
	const struct trace_kernel *k = trace_kernel(t, trace_launch(t, r->launch)->kernel);
	char line[INST_NAME], inst[INST_NAME];

	inst_line_name(k, r->pc, line);
	inst_name(k, r->pc, inst);
	fprintf(f->to, "I\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", id, r->pc,
		row->log->sm * f->session->machine.sm.warps + r->slot);
	if (strcmp(line, inst) != 0)
		fprintf(f->to, "L\t%" PRIu32 "\t0\t%s  %s\n", id, utf8_clean(line), utf8_clean(inst));
	else
		fprintf(f->to, "L\t%" PRIu32 "\t0\t%s\n", id, utf8_clean(inst));
	fprintf(f->to, "L\t%" PRIu32 "\t1\tSM %" PRIu32 ", launch %" PRIu32 ", CTA %" PRIu32 ", warp %u, %d lanes%s\n", id,
		row->log->sm, r->launch, r->cta, r->warp, __builtin_popcount(r->lanes), r->cut ? ", cut" : "");
}

static void put_depends(const struct file *f, uint32_t id)
{
	const struct row *row = &f->row[id];
	uint32_t producer = f->id[row->log - f->session->pipelines.log][in_log(row)->producer];

	if (producer != UINT32_MAX)
		fprintf(f->to, "W\t%" PRIu32 "\t%" PRIu32 "\t0\n", id, producer);
}

static void put_event(struct file *f, const struct event *e)
{
	switch (e->what) {
	case BEGINS:
		put_begin(f, e->id);
		return;
	case ENDS_STAGE:
		fprintf(f->to, "E\t%" PRIu32 "\t0\t%s\n", e->id, stage_name(e->stage));
		return;
	case STAGE:
		fprintf(f->to, "S\t%" PRIu32 "\t0\t%s\n", e->id, stage_name(e->stage));
		return;
	case DEPENDS:
		put_depends(f, e->id);
		return;
	case RETIRES:
		fprintf(f->to, "R\t%" PRIu32 "\t%" PRIu64 "\t%d\n", e->id, f->retired++, in_log(&f->row[e->id])->cut);
		return;
	}
}

static void put_all(struct file *f)
{
	uint64_t now = f->n_events ? f->event[0].cycle : 0;

	fprintf(f->to, "Kanata\t0004\nC=\t%" PRIu64 "\n", now);
	for (uint64_t i = 0; i < f->n_events; i++) {
		if (f->event[i].cycle != now)
			fprintf(f->to, "C\t%" PRIu64 "\n", f->event[i].cycle - now);
		now = f->event[i].cycle;
		put_event(f, &f->event[i]);
	}
}

int konata_file_save(struct output *to, const struct session *s, struct err *e)
{
	struct file f = {.session = s, .to = to->f};

	if (!to->f)
		return 0;
	errno = 0;
	collect_rows(&f);
	collect_events(&f);
	put_all(&f);
	for (uint32_t l = 0; l < s->pipelines.n; l++)
		free(f.id[l]);
	free(f.id);
	free(f.row);
	free(f.event);
	if (!ferror(to->f))
		return output_keep(to, e);
	output_failed(to, e);
	output_drop(to);
	return -1;
}

void konata_file_print(const struct session *s, FILE *to)
{
	char n[32], cycle[32];
	bool any = !s->options->pipelines;

	for (uint32_t l = 0; l < s->pipelines.n; l++) {
		const struct pipeline_log *log = &s->pipelines.log[l];

		if (!log->n && log->cut == PIPELINE_NEVER)
			continue;
		any = true;
		fprintf(to, "konata: %s instructions of SM %" PRIu32, number_commas(log->n, n), log->sm);
		if (log->cut != PIPELINE_NEVER)
			fprintf(to, ", cut in cycle %s: no room for more", number_commas(log->cut, cycle));
		fputc('\n', to);
	}
	if (!any)
		fputs("konata: no instruction passed the filter\n", to);
}
