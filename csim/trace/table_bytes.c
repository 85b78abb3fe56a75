#include "trace/table_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { OUT_BUFFER = 1 << 16 };

const char *const reader_error = "it cannot be read";

void table_out_begin(struct table_out *o, int fd, const char *path, uint64_t at, struct err *e)
{
	*o = (struct table_out){.fd = fd, .path = path, .at = at, .e = e, .state = XXH64_createState()};
	o->failed = !o->state;
	if (o->failed)
		err_set(e, "%s: not enough memory", path);
	else
		XXH64_reset(o->state, 0);
}

static void go_on(struct table_out *o)
{
	if (o->failed)
		return;
	XXH64_update(o->state, o->b.data, o->b.n);
	if (o->fd >= 0 && file_write_at(o->fd, o->path, o->b.data, o->b.n, o->at + o->n, o->e))
		o->failed = true;
	o->n += o->b.n;
	o->b.n = 0;
}

void table_out_some(struct table_out *o)
{
	if (o->b.n >= OUT_BUFFER)
		go_on(o);
}

int table_out_end(struct table_out *o)
{
	if (o->b.n)
		go_on(o);
	o->hash = o->failed ? 0 : XXH64_digest(o->state);
	XXH64_freeState(o->state);
	free(o->b.data);
	o->b = (struct bytes){0};
	return o->failed ? -1 : 0;
}

void reader_open(struct reader *r, int fd, const char *path, uint64_t at, uint64_t n, struct err *e)
{
	*r = (struct reader){.fd = fd, .path = path, .at = at, .left = n, .e = e};
	r->p = r->end = r->window = xmalloc(READER_WINDOW);
}

void reader_close(struct reader *r)
{
	free(r->window);
}

static void nothing_left(struct reader *r, const char *why)
{
	bad(r, why);
	r->p = r->end;
	r->left = 0;
}

bool reader_fill(struct reader *r, size_t n)
{
	size_t there = (size_t)(r->end - r->p), more = READER_WINDOW - there;

	if (reader_left(r) < n) {
		nothing_left(r, "it is cut short");
		return false;
	}
	memmove(r->window, r->p, there);
	more = more < r->left ? more : r->left;
	r->p = r->window;
	r->end = r->window + there;
	if (file_read_at(r->fd, r->path, r->window + there, more, r->at, r->e)) {
		nothing_left(r, reader_error);
		return false;
	}
	r->end += more;
	r->at += more;
	r->left -= more;
	return true;
}
