#include "run/checkpoint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/files/newfile.h"
#include "base/region.h"
#include "base/share.h"

static const char magic[16] = "locus checkpt 1";
enum { LEVEL = 1, CHUNK = 1 << 20 };

static int cannot_write(const char *path, struct err *e)
{
	return err_set(e, "%s: cannot write: %s", path, strerror(errno ? errno : EIO));
}

static int put(int fd, const void *at, size_t bytes)
{
	const char *from = at;

	while (bytes) {
		ssize_t n = write(fd, from, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		from += n;
		bytes -= (size_t)n;
	}
	return 0;
}

static uint64_t head_hash(const struct checkpoint_head *h)
{
	struct checkpoint_head copy = *h;

	copy.hash = 0;
	return XXH64(&copy, sizeof copy, 0);
}

/* ---- writing ---- */

struct packer {
	int fd;
	ZSTD_CCtx *zstd;
	XXH64_state_t *hash;
	char *out;
	uint64_t bytes;
};

static int pack(struct packer *p, const void *at, size_t bytes, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = {at, bytes, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {p->out, CHUNK, 0};

		left = ZSTD_compressStream2(p->zstd, &out, &in, how);
		if (ZSTD_isError(left)) {
			errno = ENOMEM;
			return -1;
		}
		XXH64_update(p->hash, p->out, out.pos);
		p->bytes += out.pos;
		if (put(p->fd, p->out, out.pos) != 0)
			return -1;
	} while (how == ZSTD_e_end ? left : in.pos < in.size);
	return 0;
}

static int pack_all(struct packer *p, const struct checkpoint_part *part, unsigned n)
{
	XXH64_reset(p->hash, 0);
	ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, LEVEL);
	for (unsigned i = 0; i < n; i++)
		if (pack(p, part[i].at, part[i].bytes, ZSTD_e_continue) != 0)
			return -1;
	return pack(p, "", 0, ZSTD_e_end);
}

/* The head's place first: it is known last. */
static int write_to(int fd, struct checkpoint_head *h, const struct checkpoint_part *part, unsigned n)
{
	struct packer p = {.fd = fd, .zstd = ZSTD_createCCtx(), .hash = XXH64_createState(), .out = xmalloc(CHUNK)};
	int rc = -1;

	errno = ENOMEM;
	if (p.zstd && p.hash && put(fd, h, sizeof *h) == 0)
		rc = pack_all(&p, part, n);
	memcpy(h->magic, magic, sizeof magic);
	h->packed = p.bytes;
	h->packed_hash = p.hash ? XXH64_digest(p.hash) : 0;
	h->hash = head_hash(h);
	if (rc == 0 && (lseek(fd, 0, SEEK_SET) != 0 || put(fd, h, sizeof *h) != 0))
		rc = -1;
	ZSTD_freeCCtx(p.zstd);
	XXH64_freeState(p.hash);
	free(p.out);
	return rc;
}

int checkpoint_check_path(const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, "%s: cannot write: %s", path, S_ISDIR(st.st_mode) ? "Is a directory" : "not a regular file");
	return 0;
}

int checkpoint_write(const char *path, struct checkpoint_head *h, const struct checkpoint_part *part, unsigned n, struct err *e)
{
	int fd, rc;

	if (checkpoint_check_path(path, e) != 0)
		return -1;
	errno = ENOENT;
	fd = *path ? newfile_open(path) : -1;
	if (fd < 0)
		return cannot_write(path, e);
	rc = fchmod(fd, S_IRUSR | S_IWUSR) || write_to(fd, h, part, n) ? -1 : 0; /* what others may write is not read */
	if (rc == 0)
		rc = newfile_keep(fd, path);
	if (rc != 0)
		cannot_write(path, e);
	close(fd);
	return rc;
}

/* ---- reading ---- */

static int get(int fd, void *to, size_t bytes)
{
	char *at = to;

	while (bytes) {
		ssize_t n = read(fd, at, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		at += n;
		bytes -= (size_t)n;
	}
	return 0;
}

static int check_file(int fd, const char *path, struct stat *st, struct err *e)
{
	if (fd < 0)
		return -1;
	if (fstat(fd, st) != 0)
		return err_set(e, "%s: %s", path, strerror(errno));
	if (st->st_uid == geteuid() && st->st_mode & S_IWGRP)
		return err_set(e, "%s: its group may write it (mode %04o), and could make this program do anything", path,
			       (unsigned)st->st_mode & 07777);
	return infile_is_ours(path, st, e);
}

static int read_head(struct checkpoint_file *f, int fd, const struct stat *st, struct err *e)
{
	struct checkpoint_head *h = &f->head;

	if ((uint64_t)st->st_size < sizeof *h || get(fd, h, sizeof *h) != 0 || memcmp(h->magic, magic, sizeof magic) != 0)
		return err_set(e, "%s: is not a checkpoint of this version", f->path);
	if (h->hash != head_hash(h) || h->packed != (uint64_t)st->st_size - sizeof *h || h->words > REGION_ROOM / 8 ||
	    h->image > REGION_ROOM || h->shares - 1 >= SHARE_MAX || h->built > h->image || h->beside > REGION_ROOM)
		return err_set(e, "%s: is damaged", f->path);
	return 0;
}

static int read_packed(struct checkpoint_file *f, int fd, struct err *e)
{
	f->packed = malloc(f->head.packed + 1);
	if (!f->packed)
		return err_set(e, "%s: not enough memory", f->path);
	if (get(fd, f->packed, f->head.packed) != 0 || XXH64(f->packed, f->head.packed, 0) != f->head.packed_hash)
		return err_set(e, "%s: is damaged", f->path);
	f->stream = ZSTD_createDCtx();
	f->word = calloc(f->head.words + 1, sizeof *f->word);
	if (!f->stream || !f->word)
		return err_set(e, "%s: not enough memory", f->path);
	return checkpoint_take(f, f->word, f->head.words * sizeof *f->word, e);
}

static int check_words(const struct checkpoint_file *f, struct err *e)
{
	const struct checkpoint_word *w = f->word;

	for (uint64_t i = 0; i < f->head.words; i++)
		if (w[i].at % 8 || w[i].at >= f->head.built || (i && w[i].at <= w[i - 1].at))
			return err_set(e, "%s: is damaged", f->path);
	return 0;
}

int checkpoint_open(struct checkpoint_file *f, const char *path, struct err *e)
{
	int fd = infile_open_fd(path, INFILE_MOST, e), rc;
	struct stat st;

	*f = (struct checkpoint_file){.path = path};
	rc = check_file(fd, path, &st, e);
	if (rc == 0 && (read_head(f, fd, &st, e) != 0 || read_packed(f, fd, e) != 0 || check_words(f, e) != 0))
		rc = -1;
	if (fd >= 0)
		close(fd);
	if (rc != 0)
		checkpoint_close(f);
	return rc;
}

void checkpoint_close(struct checkpoint_file *f)
{
	ZSTD_freeDCtx(f->stream);
	free(f->packed);
	free(f->word);
	*f = (struct checkpoint_file){.path = NULL};
}

int checkpoint_take(struct checkpoint_file *f, void *to, size_t bytes, struct err *e)
{
	ZSTD_outBuffer out = {to, bytes, 0};
	ZSTD_inBuffer in = {f->packed, f->head.packed, f->taken};

	while (out.pos < out.size) {
		size_t before = out.pos, n = ZSTD_decompressStream(f->stream, &out, &in);

		if (ZSTD_isError(n) || (out.pos == before && in.pos == in.size))
			return err_set(e, "%s: is damaged", f->path);
	}
	f->taken = in.pos;
	return 0;
}

int checkpoint_program(uint64_t *hash, struct err *e)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (at == MAP_FAILED)
		return err_set(e, "/proc/self/exe: %s", strerror(errno));
	*hash = XXH64(at, (size_t)st.st_size, 0);
	munmap(at, (size_t)st.st_size);
	return 0;
}
