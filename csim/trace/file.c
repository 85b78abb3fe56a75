/* The .ltrace file: header, frames, tables. Layout: docs/reference/trace-format.md. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "trace/table_bytes.h"
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

int file_nameless(struct err *e)
{
	const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	char name[4096];
	int fd;

	if ((size_t)snprintf(name, sizeof name, "%s/locus-trace-XXXXXX", folder) >= sizeof name)
		return err_set(e, "TMPDIR is too long");
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return err_set(e, "%s: cannot write a spill file: %s", folder, strerror(errno));
	unlink(name);
	return fd;
}

static void put_number(uint8_t *p, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t number_at(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

int file_finish(const struct trace *t, uint64_t at, uint64_t *hash, struct err *e)
{
	uint8_t h[TRACE_HEADER] = {0};
	struct table_out content, storage;

	table_out_begin(&content, t->fd, t->path, at, e);
	if (tables_write_content(t, &content))
		return -1;
	table_out_begin(&storage, t->fd, t->path, at + content.n, e);
	if (tables_write_storage(t, &storage))
		return -1;
	*hash = content.hash;
	memcpy(h, magic, sizeof magic);
	put_number(h + 8, tables_version(t), 4);
	put_number(h + 12, TRACE_HEADER, 4);
	put_number(h + 16, at, 8);
	put_number(h + 24, content.n, 8);
	put_number(h + 32, content.hash, 8);
	put_number(h + 40, storage.n, 8);
	put_number(h + 48, storage.hash, 8);
	put_number(h + 56, XXH64(h, 56, 0), 8);
	return file_write_at(t->fd, t->path, h, sizeof h, 0, e);
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
	if (number_at(h + 8, 4) > TRACE_VERSION)
		return err_set(e, "%s: the trace has format version %u, this program reads up to %u", path,
			       (unsigned)number_at(h + 8, 4), TRACE_VERSION);
	*out = (struct header){(uint32_t)number_at(h + 8, 4), number_at(h + 16, 8), number_at(h + 24, 8),
			       number_at(h + 32, 8),	      number_at(h + 40, 8), number_at(h + 48, 8)};
	if (number_at(h + 56, 8) != XXH64(h, 56, 0) || number_at(h + 8, 4) == 0 || number_at(h + 12, 4) != sizeof h)
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

/* Whether the n bytes at `at` have that hash. */
static int check_section(const struct trace *t, uint64_t at, uint64_t n, uint64_t hash, struct err *e)
{
	XXH64_state_t *state = XXH64_createState();
	struct reader r;
	bool same;

	if (!state)
		return err_set(e, "%s: not enough memory", t->path);
	XXH64_reset(state, 0);
	reader_open(&r, t->fd, t->path, at, n, e);
	while (r.left && reader_fill(&r, 1)) {
		XXH64_update(state, r.p, (size_t)(r.end - r.p));
		r.p = r.end;
	}
	same = XXH64_digest(state) == hash;
	reader_close(&r);
	XXH64_freeState(state);
	if (!r.wrong && !same)
		return err_set(e, "%s: the trace's tables are damaged: their checksum is wrong", t->path);
	return r.wrong ? -1 : 0;
}

static int read_tables(struct trace *t, const struct header *h, struct err *e)
{
	const uint64_t storage_at = h->content_at + h->content_bytes;
	struct reader content, storage;
	int failed;

	if (check_section(t, h->content_at, h->content_bytes, h->content_hash, e) ||
	    check_section(t, storage_at, h->storage_bytes, h->storage_hash, e))
		return -1;
	t->hash = h->content_hash;
	reader_open(&content, t->fd, t->path, h->content_at, h->content_bytes, e);
	reader_open(&storage, t->fd, t->path, storage_at, h->storage_bytes, e);
	failed = tables_read(t, h->version, &content, &storage, h->content_at, e);
	reader_close(&content);
	reader_close(&storage);
	return failed;
}

struct trace *trace_open(const char *path, struct err *e)
{
	struct trace *t = trace_new();
	struct header h = {0};
	struct stat st;

	t->path = xstrdup(path);
	t->fd = infile_open_fd(path, INFILE_MOST, e);
	if (t->fd >= 0 && fstat(t->fd, &st) != 0)
		err_set(e, "%s: %s", path, strerror(errno));
	else if (t->fd >= 0 && !read_header(t->fd, path, (uint64_t)st.st_size, &h, e) && !read_tables(t, &h, e))
		return t;
	trace_close(t);
	return NULL;
}
