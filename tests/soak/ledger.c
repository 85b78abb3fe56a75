#include "soak/ledger.h"

#include <inttypes.h>
#include <string.h>

#include "base/files/root.h"

enum { LINE_BYTES = 512 };

static int find_version(char version[LEDGER_VERSION], const struct hw_block *b, struct err *e)
{
	char script[ROOT_PATH_MAX], command[ROOT_PATH_MAX + 100];
	FILE *f;
	int n = 0;

	snprintf(command, sizeof command, "'%s' soak %s", root_path("scripts/source-version", script), b->module);
	f = popen(command, "r");
	if (f)
		n = fscanf(f, "%16[0-9a-f]", version);
	if (!f || pclose(f) || n != 1)
		return err_set(e, "%s: no version of %s", script, b->module);
	return 0;
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
