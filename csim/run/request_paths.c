#include "run/request_paths.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* ---- lines of a program ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Whether an instruction is of what "NAME:LINE" names. */
static bool is_at(const struct trace_kernel *k, uint32_t inst, const char *name, uint64_t line, uint64_t address)
{
	const struct trace_place *at = k->lines ? &k->lines->at[inst] : NULL;
	bool of_kernel = strcmp(k->name, name) == 0;

	if (!at)
		return of_kernel && line == inst;
	if (!at->line)
		return of_kernel && at->text == (k->lines->is_sass ? address : line);
	if (at->line != line)
		return false;
	return of_kernel || (at->file && strcmp(base_name(k->lines->file[at->file - 1]), name) == 0);
}

static bool is_load(const struct trace_inst *i)
{
	return i->op == OP_LOAD && i->space == SPACE_GLOBAL;
}

static int find_line(struct request_paths *p, const struct trace *t, const char *text, struct err *e)
{
	const char *colon = strrchr(text, ':');
	char *name = arena_strdup(p->arena, text), hex[64];
	uint64_t line = 0, address = 0;
	uint32_t here = 0, loads = 0;
	bool *row = arena_array(p->arena, (size_t)p->first[trace_n_kernels(t)] + 1, sizeof *row);

	if (!colon || colon == text)
		return err_set(e, "load \"%s\": must be KERNEL:LINE", text);
	name[colon - text] = '\0';
	snprintf(hex, sizeof hex, "0x%.40s", strncmp(colon + 1, "0x", 2) ? colon + 1 : colon + 3);
	if (number_parse_u64(hex, &address) != 0 || (number_parse_u64(colon + 1, &line) != 0 && strspn(colon + 1, "0123456789")))
		return err_set(e, "load \"%s\": must be KERNEL:LINE", text);
	for (uint32_t k = 0; k < trace_n_kernels(t); k++)
		for (uint32_t i = 0; i < trace_kernel(t, k)->n_inst; i++)
			if (is_at(trace_kernel(t, k), i, name, line, address)) {
				here++;
				loads += row[p->first[k] + i] = is_load(&trace_kernel(t, k)->inst[i]);
			}
	p->filter.row = row;
	if (!here)
		return err_set(e, "load \"%s\": no kernel that ran has instructions there", text);
	return loads ? 0 : err_set(e, "load \"%s\": nothing there loads from global memory", text);
}

/* ---- a filter ---- */

static int read_range(const char *key, const char *text, uint64_t *first, uint64_t *last, struct err *e)
{
	return number_parse_range(text, first, last) == 0 ? 0 : err_set(e, "%s=%s: must be N or N-M", key, text);
}

static int read_sms(struct path_filter *f, const struct machine *m, const char *text, struct err *e)
{
	uint64_t first, last;

	if (read_range("sm", text, &first, &last, e) != 0)
		return -1;
	if (last >= m->sm.count)
		return err_set(e, "sm=%s: the machine has SMs 0 to %" PRIu32, text, m->sm.count - 1);
	f->first_sm = (uint32_t)first;
	f->last_sm = (uint32_t)last;
	return 0;
}

/* A request is of a whole line. */
static int read_addresses(struct path_filter *f, const struct machine *m, const char *text, struct err *e)
{
	if (read_range("addr", text, &f->first, &f->last, e) != 0)
		return -1;
	f->first &= ~((uint64_t)m->l1.c.line - 1);
	return 0;
}

static int read_number(const char *key, const char *text, uint64_t most, uint64_t *out, struct err *e)
{
	if (number_parse_u64(text, out) != 0 || *out == 0 || *out > most)
		return err_set(e, "%s=%s: must be a whole number from 1 to %" PRIu64, key, text, most);
	return 0;
}

static int read_term(struct request_paths *p, const struct trace *t, const struct machine *m, const char *term, struct err *e)
{
	uint64_t n;

	if (!strcmp(term, "all"))
		return 0;
	if (!strncmp(term, "load=", 5))
		return find_line(p, t, term + 5, e);
	if (!strncmp(term, "sm=", 3))
		return read_sms(&p->filter, m, term + 3, e);
	if (!strncmp(term, "addr=", 5))
		return read_addresses(&p->filter, m, term + 5, e);
	if (!strncmp(term, "every=", 6))
		return read_number("every", term + 6, UINT32_MAX, &p->filter.every, e);
	if (!strncmp(term, "latency=", 8)) {
		if (read_number("latency", term + 8, UINT32_MAX, &n, e) != 0)
			return -1;
		p->filter.latency = (uint32_t)n;
		return 0;
	}
	if (strchr(term, ':'))
		return find_line(p, t, term, e);
	return err_set(e, "\"%s\" is not one of all, KERNEL:LINE, sm=, addr=, latency=, every=", term);
}

int request_paths_init(struct request_paths *p, struct arena *a, const struct trace *t, const struct machine *m, const char *filter,
		       struct err *e)
{
	char *text = arena_strdup(a, filter), *save = NULL;
	unsigned terms = 0;

	*p = (struct request_paths){.arena = a,
				    .filter = {.last_sm = m->sm.count - 1, .last = UINT64_MAX, .every = 1},
				    .first = arena_array(a, (size_t)trace_n_kernels(t) + 1, sizeof *p->first)};
	for (uint32_t k = 0; k < trace_n_kernels(t); k++)
		p->first[k + 1] = p->first[k] + trace_kernel(t, k)->n_inst;
	for (char *term = strtok_r(text, ",", &save); term; term = strtok_r(NULL, ",", &save), terms++)
		if (read_term(p, t, m, term, e) != 0)
			return -1;
	return terms ? 0 : err_set(e, "is empty; all requests are \"all\"");
}

void request_paths_free(struct request_paths *p)
{
	path_log_free(&p->log);
}

struct request_place request_paths_place(const struct request_paths *p, const struct trace *t, uint32_t row)
{
	uint32_t k = 0;

	while (k + 1 < trace_n_kernels(t) && row >= p->first[k + 1])
		k++;
	return (struct request_place){k, row - p->first[k]};
}
