/* What an annotated program (locus_annotate.h) and Locus' runtime library say to each other: numbers, each call with
 * its words, of 64 bits, in order. They do not change: a program that was built once may meet any later library. */
#ifndef LOCUS_CALLS_H
#define LOCUS_CALLS_H

enum locus_call {
	LOCUS_TAF_SETUP = 0,	 /* block xyz, grid xyz */
	LOCUS_TAF_TID_DEP = 1,	 /* base, elements, size, primary; m[6], c, ofs, n */
	LOCUS_TAF_INDIR = 2,	 /* base, elements, size, primary; p, m, c */
	LOCUS_TAF_RANGE = 3,	 /* base, elements, size, primary; ps, c_s, pe, c_e */
	LOCUS_TAF_READY = 4,	 /* base */
	LOCUS_TAF_RESET = 5,	 /* base */
	LOCUS_TAF_STORED = 6,	 /* address, elements */
	LOCUS_TAF_INSTS = 7,	 /* instructions */
	LOCUS_LDESC = 8,	 /* kernel; base, descriptor */
	LOCUS_LDESC_ALL = 9,	 /* kernel; base, descriptor, as often as they come */
	LOCUS_LDESC_FORGET = 10, /* kernel */
	LOCUS_CALLS
};

/* A descriptor: bytes, element, len[3], type, d_tile[3], c_tile[3], c_unit, rank[3], sharing, access, stride,
 * priority. */
enum { LOCUS_LDESC_WORDS = 20, LOCUS_LDESC_MOST = 16 /* of a kernel in one call */ };

/* Shapes: a matrix is element, pitch, cols, rows. The last three have a descriptor first. */
enum locus_shape {
	LOCUS_LINE = 0,	      /* element, n, tile */
	LOCUS_TILES = 1,      /* matrix, tile_x, tile_y */
	LOCUS_ROWS = 2,	      /* matrix, tile, along */
	LOCUS_COLUMNS = 3,    /* matrix, tile */
	LOCUS_WHOLE = 4,      /* element, n */
	LOCUS_COACCESSED = 5, /* descriptor; stride */
	LOCUS_NEARBY = 6,     /* descriptor; stride */
	LOCUS_INTRA = 7,      /* descriptor */
};
enum { LOCUS_SHAPE_WORDS = LOCUS_LDESC_WORDS + 1 /* at most */ };

#endif
