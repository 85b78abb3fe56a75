/* A CUDA program says what its kernels will touch: the calls of TAFE (Table 1) and of the Locality Descriptor (Figure
 * 9), for C and C++ under nvcc and `locus nvcc`. What they mean: docs/studies/tafe.md, docs/studies/ldesc.md; an
 * example: docs/how-to/run-cuda-programs.md.
 *
 * Nothing is linked. The calls look for Locus' runtime library in the program, which is there under `locus cuda`; on a
 * GPU, with NVIDIA's, they do nothing and return 0. An address is that of device memory, managed or pinned memory; a
 * kernel is the __global__ function (driver interface: the CUfunction). All return 0, or a cudaError, whereupon `locus
 * cuda` has printed why; it times nothing then.
 *
 *   taf_paramSetup(block, grid)                    once, first; the dominant launch's
 *   taf_register_...(base, elements, size, ...)    the array, ahead of the copy that initialises it
 *   cudaMemcpy and its kin                         each element that they write is a store by the host, ascending
 *   taf_stored(base, n)                            n elements have been stored by the program itself (managed memory)
 *   taf_setRdy(base)                               when the primary arrays that it depends on are complete; TID_DEP:
 *                                                  at once
 *
 * All of TAFE's calls come before the first launch. A descriptor holds for all later launches of its kernel.
 */
#ifndef LOCUS_ANNOTATE_H
#define LOCUS_ANNOTATE_H

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <vector_types.h>

#include "locus_calls.h"

#define LOCUS_API static inline __attribute__((unused))

LOCUS_API int locus_call_(enum locus_call call, const uint64_t *word, unsigned n)
{
	int (*annotate)(unsigned, const uint64_t *, unsigned);
	void *found = dlsym(0 /* RTLD_DEFAULT */, "locus_annotate");

	memcpy(&annotate, &found, sizeof annotate);
	return found ? annotate((unsigned)call, word, n) : 0;
}

LOCUS_API uint64_t locus_word_(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* ---- TAFE ---- */

LOCUS_API int taf_paramSetup(dim3 block, dim3 grid)
{
	uint64_t w[6];

	w[0] = block.x, w[1] = block.y, w[2] = block.z;
	w[3] = grid.x, w[4] = grid.y, w[5] = grid.z;
	return locus_call_(LOCUS_TAF_SETUP, w, 6);
}

/* m . (tid.x, tid.y, tid.z, ctaid.x, ctaid.y, ctaid.z) + c + i * ofs, 0 <= i < n; n = 0: no loop. Negative numbers
 * wrap. size: bytes of an element: 1, 2, 4 or 8. primary: other arrays' relations name this one. */
struct taf_tid {
	uint32_t m[6], c, ofs, n;
};
LOCUS_API int taf_register_tid_dep(const void *base, uint64_t elements, uint32_t size, struct taf_tid relation, int primary)
{
	uint64_t w[13];

	w[0] = locus_word_(base), w[1] = elements, w[2] = size, w[3] = primary != 0;
	for (int d = 0; d < 6; d++)
		w[4 + d] = relation.m[d];
	w[10] = relation.c, w[11] = relation.ofs, w[12] = relation.n;
	return locus_call_(LOCUS_TAF_TID_DEP, w, 13);
}

/* m * P[r] + c; the array of P begins at p. */
LOCUS_API int taf_register_indir(const void *base, uint64_t elements, uint32_t size, const void *p, uint32_t m, uint32_t c,
				 int primary)
{
	uint64_t w[7];

	w[0] = locus_word_(base), w[1] = elements, w[2] = size, w[3] = primary != 0;
	w[4] = locus_word_(p), w[5] = m, w[6] = c;
	return locus_call_(LOCUS_TAF_INDIR, w, 7);
}

/* From Ps[rs] + c_s up to, not including, Pe[re] + c_e. */
LOCUS_API int taf_register_indir_range(const void *base, uint64_t elements, uint32_t size, const void *ps, uint32_t c_s,
				       const void *pe, uint32_t c_e, int primary)
{
	uint64_t w[8];

	w[0] = locus_word_(base), w[1] = elements, w[2] = size, w[3] = primary != 0;
	w[4] = locus_word_(ps), w[5] = c_s, w[6] = locus_word_(pe), w[7] = c_e;
	return locus_call_(LOCUS_TAF_RANGE, w, 8);
}

LOCUS_API int taf_setRdy(const void *base)
{
	uint64_t w = locus_word_(base);

	return locus_call_(LOCUS_TAF_READY, &w, 1);
}

LOCUS_API int taf_reset(const void *base)
{
	uint64_t w = locus_word_(base);

	return locus_call_(LOCUS_TAF_RESET, &w, 1);
}

/* An array that nobody depends on, ready at once. */
LOCUS_API int taf_tid_array(const void *base, uint64_t elements, uint32_t size, struct taf_tid relation)
{
	int refused = taf_register_tid_dep(base, elements, size, relation, 0);

	return refused ? refused : taf_setRdy(base);
}

/* The program has stored n elements of a registered array itself, from `at` on, as they are now: in managed or pinned
 * memory nobody else sees that. */
LOCUS_API int taf_stored(const void *at, uint64_t n)
{
	uint64_t w[2];

	w[0] = locus_word_(at), w[1] = n;
	return locus_call_(LOCUS_TAF_STORED, w, 2);
}

/* From here on a stored element's value takes the program `insts` instructions, beside those of the loop that stores
 * it: what it parses, draws or computes for one. 0 at first. */
LOCUS_API int taf_valueInsts(uint64_t insts)
{
	return locus_call_(LOCUS_TAF_INSTS, &insts, 1);
}

/* ---- the Locality Descriptor ---- */

enum ldesc_type { LDESC_INTER_THREAD, LDESC_INTRA_THREAD, LDESC_NO_REUSE };
enum ldesc_sharing { LDESC_COACCESSED, LDESC_NEARBY };
enum ldesc_access { LDESC_REGULAR, LDESC_IRREGULAR };
enum ldesc_unit { LDESC_CTAS, LDESC_THREADS };

/* Dimensions are X, Y, Z. */
struct ldesc {
	uint64_t bytes;	  /* of the structure; 0: up to its allocation's end */
	uint64_t element; /* bytes */
	uint64_t len[3];  /* elements */
	enum ldesc_type type;
	uint64_t d_tile[3]; /* elements */
	uint64_t c_tile[3]; /* CTAs or threads */
	enum ldesc_unit c_unit;
	uint64_t rank[3];	    /* of each grid dimension in the traversal, 1 the fastest; 0: not traversed */
	enum ldesc_sharing sharing; /* INTER_THREAD only */
	enum ldesc_access access;
	uint64_t stride;   /* elements; REGULAR only */
	uint64_t priority; /* the lowest number goes first */
};

LOCUS_API void locus_put_(const struct ldesc *l, uint64_t *w)
{
	w[0] = l->bytes, w[1] = l->element, w[5] = l->type, w[12] = l->c_unit;
	for (int d = 0; d < 3; d++)
		w[2 + d] = l->len[d], w[6 + d] = l->d_tile[d], w[9 + d] = l->c_tile[d], w[13 + d] = l->rank[d];
	w[16] = l->sharing, w[17] = l->access, w[18] = l->stride, w[19] = l->priority;
}

LOCUS_API struct ldesc locus_get_(const uint64_t *w)
{
	struct ldesc l;

	l.bytes = w[0], l.element = w[1], l.type = (enum ldesc_type)w[5], l.c_unit = (enum ldesc_unit)w[12];
	for (int d = 0; d < 3; d++)
		l.len[d] = w[2 + d], l.d_tile[d] = w[6 + d], l.c_tile[d] = w[9 + d], l.rank[d] = w[13 + d];
	l.sharing = (enum ldesc_sharing)w[16], l.access = (enum ldesc_access)w[17], l.stride = w[18], l.priority = w[19];
	return l;
}

/* Takes the place of the kernel's descriptor of that structure and locality type, if there is one. */
LOCUS_API int ldesc_describe(const void *kernel, const void *base, const struct ldesc *l)
{
	uint64_t w[2 + LOCUS_LDESC_WORDS];

	w[0] = locus_word_(kernel), w[1] = locus_word_(base);
	locus_put_(l, w + 2);
	return locus_call_(LOCUS_LDESC, w, 2 + LOCUS_LDESC_WORDS);
}

/* Those of a kernel, and no others from now on: priorities 1, 2 .. in their order. At most LOCUS_LDESC_MOST; further
 * ones are refused. */
struct ldesc_given {
	const void *base;
	struct ldesc l;
};
LOCUS_API int ldesc_describe_all(const void *kernel, unsigned n, const struct ldesc_given *given)
{
	uint64_t w[1 + (LOCUS_LDESC_MOST + 1) * (1 + LOCUS_LDESC_WORDS)], *at = w;

	*at++ = locus_word_(kernel);
	for (unsigned i = 0; i < n && i <= LOCUS_LDESC_MOST; i++) {
		*at++ = locus_word_(given[i].base);
		locus_put_(&given[i].l, at);
		at += LOCUS_LDESC_WORDS;
	}
	return locus_call_(LOCUS_LDESC_ALL, w, (unsigned)(at - w));
}

/* All of the kernel. */
LOCUS_API int ldesc_forget(const void *kernel)
{
	uint64_t w = locus_word_(kernel);

	return locus_call_(LOCUS_LDESC_FORGET, &w, 1);
}

/* ---- shapes: as a NO_REUSE descriptor without a priority; on a GPU, of nothing ---- */

LOCUS_API struct ldesc locus_shape_(enum locus_shape shape, uint64_t *w)
{
	void (*make)(unsigned, uint64_t *);
	void *found = dlsym(0, "locus_shape");

	memcpy(&make, &found, sizeof make);
	if (found)
		make((unsigned)shape, w);
	else
		memset(w, 0, LOCUS_SHAPE_WORDS * sizeof *w);
	return locus_get_(w);
}

/* Rows of `cols` elements, `pitch` elements from one to the next. */
struct ldesc_matrix {
	uint32_t element; /* bytes */
	uint64_t pitch, cols, rows;
};

LOCUS_API struct ldesc locus_matrix_(enum locus_shape shape, const struct ldesc_matrix *m, uint64_t a, uint64_t b)
{
	uint64_t w[LOCUS_SHAPE_WORDS];

	w[0] = m->element, w[1] = m->pitch, w[2] = m->cols, w[3] = m->rows, w[4] = a, w[5] = b;
	return locus_shape_(shape, w);
}

/* n elements, `tile` a CTA along X. */
LOCUS_API struct ldesc ldesc_line(uint32_t element, uint64_t n, uint64_t tile)
{
	uint64_t w[LOCUS_SHAPE_WORDS];

	w[0] = element, w[1] = n, w[2] = tile;
	return locus_shape_(LOCUS_LINE, w);
}

/* CTA (x, y) has the tile of tile_x columns and tile_y rows at (x, y). */
LOCUS_API struct ldesc ldesc_tiles(const struct ldesc_matrix *m, uint64_t tile_x, uint64_t tile_y)
{
	return locus_matrix_(LOCUS_TILES, m, tile_x, tile_y);
}

/* Each `tile` whole rows are for the CTAs of one index along grid dimension `along`. */
LOCUS_API struct ldesc ldesc_rows(const struct ldesc_matrix *m, uint64_t tile, unsigned along)
{
	return locus_matrix_(LOCUS_ROWS, m, tile, along);
}

/* Each `tile` columns are for the CTAs of one index along X. */
LOCUS_API struct ldesc ldesc_columns(const struct ldesc_matrix *m, uint64_t tile)
{
	return locus_matrix_(LOCUS_COLUMNS, m, tile, 0);
}

/* n elements for all CTAs. */
LOCUS_API struct ldesc ldesc_whole(uint32_t element, uint64_t n)
{
	uint64_t w[LOCUS_SHAPE_WORDS];

	w[0] = element, w[1] = n;
	return locus_shape_(LOCUS_WHOLE, w);
}

LOCUS_API struct ldesc locus_changed_(enum locus_shape shape, const struct ldesc *l, uint64_t stride)
{
	uint64_t w[LOCUS_SHAPE_WORDS];

	locus_put_(l, w);
	w[LOCUS_LDESC_WORDS] = stride;
	return locus_shape_(shape, w);
}

/* INTER_THREAD; stride 0: an irregular access. */
LOCUS_API struct ldesc ldesc_coaccessed(struct ldesc l, uint64_t stride)
{
	return locus_changed_(LOCUS_COACCESSED, &l, stride);
}

LOCUS_API struct ldesc ldesc_nearby(struct ldesc l, uint64_t stride)
{
	return locus_changed_(LOCUS_NEARBY, &l, stride);
}

LOCUS_API struct ldesc ldesc_intra(struct ldesc l)
{
	return locus_changed_(LOCUS_INTRA, &l, 0);
}

#ifdef __cplusplus
/* A kernel by its name: it is no const void * to C++. */
template <class... T> static inline int ldesc_describe(void (*kernel)(T...), const void *base, const struct ldesc *l)
{
	return ldesc_describe((const void *)kernel, base, l);
}

template <class... T> static inline int ldesc_describe_all(void (*kernel)(T...), unsigned n, const struct ldesc_given *given)
{
	return ldesc_describe_all((const void *)kernel, n, given);
}

template <class... T> static inline int ldesc_forget(void (*kernel)(T...))
{
	return ldesc_forget((const void *)kernel);
}
#endif

#endif
