#include "sweep/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

enum { PATIENCE = 60000 }; /* milliseconds, for somebody else who reads the file just now */

/* What is wrong with the file, and what can be done about it. */
static int complain(const struct sweep_store *s, const char *path, struct err *e)
{
	const char *what = sqlite3_errmsg(s->db);

	switch (sqlite3_errcode(s->db)) {
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		return err_set(e, "%s: is damaged (%s): delete it, and its runs are made again", path, what);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(e, "%s: another program has held it for %d seconds", path, PATIENCE / 1000);
	default:
		return err_set(e, "%s: %s", path, what);
	}
}

/* Reads all pages once: a damaged one would show as a result that is missing. */
static int check_pages(struct sweep_store *s, const char *path, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int rc = 0;

	if (sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &st, NULL) != SQLITE_OK || sqlite3_step(st) != SQLITE_ROW)
		rc = complain(s, path, e);
	else if (strcmp((const char *)sqlite3_column_text(st, 0), "ok") != 0)
		rc = err_set(e, "%s: is damaged (%.200s): delete it, and its runs are made again", path,
			     (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return rc;
}

static int check_table(struct sweep_store *s, const char *path, struct err *e)
{
	static const char *const columns = "SELECT program, args, seconds, result FROM run";
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(s->db, columns, -1, &st, NULL) == SQLITE_OK;

	sqlite3_finalize(st);
	return rc ? 0 : err_set(e, "%s: holds something other than runs (%s): delete or move it", path, sqlite3_errmsg(s->db));
}

int sweep_store_open(struct sweep_store *s, const char *path, struct err *e)
{
	static const char *const schema =
		"CREATE TABLE IF NOT EXISTS run (program TEXT, args TEXT, seconds REAL, result TEXT, PRIMARY KEY (program, args));"
		"CREATE TABLE IF NOT EXISTS failure (program TEXT, args TEXT, why TEXT, PRIMARY KEY (program, args))";
	int rc;

	s->db = NULL;
	if (sqlite3_open(path, &s->db) != SQLITE_OK || sqlite3_busy_timeout(s->db, PATIENCE) != SQLITE_OK ||
	    sqlite3_exec(s->db, schema, NULL, NULL, NULL) != SQLITE_OK)
		rc = complain(s, path, e);
	else if (sqlite3_db_readonly(s->db, "main") == 1)
		rc = err_set(e, "%s: cannot be written: %s", path, strerror(access(path, W_OK) != 0 ? errno : EROFS));
	else
		rc = check_pages(s, path, e) || check_table(s, path, e) ? -1 : 0;
	if (rc)
		sweep_store_close(s);
	return rc;
}

void sweep_store_close(struct sweep_store *s)
{
	sqlite3_close(s->db);
	s->db = NULL;
}

static sqlite3_stmt *statement(struct sweep_store *s, const char *sql, const char *content, const char *args)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return NULL;
	sqlite3_bind_text(st, 1, content, -1, SQLITE_STATIC);
	if (args)
		sqlite3_bind_text(st, 2, args, -1, SQLITE_STATIC);
	return st;
}

/* The text that the query finds; NULL: none. */
static char *text_of(struct sweep_store *s, const char *sql, const char *content, const char *args)
{
	sqlite3_stmt *st = statement(s, sql, content, args);
	char *text = NULL;

	if (st && sqlite3_step(st) == SQLITE_ROW && sqlite3_column_text(st, 0))
		text = xstrdup((const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return text;
}

char *sweep_store_get(struct sweep_store *s, const char *content, const char *args)
{
	return text_of(s, "SELECT result FROM run WHERE program = ? AND args = ?", content, args);
}

json_t *sweep_store_result(struct sweep_store *s, const char *content, const char *args)
{
	char *text = sweep_store_get(s, content, args);
	json_t *json = text ? json_loads(text, 0, NULL) : NULL;

	free(text);
	return json;
}

char *sweep_store_failure(struct sweep_store *s, const char *content, const char *args)
{
	return text_of(s, "SELECT why FROM failure WHERE program = ? AND args = ?", content, args);
}

/* Runs a statement that returns nothing, and ends it. */
static int carry_out(struct sweep_store *s, sqlite3_stmt *st, struct err *e)
{
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	sqlite3_finalize(st);
	return rc == SQLITE_DONE ? 0 : err_set(e, "results cannot be kept: %s", sqlite3_errmsg(s->db));
}

/* A failure that it had is past; of two commits, one that is lost to a kill leaves a failure beside a result, which
 * counts for nothing. */
static int forget_failure(struct sweep_store *s, const char *content, const char *args, struct err *e)
{
	char *why = sweep_store_failure(s, content, args);
	int rc = why ? carry_out(s, statement(s, "DELETE FROM failure WHERE program = ? AND args = ?", content, args), e) : 0;

	free(why);
	return rc;
}

int sweep_store_put(struct sweep_store *s, const char *content, const char *args, double seconds, const char *json, struct err *e)
{
	sqlite3_stmt *st = statement(s, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?)", content, args);

	if (st) {
		sqlite3_bind_double(st, 3, seconds);
		sqlite3_bind_text(st, 4, json, -1, SQLITE_STATIC);
	}
	return carry_out(s, st, e) || forget_failure(s, content, args, e) ? -1 : 0;
}

int sweep_store_put_failure(struct sweep_store *s, const char *content, const char *args, const char *why, struct err *e)
{
	sqlite3_stmt *st = statement(s, "INSERT OR REPLACE INTO failure VALUES (?, ?, ?)", content, args);

	if (st)
		sqlite3_bind_text(st, 3, why, -1, SQLITE_STATIC);
	return carry_out(s, st, e);
}

unsigned sweep_store_count(struct sweep_store *s, const char *content, double *seconds)
{
	sqlite3_stmt *st = statement(s, "SELECT count(*), total(seconds) FROM run WHERE program = ?", content, NULL);
	unsigned n = 0;

	*seconds = 0;
	if (st && sqlite3_step(st) == SQLITE_ROW) {
		n = (unsigned)sqlite3_column_int(st, 0);
		*seconds = sqlite3_column_double(st, 1);
	}
	sqlite3_finalize(st);
	return n;
}
