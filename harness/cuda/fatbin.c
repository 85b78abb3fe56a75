#include "cuda/fatbin.h"

#include <inttypes.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/files/infile.h"

static const uint32_t magic = 0xba55ed50;
enum { HEADER = 16, ENTRY = 64 };
enum { KIND_PTX = 1, KIND_ELF = 2 };
enum { LZ4 = 0x2000, ZSTD = 0x8000 };

struct entry {
	uint32_t kind, sm;
	uint64_t flags, raw; /* raw: size, not compressed */
	const unsigned char *data;
	uint64_t size;
};

/* What is left to be read. */
struct rest {
	const unsigned char *at;
	uint64_t n;
};

static uint64_t number(const unsigned char *at, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | at[bytes];
	return v;
}

static int read_header(struct rest *r, struct err *e)
{
	uint64_t header = number(r->at + 6, 2), size = number(r->at + 8, 8);

	if (number(r->at + 4, 2) != 1)
		return err_set(e, "fat binaries of version %" PRIu64 " are not supported", number(r->at + 4, 2));
	if (header < HEADER || header > r->n || size > r->n - header)
		return err_set(e, "a fat binary that is cut off: it says that it has %" PRIu64 " bytes", size);
	r->at += header;
	r->n = size;
	return 0;
}

static int next_entry(struct rest *r, struct entry *t, struct err *e)
{
	uint64_t header, padded, compressed;

	if (r->n < ENTRY)
		return err_set(e, "a fat binary with %" PRIu64 " bytes behind its last entry", r->n);
	header = number(r->at + 4, 4);
	padded = number(r->at + 8, 8);
	compressed = number(r->at + 16, 4);
	*t = (struct entry){.kind = (uint32_t)number(r->at, 2),
			    .sm = (uint32_t)number(r->at + 28, 4),
			    .flags = number(r->at + 40, 8),
			    .raw = number(r->at + 56, 8)};
	if (header < ENTRY || header > r->n || padded > r->n - header || compressed > padded)
		return err_set(e, "an entry of a fat binary that is cut off");
	t->data = r->at + header;
	t->size = t->flags & (LZ4 | ZSTD) ? compressed : padded;
	r->at += header + padded;
	r->n -= header + padded;
	return 0;
}

/* Whether the machine would rather have this one. */
static bool is_better(const struct entry *t, const struct entry *best, uint32_t capability)
{
	if (!best->data || (t->sm <= capability) != (best->sm <= capability))
		return !best->data || t->sm <= capability;
	return t->sm <= capability ? t->sm > best->sm : t->sm < best->sm;
}

static int no_ptx(uint32_t sass, struct err *e)
{
	if (!sass)
		return err_set(e, "a fat binary without PTX");
	return err_set(e,
		       "machine code for sm_%" PRIu32 " without PTX: build with nvcc -gencode arch=compute_%" PRIu32
		       ",code=compute_%" PRIu32,
		       sass, sass, sass);
}

static int choose(struct rest *r, uint32_t capability, struct entry *best, struct err *e)
{
	uint32_t sass = 0;
	struct entry t;

	*best = (struct entry){.data = NULL};
	while (r->n) {
		if (next_entry(r, &t, e) != 0)
			return -1;
		if (t.kind == KIND_PTX && is_better(&t, best, capability))
			*best = t;
		else if (t.kind == KIND_ELF)
			sass = t.sm;
	}
	return best->data ? 0 : no_ptx(sass, e);
}

/* ---- its text ---- */

/* Of n bytes, up to the first zero byte. */
static int as_text(char *bytes, uint64_t n, struct fatbin_ptx *ptx, struct err *e)
{
	bytes[n] = '\0';
	ptx->text = bytes;
	return *bytes ? 0 : err_set(e, "PTX without a text");
}

static int decompress(const struct entry *t, char *to, struct err *e)
{
	size_t n = 0;
	bool good;

	if (t->flags & ZSTD) {
		n = ZSTD_decompress(to, t->raw, t->data, t->size);
		good = !ZSTD_isError(n);
	} else {
		int bytes = LZ4_decompress_safe((const char *)t->data, to, (int)t->size, (int)t->raw);

		n = bytes < 0 ? 0 : (size_t)bytes;
		good = bytes >= 0;
	}
	return good && n == t->raw ? 0 : err_set(e, "PTX whose compressed text is broken");
}

static int text_of(const struct entry *t, uint64_t max_unpacked, struct fatbin_ptx *ptx, struct err *e)
{
	bool compressed = t->flags & (LZ4 | ZSTD);
	uint64_t n = compressed ? t->raw : t->size;
	char *bytes = n <= FATBIN_PTX_BYTES && t->size <= FATBIN_PTX_BYTES ? malloc(n + 1) : NULL;
	int rc;

	if (compressed && max_unpacked && n > max_unpacked) {
		free(bytes);
		return infile_unpacks_to_more("PTX of a fat binary", max_unpacked, e);
	}
	if (!bytes)
		return err_set(e, "PTX of %" PRIu64 " bytes, which are too many", n);
	if (!compressed)
		memcpy(bytes, t->data, n);
	rc = compressed ? decompress(t, bytes, e) : 0;
	rc = rc ? rc : as_text(bytes, n, ptx, e);
	if (rc)
		free(bytes);
	return rc;
}

/* clang's: a comment, blanks, a directive. Memory behind the text may be anything: its end is a zero byte. */
static int raw_text(const char *text, size_t n, struct fatbin_ptx *ptx, struct err *e)
{
	size_t length = strnlen(text, n);
	char *copy;

	if (length == n || length > FATBIN_PTX_BYTES || !memmem(text, length, ".version", 8))
		return err_set(e, "neither a fat binary nor the text of PTX");
	copy = strndup(text, length);
	if (!copy)
		return err_set(e, "PTX of %zu bytes, which are too many", length);
	return as_text(copy, length, ptx, e);
}

int fatbin_read(const void *data, size_t n, uint32_t capability, uint64_t max_unpacked, struct fatbin_ptx *ptx, struct err *e)
{
	struct rest r = {data, n};
	struct entry best;

	*ptx = (struct fatbin_ptx){.text = NULL};
	if (n < HEADER || number(r.at, 4) != magic)
		return raw_text(data, n, ptx, e);
	if (read_header(&r, e) != 0 || choose(&r, capability, &best, e) != 0 || text_of(&best, max_unpacked, ptx, e) != 0) {
		ptx->text = NULL;
		return -1;
	}
	ptx->sm = best.sm;
	ptx->is_newer = best.sm > capability;
	return 0;
}
