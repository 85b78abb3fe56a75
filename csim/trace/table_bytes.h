/* Numbers of a trace's tables as bytes, little endian, on their way to a file and from one that may be damaged.
 *
 * The tables of a long trace are long, too: 16 bytes a CTA. So neither side holds a section as a whole: what is written
 * goes on when it has filled a buffer, and what is read is seen through a window.
 */
#ifndef CSIM_TRACE_TABLE_BYTES_H
#define CSIM_TRACE_TABLE_BYTES_H

#include <xxhash.h>

#include "trace/trace_impl.h"

/* ---- writing ---- */

static inline void put(struct bytes *b, uint64_t v, unsigned n)
{
	bytes_reserve(b, 8);
	for (unsigned i = 0; i < n; i++)
		b->data[b->n++] = (uint8_t)(v >> 8 * i);
}

struct table_out {
	struct bytes b;	  /* what has not gone on */
	uint64_t n, hash; /* of all, when it has ended */
	XXH64_state_t *state;
	int fd; /* -1: the hash alone is wanted */
	const char *path;
	uint64_t at;
	struct err *e;
	bool failed;
};

void table_out_begin(struct table_out *o, int fd, const char *path, uint64_t at, struct err *e);
void table_out_some(struct table_out *o); /* the buffer goes on if it is full */
int table_out_end(struct table_out *o);	  /* all of it does; and what was taken is freed, also on an error */

/* ---- reading ---- */

enum { READER_WINDOW = 1 << 16 };

/* Reads past the end give 0 and set `wrong`, which keeps the first thing that went wrong. */
struct reader {
	const uint8_t *p, *end; /* in the window: what has been read, but not taken */
	uint8_t *window;
	uint64_t left, at; /* bytes of the section behind the window, and where in the file they begin */
	int fd;
	const char *path;
	const char *wrong;
	struct err *e;
};
extern const char *const reader_error; /* as `wrong`: the file could not be read, as *e says */

void reader_open(struct reader *r, int fd, const char *path, uint64_t at, uint64_t n, struct err *e);
void reader_close(struct reader *r);
/* Brings n bytes, at most READER_WINDOW, into the window. False, with nothing left, if there are not so many. */
bool reader_fill(struct reader *r, size_t n);

static inline uint64_t reader_left(const struct reader *r)
{
	return (uint64_t)(r->end - r->p) + r->left;
}

static inline void bad(struct reader *r, const char *why)
{
	if (!r->wrong && why)
		r->wrong = why;
}

/* Whether n bytes are at r->p. */
static inline bool reader_has(struct reader *r, size_t n)
{
	return (size_t)(r->end - r->p) >= n || reader_fill(r, n);
}

static inline uint64_t get(struct reader *r, unsigned n)
{
	uint64_t v = 0;

	if (!reader_has(r, n))
		return 0;
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)*r->p++ << 8 * i;
	return v;
}

/* A count of things that take `least` bytes or more each; 0 if the rest of the section cannot hold so many. */
static inline uint64_t get_count(struct reader *r, unsigned n, size_t least)
{
	uint64_t v = get(r, n);

	if (v <= reader_left(r) / least)
		return v;
	bad(r, "a count is larger than what follows");
	return 0;
}

/* ---- parts of the tables ---- */

/* tables.c. Errors: an index or a file that cannot be read or written. */
int tables_write_content(const struct trace *t, struct table_out *o);
int tables_write_storage(const struct trace *t, struct table_out *o);
/* tables_read.c: both sections at once, since each has a part of what is said of a frame. */
int tables_read(struct trace *t, uint32_t version, struct reader *content, struct reader *storage, uint64_t frames_end,
		struct err *e);
/* tables_folds.c: what is folded of a kernel (trace/folds.h). */
void tables_put_folds(struct bytes *b, const struct trace_kernel *k);
void tables_get_folds(struct reader *r, struct trace_kernel *k);
/* tables_sync.c: the accesses that order warps, of all launches. */
void tables_put_sync(struct table_out *o, const struct trace *t);
void tables_get_sync(struct reader *r, struct trace *t);

#endif
