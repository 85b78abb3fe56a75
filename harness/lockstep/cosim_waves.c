#include "lockstep/cosim_waves.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "lockstep/bundle.h"
#include "waves/fst.h"

void cosim_waves_init(struct cosim_waves *w, const struct cosim_options *o)
{
	memset(w, 0, sizeof *w);
	w->o = o;
	w->work.lock = -1;
}

/* The folder of the wave. */
static void folder_of(const char *path, char dir[4096])
{
	const char *slash = strrchr(path, '/');

	snprintf(dir, 4096, "%.*s", slash ? (int)(slash - path + (slash == path)) : 1, slash ? path : ".");
}

static int open_work(struct cosim_waves *w, struct err *e)
{
	char dir[4096];

	if (w->work.path[0])
		return 0;
	folder_of(w->o->wave, dir);
	scratch_collect(dir);
	if (scratch_open(&w->work, dir, NULL) == 0)
		return 0;
	w->work.path[0] = '\0';
	return err_set(e, "%s: cannot be written: %s", w->o->wave, strerror(errno));
}

/* "FILE.fst" and "FILE.gtkw"; of a block that is not the main one "FILE-BLOCK.fst". */
static void names_of(const struct cosim_waves *w, struct cosim_wave *v, bool is_main)
{
	const char *file = w->o->wave, *block = v->u->s.block->name;
	size_t stem = strlen(file);

	if (stem > 4 && !strcmp(file + stem - 4, ".fst"))
		stem -= 4;
	snprintf(v->fst, sizeof v->fst, "%.*s%s%s.fst", (int)stem, file, is_main ? "" : "-", is_main ? "" : block);
	snprintf(v->save, sizeof v->save, "%.*s%s%s.gtkw", (int)stem, file, is_main ? "" : "-", is_main ? "" : block);
}

/* Whichever name it gets at the end. */
static int check_names(const struct cosim_waves *w, struct cosim_wave *v, struct err *e)
{
	for (int is_main = 0; is_main < 2; is_main++) {
		names_of(w, v, is_main);
		if (fst_check_path(v->fst, e) != 0)
			return -1;
	}
	return 0;
}

int cosim_waves_watch(struct cosim_waves *w, struct unit *u, bool by_user, struct err *e)
{
	const struct cosim_options *o = w->o;
	struct cosim_wave *v = &w->wave[w->n];

	if (!o->wave || (o->wave_owner && strcmp(o->wave_owner, u->s.owner) != 0))
		return 0;
	for (unsigned i = 0; i < w->n; i++)
		if (w->wave[i].u->s.block == u->s.block)
			return 0;
	*v = (struct cosim_wave){.u = u, .by_user = by_user};
	if (check_names(w, v, e) != 0 || open_work(w, e) != 0)
		return -1;
	snprintf(v->path, sizeof v->path, "%.4000s/%s.fst", w->work.path, u->s.block->name);
	if (unit_wave(u, v->path, o->wave_from, o->wave_to, e) != 0)
		return -1;
	w->n++;
	return 0;
}

/* ---- the owner that differs first ---- */

static bool in_window(const struct cosim_options *o, uint64_t cycle)
{
	return cycle >= o->wave_from && cycle <= o->wave_to;
}

/* Runs the logged steps of the owner that differs first again, with a wave up to where its log ends. */
static int show_instead(struct cosim_waves *w, struct cosim_wave *v, struct unit *u, struct err *e)
{
	uint64_t to = u->failed_cycle + BUNDLE_AFTER, from = to > COSIM_WAVE_CYCLES ? to - COSIM_WAVE_CYCLES : 0;

	if (w->o->window_given) {
		from = w->o->wave_from;
		to = to < w->o->wave_to ? to : w->o->wave_to;
	}
	v->u = u;
	return scenario_wave(&u->s, u->c.abi, v->path, from, to, &v->view, NULL, NULL) ? fst_cut_short(w->o->wave, e) : 0;
}

/* What the save file opens on; first the wave of another owner, if the difference is not in this one. */
static int settle(struct cosim_waves *w, struct cosim_wave *v, struct unit *const *unit, unsigned n, struct err *e)
{
	struct unit *first = unit_earliest(unit, n, v->u->s.block), *wanted = w->o->wave_owner ? v->u : first;
	bool shown;

	if (wanted && !wanted->failed)
		wanted = NULL;
	shown = wanted == v->u && wanted && in_window(w->o, wanted->failed_cycle);
	if (wanted && !shown && (!w->o->window_given || in_window(w->o, wanted->failed_cycle))) {
		if (show_instead(w, v, wanted, e) != 0)
			return -1;
		shown = true;
	} else {
		wave_view(&v->u->wave, &v->view);
		v->empty = !v->u->wave.steps;
	}
	v->first = first && !(shown && v->u == first) ? first : NULL;
	return 0;
}

/* The block of --rtl; of several, and if there is none, the one that differs first. */
static unsigned find_main(const struct cosim_waves *w, struct unit *const *unit, unsigned n)
{
	unsigned best = 0;
	uint64_t best_cycle = UINT64_MAX;

	for (unsigned i = 0; i < w->n; i++) {
		const struct cosim_wave *v = &w->wave[i];
		const struct unit *first = unit_earliest(unit, n, v->u->s.block);
		uint64_t cycle = first ? first->failed_cycle : UINT64_MAX;

		if (v->by_user < w->wave[best].by_user)
			continue;
		if (i == 0 || v->by_user > w->wave[best].by_user || cycle < best_cycle) {
			best = i;
			best_cycle = cycle;
		}
	}
	return best;
}

/* ---- names ---- */

static int save(struct cosim_wave *v, struct err *e)
{
	const char *slash = strrchr(v->fst, '/');
	const struct unit *u = v->u;

	v->view.block = u->s.block;
	v->view.layout = &u->s.layout;
	v->view.fst = slash ? slash + 1 : v->fst;
	v->view.golden = u->mode == UNIT_LOCKSTEP;
	v->view.reg_mask = u->c.abi->reg_mask;
	v->view.states = u->c.abi->states;
	return gtkw_write(&v->view, v->save, e);
}

int cosim_waves_keep(struct cosim_waves *w, struct unit *const *unit, unsigned n, struct err *e)
{
	for (unsigned i = 0; i < w->n; i++)
		if (settle(w, &w->wave[i], unit, n, e) != 0)
			return -1;
	w->main = find_main(w, unit, n);
	for (unsigned i = 0; i < w->n; i++) {
		struct cosim_wave *v = &w->wave[i];

		names_of(w, v, i == w->main);
		if (rename(v->path, v->fst) != 0)
			return err_set(e, "%s: cannot be written: %s", v->fst, strerror(errno));
		if (save(v, e) != 0)
			return -1;
	}
	cosim_waves_drop(w);
	return 0;
}

static void print_differences(const struct cosim_wave *v, FILE *to)
{
	const struct unit *u = v->u;
	char steps[32], cycle[32];

	if (u->mode != UNIT_LOCKSTEP)
		fputs("not compared", to);
	else if (!u->mismatches)
		fputs("no step differs", to);
	else
		fprintf(to, "%s step%s, first in cycle %s", number_commas(u->mismatches, steps),
			u->mismatches == 1 ? " differs" : "s differ", number_commas(u->failed_cycle, cycle));
	if (v->first)
		fprintf(to, "; not in this wave: the block's first difference, in cycle %s of %s",
			number_commas(v->first->failed_cycle, cycle), v->first->s.owner);
}

static void print_one(const struct cosim_waves *w, const struct cosim_wave *v, FILE *to)
{
	fprintf(to, "waves: %s: %s of %s, ", v->fst, v->u->s.block->name, v->u->s.owner);
	if (v->empty)
		fprintf(to, "no step is in core cycles %" PRIu64 " to %" PRIu64 "; ", w->o->wave_from, w->o->wave_to);
	print_differences(v, to);
	fprintf(to, " (gtkwave -f %s -a %s)\n", v->fst, v->save);
}

void cosim_waves_print(const struct cosim_waves *w, FILE *to)
{
	if (w->n)
		print_one(w, &w->wave[w->main], to);
	for (unsigned i = 0; i < w->n; i++)
		if (i != w->main)
			print_one(w, &w->wave[i], to);
}

void cosim_waves_drop(struct cosim_waves *w)
{
	if (w->work.path[0])
		scratch_close(&w->work);
	w->work.path[0] = '\0';
}
