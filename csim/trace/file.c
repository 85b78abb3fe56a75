/* The .ltrace file: header, frames, tables. Layout: docs/trace-format.md. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/arena.h"
#include "trace/trace_impl.h"

/* A byte above 127 and both line ends: a file that went through a text conversion is recognised at once. */
static const uint8_t magic[8] = {0x89, 'L', 'T', 'R', 'C', '\r', '\n', 0x1a};

struct header {
	uint32_t version;
	uint64_t content_at, content_bytes, content_hash, storage_bytes, storage_hash;
};

int file_write_at(int fd, const char *path, const void *bytes, size_t n, uint64_t at, struct err *e)
{
	const uint8_t *p = bytes;

	while (n > 0) {
		ssize_t done = pwrite(fd, p, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return err_set(e, "%s: cannot write: %s", path, strerror(done < 0 ? errno : EIO));
		p += done;
		n -= (size_t)done;
		at += (uint64_t)done;
	}
	return 0;
}

int file_read_at(int fd, const char *path, void *bytes, size_t n, uint64_t at, struct err *e)
{
	uint8_t *p = bytes;

	while (n > 0) {
		ssize_t done = pread(fd, p, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return err_set(e, "%s: cannot read: %s", path, strerror(errno));
		if (done == 0)
			return err_set(e, "%s: the trace is cut short", path);
		p += done;
		n -= (size_t)done;
		at += (uint64_t)done;
	}
	return 0;
}

static void put(uint8_t *p, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t get(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

int file_finish(const struct trace *t, uint64_t at, struct err *e)
{
	uint8_t h[TRACE_HEADER] = {0};
	struct bytes b = {0};
	size_t content;
	int failed;

	tables_write_content(t, &b);
	content = b.n;
	tables_write_storage(t, &b);
	memcpy(h, magic, sizeof magic);
	put(h + 8, tables_version(t), 4);
	put(h + 12, TRACE_HEADER, 4);
	put(h + 16, at, 8);
	put(h + 24, content, 8);
	put(h + 32, XXH64(b.data, content, 0), 8);
	put(h + 40, b.n - content, 8);
	put(h + 48, XXH64(b.data + content, b.n - content, 0), 8);
	put(h + 56, XXH64(h, 56, 0), 8);
	failed = file_write_at(t->fd, t->path, b.data, b.n, at, e) || file_write_at(t->fd, t->path, h, sizeof h, 0, e);
	free(b.data);
	return failed ? -1 : 0;
}

static int read_header(int fd, const char *path, uint64_t size, struct header *out, struct err *e)
{
	uint8_t h[TRACE_HEADER] = {0};
	uint64_t tables;

	if (file_read_at(fd, path, h, size < sizeof h ? size : sizeof h, 0, e))
		return -1;
	if (size < sizeof magic || memcmp(h, magic, sizeof magic))
		return err_set(e, "%s: not a Locus trace", path);
	if (size < sizeof h)
		return err_set(e, "%s: the trace is cut short", path);
	if (get(h + 8, 4) > TRACE_VERSION)
		return err_set(e, "%s: the trace has format version %u, this program reads up to %u", path, (unsigned)get(h + 8, 4),
			       TRACE_VERSION);
	*out = (struct header){(uint32_t)get(h + 8, 4), get(h + 16, 8), get(h + 24, 8),
			       get(h + 32, 8),		get(h + 40, 8), get(h + 48, 8)};
	if (get(h + 56, 8) != XXH64(h, 56, 0) || get(h + 8, 4) == 0 || get(h + 12, 4) != sizeof h)
		return err_set(e, "%s: the trace's header is damaged", path);
	if (out->content_at < sizeof h || out->content_at > size)
		return err_set(e, "%s: the trace is cut short", path);
	tables = size - out->content_at;
	if (out->content_bytes > tables || out->storage_bytes != tables - out->content_bytes)
		return err_set(
			e, "%s: the trace has %" PRIu64 " bytes, its header says otherwise: it is cut short or longer than it was",
			path, size);
	return 0;
}

static int read_tables(struct trace *t, const struct header *h, struct err *e)
{
	size_t n = h->content_bytes + h->storage_bytes;
	uint8_t *b = malloc(n ? n : 1);
	int failed = -1;

	if (!b) {
		err_set(e, "%s: not enough memory for tables of %zu bytes", t->path, n);
	} else if (!file_read_at(t->fd, t->path, b, n, h->content_at, e)) {
		if (XXH64(b, h->content_bytes, 0) != h->content_hash ||
		    XXH64(b + h->content_bytes, h->storage_bytes, 0) != h->storage_hash)
			err_set(e, "%s: the trace's tables are damaged: their checksum is wrong", t->path);
		else if (tables_read_content(t, h->version, b, h->content_bytes, e) ||
			 tables_read_storage(t, h->version, b + h->content_bytes, h->storage_bytes, h->content_at, e))
			err_prefix(e, "%s", t->path);
		else
			failed = 0;
	}
	free(b);
	return failed;
}

struct trace *trace_open(const char *path, struct err *e)
{
	struct trace *t = trace_new();
	struct header h = {0};
	struct stat st;

	t->path = xstrdup(path);
	t->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (t->fd < 0 || fstat(t->fd, &st))
		err_set(e, "%s: cannot open: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		err_set(e, "%s: not a file", path);
	else if (!read_header(t->fd, path, (uint64_t)st.st_size, &h, e) && !read_tables(t, &h, e))
		return t;
	trace_close(t);
	return NULL;
}
