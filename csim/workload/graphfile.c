/* METIS and MatrixMarket files. Read byte by byte through zlib, which also passes plain text on; arrays grow with what
 * was read, so that a count in a header takes no memory by itself. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "workload/graph.h"

enum { TOKEN = 64 };

struct text {
	gzFile file;
	const char *path;
	struct err *e;
	unsigned line;
	int at;		      /* the current byte; EOF at the end, or where the reader stops */
	uint64_t bytes, most; /* that were read; that are read */
	bool packed;	      /* by gzip */
	struct err stopped;   /* says why the reader stopped before the end */
	char token[TOKEN];
};

struct entries {
	uint32_t *row, *col;
	float *weight;
	uint32_t n, cap;
};

static int fail(struct text *t, const char *what)
{
	return err_set(t->e, "%s:%u: %s", t->path, t->line, what);
}

static void stop(struct text *t)
{
	t->at = EOF;
	if (t->packed)
		infile_unpacks_to_more(t->path, t->most, &t->stopped);
	else
		infile_too_large(t->path, t->most, &t->stopped);
}

static void step(struct text *t)
{
	t->line += t->at == '\n';
	t->at = gzgetc(t->file);
	if (++t->bytes > t->most && t->at != EOF)
		stop(t);
}

/* The next word of the line; false at its end. A byte of value 0 would end the word for those who look at it: it
 * becomes a '?', which belongs to no number and no name. */
static bool word(struct text *t)
{
	size_t n = 0;

	while (t->at == ' ' || t->at == '\t' || t->at == '\r')
		step(t);
	while (t->at != EOF && !isspace(t->at) && n < TOKEN - 1) {
		t->token[n++] = t->at ? (char)t->at : '?';
		step(t);
	}
	t->token[n] = '\0';
	if (n == TOKEN - 1 && t->at != EOF && !isspace(t->at)) {
		err_set(&t->stopped, "%s:%u: \"%s...\" is longer than any number or name", t->path, t->line, t->token);
		t->at = EOF;
	}
	return n > 0;
}

static int number(struct text *t, uint64_t min, uint64_t max, const char *what, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(t->token, &end, 10);
	if (!isdigit((unsigned char)t->token[0]) || *end)
		return err_set(t->e, "%s:%u: \"%s\" is not a number (%s)", t->path, t->line, t->token, what);
	if (errno || *out < min || *out > max)
		return err_set(t->e, "%s:%u: %s %s is not in %" PRIu64 "..%" PRIu64, t->path, t->line, what, t->token, min, max);
	return 0;
}

static int need(struct text *t, uint64_t min, uint64_t max, const char *what, uint64_t *out)
{
	if (!word(t))
		return err_set(t->e, "%s:%u: %s is missing", t->path, t->line, what);
	return number(t, min, max, what, out);
}

static int real(struct text *t, const char *what, float *out)
{
	char *end;

	if (!word(t))
		return err_set(t->e, "%s:%u: %s is missing", t->path, t->line, what);
	*out = strtof(t->token, &end);
	return *end ? err_set(t->e, "%s:%u: \"%s\" is not a number (%s)", t->path, t->line, t->token, what) : 0;
}

static void skip_line(struct text *t)
{
	while (t->at != EOF && t->at != '\n')
		step(t);
	if (t->at == '\n')
		step(t);
}

/* To the next line that is no comment. */
static void skip_comments(struct text *t)
{
	while (t->at == '%')
		skip_line(t);
}

static int end_of_line(struct text *t)
{
	if (word(t))
		return err_set(t->e, "%s:%u: \"%s\" is one word too many", t->path, t->line, t->token);
	skip_line(t);
	return 0;
}

static int add(struct text *t, struct entries *n, uint64_t row, uint64_t col, const float *weight)
{
	if (n->n == n->cap) {
		if (n->cap > UINT32_C(1) << 30)
			return fail(t, "more than 2^31 entries");
		n->cap = n->cap ? n->cap * 2 : 1024;
		n->row = xrealloc(n->row, n->cap * sizeof *n->row);
		n->col = xrealloc(n->col, n->cap * sizeof *n->col);
		if (weight)
			n->weight = xrealloc(n->weight, n->cap * sizeof *n->weight);
	}
	n->row[n->n] = (uint32_t)row;
	n->col[n->n] = (uint32_t)col;
	if (weight)
		n->weight[n->n] = *weight;
	n->n++;
	return 0;
}

/* ---- METIS ---- */

struct metis_header {
	uint64_t n, m, n_weights; /* vertices, edges, weights a vertex */
	bool sizes, vertex_weights, edge_weights;
};

static int metis_header(struct text *t, struct metis_header *h)
{
	*h = (struct metis_header){.n_weights = 1};
	skip_comments(t);
	if (need(t, 1, UINT32_MAX - 1, "the number of vertices", &h->n) ||
	    need(t, 0, UINT32_C(1) << 30, "the number of edges", &h->m))
		return -1;
	if (word(t)) {
		size_t n = strlen(t->token);

		if (n > 3 || strspn(t->token, "01") != n)
			return err_set(t->e, "%s:%u: format \"%s\" is not of three digits 0 or 1", t->path, t->line, t->token);
		h->edge_weights = t->token[n - 1] == '1';
		h->vertex_weights = n > 1 && t->token[n - 2] == '1';
		h->sizes = n > 2 && t->token[0] == '1';
		if (word(t) && number(t, 1, 1000, "the number of weights a vertex", &h->n_weights))
			return -1;
	}
	return end_of_line(t);
}

static int metis_vertex(struct text *t, const struct metis_header *h, uint64_t v, struct entries *to)
{
	uint64_t skipped, other, w;

	for (uint64_t i = 0; i < h->sizes + (h->vertex_weights ? h->n_weights : 0); i++)
		if (need(t, 0, UINT64_MAX, "a vertex weight or size", &skipped))
			return -1;
	while (word(t)) {
		float weight;

		if (number(t, 1, h->n, "a neighbour", &other) || (h->edge_weights && need(t, 0, UINT32_MAX, "an edge weight", &w)))
			return -1;
		weight = h->edge_weights ? (float)w : 0;
		if (add(t, to, v, other - 1, h->edge_weights ? &weight : NULL))
			return -1;
	}
	skip_line(t);
	return 0;
}

static int read_metis(struct text *t, struct graph *g, struct entries *to)
{
	struct metis_header h;

	if (metis_header(t, &h))
		return -1;
	for (uint64_t v = 0; v < h.n; v++) {
		skip_comments(t);
		if (t->at == EOF)
			return err_set(t->e, "%s:%u: the file ends after %" PRIu64 " of %" PRIu64 " vertices", t->path, t->line, v,
				       h.n);
		if (metis_vertex(t, &h, v, to))
			return -1;
	}
	if (to->n != 2 * h.m)
		return err_set(t->e, "%s:%u: %" PRIu32 " neighbours are listed, %" PRIu64 " edges would have %" PRIu64, t->path,
			       t->line, to->n, h.m, 2 * h.m);
	g->n_rows = g->n_cols = (uint32_t)h.n;
	return 0;
}

/* ---- MatrixMarket ---- */

struct matrix_header {
	bool pattern, symmetric;
	uint64_t rows, cols, entries;
};

static int one_of(struct text *t, const char *what, const char *a, const char *b, const char *c)
{
	const char *names[3] = {a, b, c};

	if (!word(t))
		return err_set(t->e, "%s:%u: the %s is missing", t->path, t->line, what), -1;
	for (int i = 0; i < 3; i++)
		if (names[i] && !strcasecmp(t->token, names[i]))
			return i;
	err_set(t->e, "%s:%u: %s \"%s\" cannot be read, only %s%s%s%s%s", t->path, t->line, what, t->token, a, b ? ", " : "",
		b ? b : "", c ? ", " : "", c ? c : "");
	return -1;
}

static int matrix_header(struct text *t, struct matrix_header *h)
{
	int field, symmetry;

	word(t); /* %%MatrixMarket */
	if (one_of(t, "object", "matrix", NULL, NULL) < 0 || one_of(t, "format", "coordinate", NULL, NULL) < 0 ||
	    (field = one_of(t, "field", "real", "integer", "pattern")) < 0 ||
	    (symmetry = one_of(t, "symmetry", "general", "symmetric", NULL)) < 0 || end_of_line(t))
		return -1;
	h->pattern = field == 2;
	h->symmetric = symmetry == 1;
	skip_comments(t);
	if (need(t, 1, UINT32_MAX - 1, "the number of rows", &h->rows) ||
	    need(t, 1, UINT32_MAX - 1, "the number of columns", &h->cols) ||
	    need(t, 0, UINT32_C(1) << 30, "the number of entries", &h->entries))
		return -1;
	if (h->symmetric && h->rows != h->cols)
		return fail(t, "a symmetric matrix that is not square");
	return end_of_line(t);
}

static int read_matrix(struct text *t, struct graph *g, struct entries *to)
{
	struct matrix_header h;
	uint64_t row, col;

	if (matrix_header(t, &h))
		return -1;
	for (uint64_t i = 0; i < h.entries; i++) {
		float w = 0;

		skip_comments(t);
		if (t->at == EOF)
			return err_set(t->e, "%s:%u: the file ends after %" PRIu64 " of %" PRIu64 " entries", t->path, t->line, i,
				       h.entries);
		if (need(t, 1, h.rows, "row", &row) || need(t, 1, h.cols, "column", &col) ||
		    (!h.pattern && real(t, "a value", &w)) || end_of_line(t))
			return -1;
		if (add(t, to, row - 1, col - 1, h.pattern ? NULL : &w) ||
		    (h.symmetric && row != col && add(t, to, col - 1, row - 1, h.pattern ? NULL : &w)))
			return -1;
	}
	/* Empty rows take no bytes in the file, but only a broken header has so many of them. */
	if (h.rows > 64 * t->bytes + 65536 || h.cols > 64 * t->bytes + 65536)
		return err_set(t->e, "%s: %" PRIu64 " rows and %" PRIu64 " columns for %" PRIu64 " entries cannot be right",
			       t->path, h.rows, h.cols, h.entries);
	g->n_rows = (uint32_t)h.rows;
	g->n_cols = (uint32_t)h.cols;
	return 0;
}

/* ---- either ---- */

static int read_either(struct text *t, struct graph *g, struct entries *to)
{
	char first[15] = {0};
	int n = gzread(t->file, first, 14), failed, status;

	if (n < 0)
		return err_set(t->e, "%s: cannot read: %s", t->path, gzerror(t->file, &status));
	t->packed = !gzdirect(t->file);
	t->most = !t->packed ? INFILE_MOST : t->most ? t->most : INFILE_UNPACKED;
	while (n-- > 0) /* a pipe cannot be read twice */
		gzungetc((unsigned char)first[n], t->file);
	step(t);
	failed = strcasecmp(first, "%%MatrixMarket") ? read_metis(t, g, to) : read_matrix(t, g, to);
	if (t->stopped.text[0]) {
		if (t->e)
			*t->e = t->stopped;
		return -1;
	}
	if (gzerror(t->file, &status) && status != Z_OK && status != Z_STREAM_END) {
		if (t->e)
			t->e->text[0] = '\0';
		return err_set(t->e, "%s: cannot read: %s", t->path, gzerror(t->file, &status));
	}
	return failed;
}

int graph_open(struct graph *g, const char *path, uint64_t max_unpacked, struct err *e)
{
	struct text t = {.path = path, .e = e, .line = 1, .most = max_unpacked};
	struct entries n = {0};
	int failed, fd = infile_stream_fd(path, INFILE_MOST, e);

	*g = (struct graph){0};
	if (fd < 0)
		return -1;
	t.file = gzdopen(fd, "rb");
	if (!t.file) {
		close(fd);
		return err_set(e, "%s: cannot open: %s", path, strerror(errno));
	}
	failed = read_either(&t, g, &n);
	gzclose(t.file);
	if (!failed)
		graph_from_entries(g, g->n_rows, g->n_cols, n.n, n.row, n.col, n.n ? n.weight : NULL);
	free(n.row);
	free(n.col);
	free(n.weight);
	return failed;
}
