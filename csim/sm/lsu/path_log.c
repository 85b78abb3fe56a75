#include "sm/lsu/path_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/metrics.h"

const char *path_station_name(enum path_station s)
{
	static const char *const names[PATH_STATIONS] = {[PATH_SM] = "SM",
							 [PATH_L1] = "L1",
							 [PATH_MISS_QUEUE] = "miss queue",
							 [PATH_NETWORK] = "network",
							 [PATH_L2] = "L2",
							 [PATH_TO_DRAM] = "to DRAM",
							 [PATH_DRAM_QUEUE] = "DRAM queue",
							 [PATH_DRAM] = "DRAM",
							 [PATH_BACK] = "back",
							 [PATH_REGISTERS] = "registers"};

	return names[s];
}

void path_log_init(struct path_log *l, struct arena *a, const struct path_filter *f, uint32_t rows, uint32_t room)
{
	*l = (struct path_log){.filter = f, .rows = rows, .room = room, .every = 1};
	l->total = arena_array(a, (size_t)rows + 1, sizeof *l->total);
	l->blame = arena_array(a, (size_t)rows + 1, sizeof *l->blame);
	l->sample = arena_array(a, (size_t)room + 1, sizeof *l->sample);
}

void path_log_free(struct path_log *l)
{
	for (uint32_t i = 0; i < l->n_sample; i++)
		free(l->sample[i]);
	for (uint32_t i = 0; i < l->n_slowest; i++)
		free(l->slowest[i]);
	l->n_sample = l->n_slowest = 0;
}

static size_t bytes(const struct path_load *load)
{
	return sizeof *load + load->n * sizeof load->request[0];
}

static struct path_load *copy_of(const struct path_load *load)
{
	return memcpy(xmalloc(bytes(load)), load, bytes(load));
}

/* ---- which loads ---- */

static bool touches(const struct path_filter *f, const struct path_load *load)
{
	for (uint32_t i = 0; i < load->n; i++)
		if (load->request[i].line >= f->first && load->request[i].line <= f->last)
			return true;
	return false;
}

static bool passes(const struct path_filter *f, const struct path_load *load)
{
	return load->latency >= f->latency && touches(f, load);
}

/* ---- sums ---- */

static void add_totals(struct path_log *l, const struct path_load *load)
{
	const struct path_request *last = &load->request[load->last];
	struct path_totals *t = &l->total[load->row];

	t->loads++;
	t->cycles += load->latency;
	t->requests += load->n;
	for (unsigned s = 0; s < PATH_STATIONS; s++)
		t->station[s] += last->end[s] - path_begin(last, s);
	for (unsigned w = 0; w < PATH_WAITS; w++)
		t->wait[w] += last->wait[w];
	for (uint32_t i = 0; i < load->n; i++)
		t->found[load->request[i].found]++;
}

static void add_blame(struct path_log *l, const struct path_load *load)
{
	for (uint32_t i = 0; i < load->n; i++) {
		const struct path_request *r = &load->request[i];
		struct path_blame *b = &l->blame[r->who.is != PATH_NOBODY && r->who.row < l->rows ? r->who.row : l->rows];

		*(r->who.is == PATH_ITSELF ? &b->itself : &b->others) += r->failed;
	}
}

struct path_totals path_log_sum(const struct path_log *l)
{
	struct path_totals sum = {0};

	for (uint32_t i = 0; i < l->rows; i++)
		METRICS_ADD(&sum, &l->total[i]);
	return sum;
}

/* ---- the slowest ---- */

/* Of equals the one that is first on the lowest SM. */
static bool is_slower(const struct path_load *a, const struct path_load *b)
{
	if (a->latency != b->latency)
		return a->latency > b->latency;
	return a->sm != b->sm ? a->sm < b->sm : a->number < b->number;
}

static bool is_slow(const struct path_log *l, const struct path_load *load)
{
	return l->n_slowest < PATH_SLOWEST || is_slower(load, l->slowest[l->n_slowest - 1]);
}

/* Takes it; there is place for it. */
static void keep_slow(struct path_log *l, struct path_load *load)
{
	uint32_t at;

	if (l->n_slowest == PATH_SLOWEST)
		free(l->slowest[--l->n_slowest]);
	for (at = l->n_slowest++; at > 0 && is_slower(load, l->slowest[at - 1]); at--)
		l->slowest[at] = l->slowest[at - 1];
	l->slowest[at] = load;
}

/* ---- the sample ---- */

static void thin_to(struct path_log *l, uint64_t every)
{
	uint32_t n = 0;

	l->every = every;
	l->n_requests = 0;
	for (uint32_t i = 0; i < l->n_sample; i++) {
		if (l->sample[i]->number % every) {
			free(l->sample[i]);
			continue;
		}
		l->n_requests += l->sample[i]->n;
		l->sample[n++] = l->sample[i];
	}
	l->n_sample = n;
}

static void keep_sample(struct path_log *l, const struct path_load *load)
{
	while (load->number % l->every == 0) {
		if (l->n_requests + load->n <= l->room) {
			l->sample[l->n_sample++] = copy_of(load);
			l->n_requests += load->n;
			return;
		}
		thin_to(l, 2 * l->every);
	}
}

void path_log_add(struct path_log *l, struct path_load *load)
{
	if (!passes(l->filter, load) || l->matched++ % l->filter->every)
		return;
	load->number = l->loads++;
	add_totals(l, load);
	add_blame(l, load);
	if (is_slow(l, load))
		keep_slow(l, copy_of(load));
	keep_sample(l, load);
}

void path_log_take(struct path_log *l, struct path_log *from)
{
	uint64_t every = l->every > from->every ? l->every : from->every;

	l->loads += from->loads;
	for (uint32_t i = 0; i <= l->rows; i++) {
		METRICS_ADD(&l->total[i], &from->total[i]);
		METRICS_ADD(&l->blame[i], &from->blame[i]);
	}
	l->matched += from->matched;
	for (uint32_t i = 0; i < from->n_slowest; i++) {
		if (is_slow(l, from->slowest[i]))
			keep_slow(l, from->slowest[i]);
		else
			free(from->slowest[i]);
	}
	thin_to(l, every);
	thin_to(from, every);
	while (l->n_requests + from->n_requests > l->room) {
		every *= 2;
		thin_to(l, every);
		thin_to(from, every);
	}
	for (uint32_t i = 0; i < from->n_sample; i++)
		l->sample[l->n_sample++] = from->sample[i];
	l->n_requests += from->n_requests;
	from->n_sample = from->n_slowest = 0;
}
