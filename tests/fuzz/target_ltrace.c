/* .ltrace files: opened, and every CTA of theirs read.
 *
 * Checksums and zstd would hide the rest of the reader from a mutation of the file's bytes. So the mutator takes the
 * file apart, into the content section, the name and the frames before compression, changes one of them, and puts a
 * file with right checksums, sizes and frame index together again; now and then it changes the bytes of the file as
 * they are. Layout: docs/reference/trace-format.md.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "support/trace_sound.h"

void fuzz_ltrace(const uint8_t *data, size_t n)
{
	struct trace_cta c = {0};
	struct err e = {""};
	struct trace *t;
	bool good = true;

	files_put("t.ltrace", data, n);
	t = trace_open("t.ltrace", &e);
	if (!t) {
		fuzz_told(&e);
		return;
	}
	for (uint32_t l = 0; l < trace_n_launches(t) && good; l++) {
		for (uint32_t i = 0; i < trace_launch(t, l)->n_ctas && good; i++) {
			good = trace_read_cta(t, l, i, &c, &e) == 0;
			REQUIRE(!good || !trace_unsound(t, l, &c));
		}
	}
	if (!good)
		fuzz_told(&e);
	REQUIRE(trace_buffer_of(t, 0x1000) < (int)trace_n_buffers(t));
	trace_cta_free(&c);
	trace_close(t);
}

/* ---- taking a file apart ---- */

enum { HEADER = 64, MAX_FRAMES = 64, MAX_RAW = 1 << 16 };

struct blob {
	uint8_t *b;
	size_t n;
};
struct parts {
	uint8_t head[HEADER];
	struct blob content, name, lines, frame[MAX_FRAMES]; /* name, lines: the storage section around the sizes */
	unsigned n_frames;
};

static uint64_t number(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

	memcpy(&v, p, bytes);
	return v;
}

static struct blob blob_of(const uint8_t *p, size_t n)
{
	struct blob b = {xmalloc(n + 1), n};

	memcpy(b.b, p, n);
	return b;
}

static void parts_free(struct parts *p)
{
	free(p->content.b);
	free(p->name.b);
	free(p->lines.b);
	for (unsigned i = 0; i < p->n_frames; i++)
		free(p->frame[i].b);
}

/* The frame at the start of `from`; *used: its bytes. False if it is none that the mutator wants to handle. */
static bool unpack_frame(struct parts *p, const uint8_t *from, size_t n, size_t *used)
{
	unsigned long long raw = ZSTD_getFrameContentSize(from, n);
	struct blob b;

	*used = ZSTD_findFrameCompressedSize(from, n);
	if (ZSTD_isError(*used) || raw > MAX_RAW || p->n_frames == MAX_FRAMES)
		return false;
	b = (struct blob){xmalloc(raw + 1), raw};
	if (ZSTD_decompress(b.b, raw, from, *used) != raw) {
		free(b.b);
		return false;
	}
	p->frame[p->n_frames++] = b;
	return true;
}

static bool take_apart(struct parts *p, const uint8_t *d, size_t n)
{
	uint64_t at, content, storage, name, used;

	memset(p, 0, sizeof *p);
	if (n < HEADER)
		return false;
	at = number(d + 16, 8);
	content = number(d + 24, 8);
	storage = number(d + 40, 8);
	if (at < HEADER || at > n || content > n - at || storage != n - at - content || storage < 4)
		return false;
	memcpy(p->head, d, HEADER);
	p->content = blob_of(d + at, content);
	for (uint64_t from = HEADER; from < at; from += used) {
		size_t bytes;

		if (!unpack_frame(p, d + from, at - from, &bytes))
			return false;
		used = bytes;
	}
	d += at + content;
	name = 4 + number(d, 4);
	if (storage < name + 4 * (uint64_t)p->n_frames)
		return false;
	p->name = blob_of(d, name);
	p->lines = blob_of(d + name + 4 * (size_t)p->n_frames, storage - name - 4 * (size_t)p->n_frames);
	return true;
}

/* ---- the frame index within the content section ---- */

struct walk {
	const uint8_t *p, *end;
	bool bad;
};

static uint64_t take(struct walk *w, unsigned bytes)
{
	uint64_t v = 0;

	if ((size_t)(w->end - w->p) < bytes) {
		w->bad = true;
		return 0;
	}
	v = number(w->p, bytes);
	w->p += bytes;
	return v;
}

static void skip(struct walk *w, uint64_t bytes)
{
	w->bad |= bytes > (size_t)(w->end - w->p);
	w->p += w->bad ? 0 : bytes;
}

static void skip_text(struct walk *w)
{
	skip(w, take(w, 4));
}

static void skip_kernel(struct walk *w)
{
	skip_text(w);
	skip(w, 16);
	for (uint64_t n = take(w, 4); n > 0 && !w->bad; n--)
		skip_text(w);
	for (uint64_t n = take(w, 4); n > 0 && !w->bad; n--) {
		uint64_t head = take(w, 8);

		skip(w, 4 + 2 * ((head >> 32 & 0xff) + (head >> 40 & 0xff)));
	}
}

/* Writes the raw sizes and hashes of the frames where the launches list them. */
static void write_index(struct parts *p)
{
	struct walk w = {p->content.b, p->content.b + p->content.n, false};
	unsigned frame = 0;

	for (uint64_t n = take(&w, 4); n > 0 && !w.bad; n--)
		skip_kernel(&w);
	for (uint64_t n = take(&w, 4); n > 0 && !w.bad; n--) {
		skip_text(&w);
		skip(&w, 16);
	}
	skip(&w, 8);
	for (uint64_t n = take(&w, 8); n > 0 && !w.bad; n--)
		skip(&w, 24);
	for (uint64_t n = take(&w, 4); n > 0 && !w.bad; n--) {
		uint64_t ctas;

		skip(&w, 4);
		ctas = take(&w, 4) * take(&w, 4) * take(&w, 4);
		skip(&w, 32);
		for (; ctas > 0 && frame < p->n_frames && !w.bad; ctas--, frame++) {
			uint8_t *entry = p->content.b + (w.p - p->content.b);
			uint32_t raw = (uint32_t)p->frame[frame].n;
			uint64_t hash = XXH64(p->frame[frame].b, raw, 0);

			skip(&w, 12);
			if (w.bad)
				break;
			memcpy(entry, &raw, 4);
			memcpy(entry + 4, &hash, 8);
		}
	}
}

/* ---- and together ---- */

/* 0 if it does not fit. */
static size_t put_together(struct parts *p, uint8_t *d, size_t max)
{
	size_t at = HEADER, stored[MAX_FRAMES];
	uint64_t header[4];

	for (unsigned i = 0; i < p->n_frames; i++) {
		stored[i] = ZSTD_compress(d + at, max - at, p->frame[i].b, p->frame[i].n, 1);
		if (ZSTD_isError(stored[i]))
			return 0;
		at += stored[i];
	}
	if (p->content.n + p->name.n + p->lines.n + 4 * (size_t)p->n_frames > max - at)
		return 0;
	write_index(p);
	header[0] = at;
	header[1] = p->content.n;
	header[3] = p->name.n + p->lines.n + 4 * (size_t)p->n_frames;
	memcpy(d, p->head, HEADER);
	memcpy(d + 16, header, 16);
	memcpy(d + 40, &header[3], 8);
	memcpy(d + at, p->content.b, p->content.n);
	at += p->content.n;
	memcpy(d + at, p->name.b, p->name.n);
	at += p->name.n;
	for (unsigned i = 0; i < p->n_frames; i++, at += 4) {
		uint32_t v = (uint32_t)stored[i];

		memcpy(d + at, &v, 4);
	}
	memcpy(d + at, p->lines.b, p->lines.n);
	trace_seal(d);
	return at + p->lines.n;
}

static void change(struct blob *b, size_t room, fuzz_mutator *mutate)
{
	b->b = xrealloc(b->b, b->n + room + 1);
	b->n = mutate(b->b, b->n, b->n + room);
}

size_t fuzz_ltrace_mutate(uint8_t *data, size_t n, size_t max, unsigned seed, fuzz_mutator *mutate)
{
	unsigned which = seed % 16;
	struct parts p;
	size_t out = 0;

	memset(&p, 0, sizeof p);
	if (max >= 4 * HEADER && which != 0 && take_apart(&p, data, n)) {
		if (which < 2)
			change(seed / 16 % 2 && p.lines.n ? &p.lines : &p.name, 64, mutate);
		else if (which < 9 || !p.n_frames)
			change(&p.content, 256, mutate);
		else
			change(&p.frame[seed / 16 % p.n_frames], 256, mutate);
		out = put_together(&p, data, max);
	}
	parts_free(&p);
	return out ? out : mutate(data, n, max);
}
