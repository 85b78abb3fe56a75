/* Thread address footprints: what a host program says of the arrays that its kernel reads, and what it stores into them
 * (tafe, sections 3 and 4.1).
 *
 * An array is registered with the relation between a thread and the elements it reads:
 *   TID_DEP       m . (tid.x, tid.y, tid.z, ctaid.x, ctaid.y, ctaid.z) + c + i * ofs,  0 <= i < N (N = 0 is N = 1: no
 *                                                                                      loop)
 *   INDIR         m * P[r] + c                                  r: what the thread reads of P
 *   INDIR_RANGE   Ps[rs] + c_s <= k < Pe[re] + c_e              rs, re: what it reads of Ps and Pe
 * P, Ps and Pe are primary arrays, registered before with `primary`. All of it is unsigned 32-bit arithmetic that
 * wraps; elements outside [base, limit) are nobody's. For Ps = Pe (rows in compressed form) only each thread's start
 * counts: the elements of a CTA end where the next CTA's begin (section 4.2).
 *
 * The struct is filled call by call by the functions below, which refuse what makes no sense; the host program's
 * interface with the paper's names is workload/taf_api.h. Entries of the access pattern directory (APD) are numbered 0
 * to 15, in the order of registration. An array that is read in several ways is registered several times; its entries
 * then share one extent table. All calls and stores come before the first launch.
 *
 * Extents are kept for sets of CTAs, numbered from 0: each CTA is one, or `group` neighbours are, or all CTAs of a
 * module.
 */
#ifndef CSIM_TAF_TAF_H
#define CSIM_TAF_TAF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "taf/stores.h"

enum { TAF_ARRAYS = 16, TAF_LINE = 64, TAF_EXTENT_BYTES = 9, TAF_EXTENTS_A_LINE = 7, TAF_MAX_EXTENTS = 64 };
enum taf_type { TAF_TID_DEP, TAF_INDIR, TAF_INDIR_RANGE };

struct taf_array { /* an APD entry (Table 2) */
	bool valid, ready, primary;
	enum taf_type type;
	uint64_t base, limit; /* bytes: first, first behind */
	uint32_t size;	      /* bytes of an element: 1 2 4 8 */
	uint32_t m[6];	      /* TID_DEP: of tid.x, y, z, ctaid.x, y, z; INDIR: m[0] */
	uint32_t c, ofs, n;   /* TID_DEP: constant, loop offset and count; INDIR: c */
	uint32_t start, end;  /* entries of the primary arrays; INDIR: both the same */
	uint32_t c_s, c_e;    /* INDIR_RANGE */
	uint64_t extents;     /* address of the extent table; primary only */
	char name[64];	      /* of the buffer, for messages */
};

enum taf_op { TAF_SETUP, TAF_REGISTER, TAF_READY, TAF_RESET };
struct taf_call {
	enum taf_op op;
	uint32_t entry;		/* all but SETUP; READY and RESET of an array with several entries are several calls */
	uint64_t store;		/* stores before it */
	struct taf_array array; /* the entry after the call; RESET: before it */
};

struct taf_options {
	uint32_t extents;	      /* of a set, 1 to TAF_MAX_EXTENTS; 0: 1 */
	uint32_t group;		      /* neighbouring CTAs that make a set; 0: 1. Not with modules */
	uint32_t modules;	      /* not 0: a set is what a module runs; CTAs are dealt evenly, in order, */
	uint32_t sms;		      /* to so many SMs, */
	const uint16_t *module_of_sm; /* which belong to these modules; NULL: CTAs are dealt to the modules
				       * themselves */
};

struct taf { /* zero-initialise with options; the state after all calls, and the calls in order */
	struct taf_options o;
	uint32_t grid[3], block[3], n_ctas; /* of the launch; n_ctas 0: not set yet */
	uint32_t n_sets;		    /* of CTAs that share extents */
	bool in_order;			    /* a set's CTAs come ahead of the next set's */
	struct taf_array array[TAF_ARRAYS];
	uint64_t n_calls, cap_calls;
	struct taf_call *call;
	struct taf_stores stores;
	uint64_t bytes; /* of the metadata (taf/taf_memory.h) */
};

void taf_free(struct taf *t);

static inline uint64_t taf_elements(const struct taf_array *a)
{
	return (a->limit - a->base) / a->size;
}

/* Which set a CTA belongs to. */
static inline uint32_t taf_set_of(const struct taf *t, uint32_t cta)
{
	if (t->o.module_of_sm)
		return t->o.module_of_sm[(uint64_t)cta * t->o.sms / t->n_ctas];
	if (t->o.modules)
		return (uint32_t)((uint64_t)cta * t->o.modules / t->n_ctas);
	return cta / (t->o.group ? t->o.group : 1);
}
static inline uint32_t taf_extents_a_set(const struct taf *t)
{
	return t->o.extents ? t->o.extents : 1;
}

/* The calls. Each is appended to t->call. Errors name the call as the paper does and the array.
 *
 * taf_setup    once, ahead of all arrays; at most 2^31 - 1 CTAs.
 * taf_register `a` as the caller has it: name, base, limit, size, type, primary and the relation; start and end are
 *              found here, from the bases of the primary arrays. Refused: a 17th entry, a base of a primary that is not
 *              registered or not as primary, a cycle of primaries, 2^32 elements or more, arrays that overlap or differ
 *              from an earlier entry's, a base that is no multiple of 8.
 * taf_ready    all entries of that base. Refused for an array whose primary is not ready or has elements without a
 *              store.
 * taf_reset    forgets all entries of that base. Refused while another array has it as primary.
 * taf_finish   when the first launch comes: refuses stores into a primary array behind the taf_setRdy of an array that
 *              depends on it; nothing would track them. */
int taf_setup(struct taf *t, const uint32_t block[3], const uint32_t grid[3], struct err *e);
int taf_register(struct taf *t, const struct taf_array *a, uint64_t start, uint64_t end, struct err *e);
bool taf_is_registered(const struct taf *t, uint64_t base);
int taf_ready(struct taf *t, uint64_t base, const char *name, struct err *e);
int taf_reset_array(struct taf *t, uint64_t base, const char *name, struct err *e);
int taf_finish(const struct taf *t, struct err *e);

#endif
