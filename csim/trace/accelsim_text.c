/* Lines of a trace file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "trace/accelsim_impl.h"

enum { CHUNK = 64 << 10, XZ_MEMORY = 1 << 30 };

static const char *folder_for_unpacked(void)
{
	return getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
}

static FILE *nameless_file(struct err *e)
{
	const char *folder = folder_for_unpacked();
	char name[4096];
	FILE *f = NULL;
	int fd;

	if ((size_t)snprintf(name, sizeof name, "%s/locus-xz-XXXXXX", folder) >= sizeof name) {
		err_set(e, "TMPDIR is too long");
		return NULL;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0) {
		unlink(name);
		f = fdopen(fd, "w+");
	}
	if (!f) {
		err_set(e, "%s: cannot unpack into it: %s", folder, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	return f;
}

static const char *xz_reason(lzma_ret r)
{
	switch (r) {
	case LZMA_FORMAT_ERROR:
		return "not an .xz file";
	case LZMA_BUF_ERROR:
		return "the .xz file is cut short";
	case LZMA_MEM_ERROR:
		return "not enough memory to unpack it";
	case LZMA_MEMLIMIT_ERROR:
		return "the .xz file needs more than 1 GiB of memory to unpack";
	case LZMA_OPTIONS_ERROR:
		return "the .xz file uses options that liblzma does not know";
	default:
		return "the .xz file is damaged";
	}
}

/* How far a file may be unpacked: to `most` bytes, and into seven eighths of the space that is free. */
struct room {
	uint64_t most, free, unpacked;
};

static struct room room_in(FILE *out, uint64_t max_unpacked)
{
	struct room r = {.most = max_unpacked ? max_unpacked : INFILE_UNPACKED, .free = UINT64_MAX};
	struct statvfs disk;

	if (fstatvfs(fileno(out), &disk) == 0)
		r.free = disk.f_bavail / 8 * 7 * disk.f_frsize;
	return r;
}

static int take_room(struct room *r, size_t n, const char *path, struct err *e)
{
	r->unpacked += n;
	if (r->unpacked > r->most)
		return infile_unpacks_to_more(path, r->most, e);
	if (r->unpacked > r->free)
		return err_set(e,
			       "%s: unpacks to more than %" PRIu64 " bytes, seven eighths of the free space of %s (TMPDIR names "
			       "another folder)",
			       path, r->free, folder_for_unpacked());
	return 0;
}

static int unpack(const char *path, FILE *in, FILE *out, uint64_t max_unpacked, struct err *e)
{
	struct room room = room_in(out, max_unpacked);
	lzma_stream s = LZMA_STREAM_INIT;
	uint8_t from[CHUNK], to[CHUNK];
	lzma_ret r = lzma_stream_decoder(&s, XZ_MEMORY, LZMA_CONCATENATED);
	bool written = true, fits = true;

	if (r != LZMA_OK)
		return err_set(e, "%s: %s", path, xz_reason(r));
	while (r == LZMA_OK && written && fits) {
		if (!s.avail_in && !feof(in)) {
			s.next_in = from;
			s.avail_in = fread(from, 1, sizeof from, in);
		}
		s.next_out = to;
		s.avail_out = sizeof to;
		r = lzma_code(&s, feof(in) ? LZMA_FINISH : LZMA_RUN);
		fits = take_room(&room, sizeof to - s.avail_out, path, e) == 0;
		written = !fits || fwrite(to, 1, sizeof to - s.avail_out, out) == sizeof to - s.avail_out;
	}
	lzma_end(&s);
	if (!fits)
		return -1;
	if (ferror(in))
		return err_set(e, "%s: %s", path, strerror(errno));
	if (!written || fflush(out))
		return err_set(e, "%s: cannot unpack: %s", path, strerror(errno));
	rewind(out);
	return r == LZMA_STREAM_END ? 0 : err_set(e, "%s: %s", path, xz_reason(r));
}

static bool is_xz(const char *path)
{
	size_t n = strlen(path);

	return n > 3 && !strcmp(path + n - 3, ".xz");
}

int text_open(struct text *t, const char *path, uint64_t max_unpacked, struct err *e)
{
	FILE *packed;

	t->line = 0;
	t->at = 0;
	t->f = infile_open(path, INFILE_MOST, e);
	if (!t->f)
		return -1;
	t->path = xstrdup(path);
	if (!is_xz(path))
		return 0;
	packed = t->f;
	t->f = nameless_file(e);
	if (!t->f || unpack(path, packed, t->f, max_unpacked, e)) {
		fclose(packed);
		goto fail;
	}
	fclose(packed);
	return 0;
fail:
	text_close(t);
	return -1;
}

void text_close(struct text *t)
{
	if (t->f)
		fclose(t->f);
	free(t->path);
	t->f = NULL;
	t->path = NULL;
}

int text_line(struct text *t, struct err *e)
{
	size_t n;

	t->at = (uint64_t)ftello(t->f);
	t->line++;
	if (!fgets(t->buf, sizeof t->buf, t->f))
		return ferror(t->f) ? text_error(t, e, "cannot read: %s", strerror(errno)) : 0;
	n = strlen(t->buf);
	if (n && t->buf[n - 1] == '\n')
		t->buf[--n] = '\0';
	else if (n + 1 == sizeof t->buf)
		return text_error(t, e, "a line of more than %d bytes", ACCELSIM_MAX_LINE - 2);
	else if (!feof(t->f))
		return text_error(t, e, "a byte of value 0: this is not text");
	if (n && t->buf[n - 1] == '\r')
		t->buf[--n] = '\0';
	return 1;
}

int text_seek(struct text *t, uint64_t at, uint32_t line, struct err *e)
{
	t->line = line;
	if ((uint64_t)ftello(t->f) != at && fseeko(t->f, (off_t)at, SEEK_SET))
		return text_error(t, e, "cannot seek: %s", strerror(errno));
	return 0;
}

int text_error(const struct text *t, struct err *e, const char *fmt, ...)
{
	char what[800];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	return err_set(e, "%s:%u: %s", t->path, t->line, what);
}
