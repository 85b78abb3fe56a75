#include "study/store.h"

#include <glob.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/arena.h"
#include "base/files/root.h"

enum { PATIENCE = 60000 }; /* milliseconds, for somebody else who reads the file just now */

static int hash_file(XXH3_state_t *h, const char *path, struct err *e)
{
	static const size_t CHUNK = 1 << 20;
	FILE *f = fopen(path, "rb");
	char *chunk;
	size_t n;

	if (!f)
		return err_set(e, "%s cannot be read", path);
	chunk = xmalloc(CHUNK);
	while ((n = fread(chunk, 1, CHUNK, f)) > 0)
		XXH3_64bits_update(h, chunk, n);
	free(chunk);
	fclose(f);
	return 0;
}

static int hash_files(XXH3_state_t *h, const char *pattern, struct err *e)
{
	char path[ROOT_PATH_MAX];
	glob_t g = {0};
	int rc = 0;

	glob(root_path(pattern, path), 0, NULL, &g); /* in the order of names */
	for (size_t i = 0; i < g.gl_pathc && rc == 0; i++)
		rc = hash_file(h, g.gl_pathv[i], e);
	globfree(&g);
	return rc;
}

static int hash_program(const char *program, char out[20], struct err *e)
{
	XXH3_state_t *h = XXH3_createState();
	int rc = -1;

	if (!h)
		return err_set(e, "out of memory");
	XXH3_64bits_reset(h);
	if (hash_file(h, program, e) == 0 && hash_files(h, "csim/machines/*.yaml", e) == 0 &&
	    hash_files(h, "traces/*/kernel.ptx", e) == 0) {
		snprintf(out, 20, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(h));
		rc = 0;
	}
	XXH3_freeState(h);
	return rc;
}

/* What is wrong with the file, and what can be done about it. */
static int complain(const struct study_store *s, const char *path, struct err *e)
{
	const char *what = sqlite3_errmsg(s->db);

	switch (sqlite3_errcode(s->db)) {
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		return err_set(e, "%s: is damaged (%s): delete it, and the study makes its runs again", path, what);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(e, "%s: another program has held it for %d seconds", path, PATIENCE / 1000);
	default:
		return err_set(e, "%s: %s", path, what);
	}
}

/* Reads all pages once: a damaged one would show as a result that is missing. */
static int check_pages(struct study_store *s, const char *path, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int rc = 0;

	if (sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &st, NULL) != SQLITE_OK || sqlite3_step(st) != SQLITE_ROW)
		rc = complain(s, path, e);
	else if (strcmp((const char *)sqlite3_column_text(st, 0), "ok") != 0)
		rc = err_set(e, "%s: is damaged (%.200s): delete it, and the study makes its runs again", path,
			     (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return rc;
}

static int check_table(struct study_store *s, const char *path, struct err *e)
{
	static const char *const columns = "SELECT program, args, seconds, result FROM run";
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(s->db, columns, -1, &st, NULL) == SQLITE_OK;

	sqlite3_finalize(st);
	return rc ? 0 : err_set(e, "%s: holds something else than runs (%s): delete or move it", path, sqlite3_errmsg(s->db));
}

int study_store_open(struct study_store *s, const char *path, const char *program, struct err *e)
{
	static const char *const schema = "CREATE TABLE IF NOT EXISTS run (program TEXT, args TEXT, seconds REAL, result TEXT, "
					  "PRIMARY KEY (program, args))";

	int rc;

	s->db = NULL;
	if (hash_program(program, s->program, e) != 0)
		return -1;
	if (sqlite3_open(path, &s->db) != SQLITE_OK || sqlite3_busy_timeout(s->db, PATIENCE) != SQLITE_OK ||
	    sqlite3_exec(s->db, schema, NULL, NULL, NULL) != SQLITE_OK)
		rc = complain(s, path, e);
	else if (sqlite3_db_readonly(s->db, "main") == 1)
		rc = err_set(e, "%s: cannot be written", path);
	else
		rc = check_pages(s, path, e) || check_table(s, path, e) ? -1 : 0;
	if (rc)
		study_store_close(s);
	return rc;
}

void study_store_close(struct study_store *s)
{
	sqlite3_close(s->db);
	s->db = NULL;
}

static sqlite3_stmt *statement(struct study_store *s, const char *sql, const char *args)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return NULL;
	sqlite3_bind_text(st, 1, s->program, -1, SQLITE_STATIC);
	if (args)
		sqlite3_bind_text(st, 2, args, -1, SQLITE_STATIC);
	return st;
}

char *study_store_get(struct study_store *s, const char *args)
{
	sqlite3_stmt *st = statement(s, "SELECT result FROM run WHERE program = ? AND args = ?", args);
	char *json = NULL;

	if (st && sqlite3_step(st) == SQLITE_ROW && sqlite3_column_text(st, 0))
		json = xstrdup((const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return json;
}

int study_store_put(struct study_store *s, const char *args, double seconds, const char *json, struct err *e)
{
	sqlite3_stmt *st = statement(s, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?)", args);
	int rc = SQLITE_ERROR;

	if (st) {
		sqlite3_bind_double(st, 3, seconds);
		sqlite3_bind_text(st, 4, json, -1, SQLITE_STATIC);
		rc = sqlite3_step(st);
	}
	sqlite3_finalize(st);
	return rc == SQLITE_DONE ? 0 : err_set(e, "the study's results cannot be kept: %s", sqlite3_errmsg(s->db));
}

unsigned study_store_count(struct study_store *s, double *seconds)
{
	sqlite3_stmt *st = statement(s, "SELECT count(*), total(seconds) FROM run WHERE program = ?", NULL);
	unsigned n = 0;

	*seconds = 0;
	if (st && sqlite3_step(st) == SQLITE_ROW) {
		n = (unsigned)sqlite3_column_int(st, 0);
		*seconds = sqlite3_column_double(st, 1);
	}
	sqlite3_finalize(st);
	return n;
}
