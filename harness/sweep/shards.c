#include "sweep/shards.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "process/interrupt.h"
#include "process/output.h"
#include "sweep/pool.h"

enum { PATH = 4200 };

static char *path_in(const char *dir, const char *name, char out[PATH])
{
	snprintf(out, PATH, "%.4000s/shards%s%s", dir, *name ? "/" : "", name);
	return out;
}

/* The file gets its name when it is whole. Takes the reference. */
static int write_json(const char *path, json_t *json, struct err *e)
{
	struct output o;
	int rc = output_open(&o, path, e);

	if (rc == 0 && json_dumpf(json, o.f, JSON_INDENT(1)) != 0) {
		rc = output_failed(&o, e);
		output_drop(&o);
	} else if (rc == 0) {
		rc = output_keep(&o, e);
	}
	json_decref(json);
	return rc;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* NULL: e says why. */
static json_t *read_json(const char *path, struct err *e)
{
	FILE *f = infile_open(path, INFILE_MOST, e);
	json_error_t why;
	json_t *json = f ? json_loadf(f, 0, &why) : NULL;

	if (f && !json)
		err_set(e, "%s: %s", path, why.text);
	if (f)
		fclose(f);
	return json;
}

/* ---- what is to be made ---- */

int sweep_shards_write(const char *dir, const struct sweep_missing *m, uint64_t memory, struct err *e)
{
	char path[PATH];
	json_t *runs = json_array();

	if (output_folder(path_in(dir, "", path), e) != 0) {
		json_decref(runs);
		return -1;
	}
	for (unsigned i = 0; i < m->n; i++)
		json_array_append_new(runs, json_pack("{s:s, s:s}", "content", m->point[i]->content, "args", m->args[i]));
	return write_json(path_in(dir, "todo", path), json_pack("{s:I, s:o}", "memory", (json_int_t)memory, "runs", runs), e);
}

/* One shard at work. */
struct shard {
	const char *dir;
	json_t *runs;
	uint64_t hash; /* of the todo */
	unsigned *number;
	const char **args;
	unsigned n;
};

static uint64_t hash_of(const json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
	uint64_t hash = text ? XXH3_64bits(text, strlen(text)) : 0;

	free(text);
	return hash;
}

static char *result_path(const struct shard *s, unsigned number, char out[PATH])
{
	char name[64];

	snprintf(name, sizeof name, "%016" PRIx64 "-%u.json", s->hash, number);
	return path_in(s->dir, name, out);
}

/* Those of the shard that have no result yet. */
static int take_runs(struct shard *s, unsigned shard, unsigned shards, struct err *e)
{
	size_t all = json_array_size(s->runs);
	char path[PATH];

	s->number = xcalloc(all + 1, sizeof *s->number);
	s->args = xcalloc(all + 1, sizeof *s->args);
	for (size_t i = shard; i < all; i += shards) {
		const json_t *run = json_array_get(s->runs, i);

		if (!text_of(run, "content") || !text_of(run, "args"))
			return err_set(e, "%s: holds something other than runs", path_in(s->dir, "todo", path));
		if (access(result_path(s, (unsigned)i, path), F_OK) == 0)
			continue;
		s->number[s->n] = (unsigned)i;
		s->args[s->n++] = text_of(run, "args");
	}
	return 0;
}

static int shard_ended(void *ctx, const struct sweep_end *end, struct err *e)
{
	const struct shard *s = ctx;
	unsigned number = s->number[end->index];
	char path[PATH];

	if (end->interrupted)
		return 0;
	return write_json(result_path(s, number, path),
			  json_pack("{s:s, s:s, s:f, s:s}", "content", text_of(json_array_get(s->runs, number), "content"), "args",
				    end->args, "seconds", end->seconds, end->json ? "result" : "why",
				    end->json ? end->json : end->why),
			  e);
}

static int work(struct shard *s, uint64_t memory, const struct sweep_options *o, struct err *e)
{
	char path[PATH];
	struct sweep_pool pool = {.program = o->program,
				  .dir = path_in(s->dir, "", path),
				  .jobs = o->jobs,
				  .memory = memory,
				  .ended = shard_ended,
				  .ctx = s};
	int rc;

	pool.stop = interrupt_hold();
	rc = s->n ? sweep_pool_run(&pool, s->args, s->n, e) : 0;
	interrupt_release();
	return rc;
}

int sweep_shard_run(const char *dir, unsigned shard, unsigned shards, const struct sweep_options *o, struct err *e)
{
	struct shard s = {.dir = dir};
	char path[PATH];
	json_t *todo = read_json(path_in(dir, "todo", path), e);
	json_int_t memory = json_integer_value(json_object_get(todo, "memory"));
	int rc;

	s.runs = json_object_get(todo, "runs");
	if (!json_is_array(s.runs) || memory < 0) {
		rc = todo ? err_set(e, "%s: holds something other than runs", path) : -1;
	} else {
		s.hash = hash_of(todo);
		rc = take_runs(&s, shard, shards, e) || work(&s, (uint64_t)memory, o, e) ? -1 : 0;
	}
	free(s.number);
	free(s.args);
	json_decref(todo);
	return rc;
}

/* ---- what has been made ---- */

static int merge_file(const char *path, struct sweep_store *s, struct err *e)
{
	struct err why = {"something is missing in it"};
	json_t *r = read_json(path, &why);
	const char *content = text_of(r, "content"), *args = text_of(r, "args"), *json = text_of(r, "result");
	const char *failed = text_of(r, "why");
	int rc;

	if (!content || !args || !(json || failed))
		rc = err_set(e, "%s: is not the result of a shard (%s): delete it, and its run is made again", path, why.text);
	else
		rc = json ? sweep_store_put(s, content, args, json_number_value(json_object_get(r, "seconds")), json, e)
			  : sweep_store_put_failure(s, content, args, failed, e);
	json_decref(r);
	if (rc == 0)
		unlink(path);
	return rc;
}

static bool is_result(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && *name != '.' && !strcmp(name + n - 5, ".json");
}

int sweep_shards_merge(const char *dir, struct sweep_store *s, unsigned *merged, struct err *e)
{
	char path[PATH];
	DIR *d = opendir(path_in(dir, "", path));
	const struct dirent *entry;
	int rc = 0;

	while (d && rc == 0 && (entry = readdir(d))) {
		if (!is_result(entry->d_name))
			continue;
		rc = merge_file(path_in(dir, entry->d_name, path), s, e);
		if (merged)
			*merged += rc == 0;
	}
	if (d)
		closedir(d);
	return rc;
}
