#include "soak/ledger.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/files/root.h"
#include "bind/cache.h"
#include "bind/params.h"

enum { LINE_BYTES = 512, FILES = 32, PATH_BYTES = 256 };

/* ---- version ---- */

struct files {
	unsigned n;
	char path[FILES][PATH_BYTES]; /* from the root */
};

static void add(struct files *f, const char *path)
{
	char whole[ROOT_PATH_MAX];

	for (unsigned i = 0; i < f->n; i++)
		if (!strcmp(f->path[i], path))
			return;
	if (f->n < FILES && access(root_path(path, whole), R_OK) == 0)
		snprintf(f->path[f->n++], PATH_BYTES, "%s", path);
}

/* The headers of csim/hw that a file includes, and the C files beside them; not hw/port.h: how a model calls a block is
 * not what the block does. */
static void add_included(struct files *f, const char *path)
{
	char whole[ROOT_PATH_MAX], line[LINE_BYTES], name[128], found[PATH_BYTES];
	FILE *from = fopen(root_path(path, whole), "r");

	while (from && fgets(line, sizeof line, from)) {
		if (sscanf(line, "#include \"hw/%120[^\"]", name) != 1)
			continue;
		if (!strcmp(name, "port.h"))
			continue;
		snprintf(found, sizeof found, "csim/hw/%s", name);
		add(f, found);
		found[strlen(found) - 1] = 'c';
		add(f, found);
	}
	if (from)
		fclose(from);
}

static int hash_twin(XXH64_state_t *h, const struct hw_block *b, struct err *e)
{
	struct files f = {0};
	char path[ROOT_PATH_MAX];

	add(&f, b->twin);
	for (unsigned i = 0; i < f.n; i++)
		add_included(&f, f.path[i]);
	for (unsigned i = 0; i < f.n; i++)
		if (bind_cache_hash_file(h, root_path(f.path[i], path), e))
			return -1;
	return 0;
}

static int hash_rtl(XXH64_state_t *h, const struct hw_block *b, struct err *e)
{
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_request q = {.block = b, .params = params};
	struct arena a = {0};
	const char **file;
	unsigned named;
	int n = bind_params_read(b, params, "", e) ? -1 : bind_sources(&q, &a, &file, &named, e), rc = n < 0 ? -1 : 0;

	for (int i = 0; i < n && rc == 0; i++)
		rc = bind_cache_hash_file(h, file[i], e);
	arena_free(&a);
	return rc;
}

static int find_version(char version[LEDGER_VERSION], const struct hw_block *b, struct err *e)
{
	XXH64_state_t *h = XXH64_createState();
	int rc;

	XXH64_reset(h, 0);
	rc = hash_twin(h, b, e) || hash_rtl(h, b, e) ? -1 : 0;
	snprintf(version, LEDGER_VERSION, "%016" PRIx64, (uint64_t)XXH64_digest(h));
	XXH64_freeState(h);
	return rc;
}

/* ---- what was run ---- */

static const char *path_of(char path[4200], const char *folder, const char *name)
{
	snprintf(path, 4200, "%s/%s", folder, name);
	return path;
}

/* The published row of a block in line; false: there is none. */
static bool published_row(const struct hw_block *b, const char *folder, char line[LINE_BYTES])
{
	char path[4200];
	FILE *f = fopen(path_of(path, folder, "published"), "r");
	size_t n = strlen(b->module);
	bool found = false;

	while (f && !found && fgets(line, LINE_BYTES, f))
		found = !strncmp(line, "| `", 3) && !strncmp(line + 3, b->module, n) && !strncmp(line + 3 + n, "` | ", 4);
	if (f)
		fclose(f);
	return found;
}

static void read_published(struct ledger *l, const struct hw_block *b, const char *folder)
{
	char line[LINE_BYTES], version[LEDGER_VERSION];
	unsigned long seeds;
	double rate;

	if (!published_row(b, folder, line))
		return;
	if (sscanf(line, "| `%*[^`]` | `%16[0-9a-f]` | %*s | %*s | 1 to %lu | %lf |", version, &seeds, &rate) != 3 || !(rate > 0) ||
	    strcmp(version, l->version) != 0)
		return;
	l->seeds = seeds;
	l->seconds = (double)seeds * LEDGER_SEED_STEPS / (1e6 * rate);
}

static void read_runs(struct ledger *l, const struct hw_block *b, const char *folder)
{
	char path[4200], line[LINE_BYTES], version[LEDGER_VERSION];
	FILE *f;

	f = fopen(path_of(path, folder, b->name), "r");
	while (f && fgets(line, sizeof line, f)) {
		unsigned long first, seeds;
		double seconds;

		/* A line that a kill has cut does not count, nor does its turn. */
		if (!strchr(line, '\n') ||
		    sscanf(line, "%16[0-9a-f]|%*[^|]|%lu|%lu|%*u|%lf", version, &first, &seeds, &seconds) != 4)
			continue;
		if (strcmp(version, l->version) != 0 || first != l->seeds + 1)
			continue;
		l->seeds += seeds;
		l->seconds += seconds;
	}
	if (f)
		fclose(f);
}

int ledger_read(struct ledger *l, const struct hw_block *b, const char *folder, struct err *e)
{
	*l = (struct ledger){0};
	if (find_version(l->version, b, e))
		return -1;
	read_published(l, b, folder);
	read_runs(l, b, folder);
	return 0;
}

/* What a kill has cut becomes a line of its own. */
static void end_cut_line(FILE *f)
{
	if (fseek(f, -1, SEEK_END) == 0 && fgetc(f) != '\n') {
		fseek(f, 0, SEEK_END);
		fputc('\n', f);
	}
}

FILE *ledger_open(const struct hw_block *b, const char *folder, struct err *e)
{
	char path[4200];
	FILE *f;

	f = fopen(path_of(path, folder, b->name), "a+");
	if (f)
		end_cut_line(f);
	else
		err_set(e, "%s: cannot be written", path);
	return f;
}

int ledger_note(const struct ledger *l, FILE *to, const char *shape, uint64_t first_seed, double seconds, struct err *e)
{
	fprintf(to, "%s|%s|%" PRIu64 "|%d|%d|%.3f\n", l->version, shape, first_seed, LEDGER_TURN_SEEDS,
		LEDGER_TURN_SEEDS * LEDGER_SEED_STEPS, seconds);
	return fflush(to) ? err_set(e, "what was run cannot be written") : 0;
}

void ledger_row(const struct ledger *l, const struct hw_block *b, unsigned shapes, const char *folder, FILE *to)
{
	uint64_t turns = l->seeds / LEDGER_TURN_SEEDS;
	char line[LINE_BYTES];

	if (l->seeds)
		fprintf(to, "| `%s` | `%s` | %.4g | %" PRIu64 " | 1 to %" PRIu64 " | %.3f |\n", b->module, l->version,
			(double)ledger_steps(l), turns < shapes ? turns : (uint64_t)shapes, l->seeds,
			(double)ledger_steps(l) / l->seconds / 1e6);
	else if (published_row(b, folder, line))
		fputs(line, to);
}
