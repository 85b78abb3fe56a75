/* The API by which a host program says what its kernels will touch (tafe, Table 1), with the paper's names; what the
 * calls mean and refuse: taf/taf.h. How to annotate a program: docs/studies/tafe.md.
 *
 *   taf_paramSetup(block, grid)                     once, first; the dominant launch's
 *   taf_register_...(base, elements, size, ...)     the array, ahead of the stores that initialise it
 *   host_store, host_store_array (workload/program.h)      the stores
 *   taf_setRdy(base)                                when the primary arrays that it depends on are complete; TID_DEP:
 *                                                   at once
 *
 * size: bytes of an element. primary: other arrays' relations name this one. Unless the run asks for footprints
 * (host_options.taf) the calls do nothing. All return 0, or -1 with e filled. They come before the first launch.
 *
 * A program that fills its arrays by copies (cuda/) has no loop of stores to show. taf_copied() makes stores of what a
 * copy has written to registered arrays: one an element, in ascending order; parts of elements at the copy's ends are
 * stores of bytes.
 */
#ifndef CSIM_WORKLOAD_TAF_API_H
#define CSIM_WORKLOAD_TAF_API_H

#include "workload/program.h"

int taf_paramSetup(struct host *h, struct host_dim block, struct host_dim grid, struct err *e);

/* m . (tid.x, tid.y, tid.z, ctaid.x, ctaid.y, ctaid.z) + c + i * ofs, 0 <= i < n; n = 0: no loop. Negative numbers
 * wrap. */
struct taf_tid {
	uint32_t m[6], c, ofs, n;
};
int taf_register_tid_dep(struct host *h, uint64_t base, uint64_t elements, uint32_t size, struct taf_tid relation, bool primary,
			 struct err *e);
/* An array that nobody depends on, ready at once. */
int taf_tid_array(struct host *h, uint64_t base, uint64_t elements, uint32_t size, struct taf_tid relation, struct err *e);
/* m * P[r] + c; the array of P begins at p. */
int taf_register_indir(struct host *h, uint64_t base, uint64_t elements, uint32_t size, uint64_t p, uint32_t m, uint32_t c,
		       bool primary, struct err *e);
/* From Ps[rs] + c_s up to, not including, Pe[re] + c_e. */
int taf_register_indir_range(struct host *h, uint64_t base, uint64_t elements, uint32_t size, uint64_t ps, uint32_t c_s,
			     uint64_t pe, uint32_t c_e, bool primary, struct err *e);

int taf_setRdy(struct host *h, uint64_t base, struct err *e);
int taf_reset(struct host *h, uint64_t base, struct err *e);

/* Whether a copy to there is one to tell of: stores are still kept, and a registered array has some of the bytes. */
bool taf_watches(const struct host *h, uint64_t addr, uint64_t bytes);
/* They are in memory, in one buffer. */
void taf_copied(struct host *h, uint64_t addr, uint64_t bytes);
/* n elements from addr on, which are in memory, of a registered array. */
int taf_stored(struct host *h, uint64_t addr, uint64_t n, struct err *e);

#endif
