/* An L1 of several banks, with a data path of a width: how many of an instruction's transactions are served in a core
 * cycle.
 *
 * A bank looks up one line a cycle. A line is in one bank, by its number modulo l1.banks; with l1.bank_bytes its
 * sectors are in several, by their address / l1.bank_bytes modulo l1.banks, and a transaction takes those of the
 * sectors that it touches. The data path moves l1.port_bytes a cycle: whole sectors, of a cache of whole lines whole
 * lines. In a cycle an instruction's next transactions are served, in order, as long as none needs a bank that is
 * taken in this cycle and their sectors fit into the data path together; the next one waits for the next cycle. One
 * with more bytes than that takes the path alone for as many cycles as they need, and is served in the last.
 *
 * Instructions do not share a cycle. What comes from below does not use the path. Units: bytes, core cycles. Source:
 * docs/explanation/caches.md, "Banks and bytes a cycle".
 */
#ifndef CSIM_SM_LSU_LSU_PORTS_H
#define CSIM_SM_LSU_LSU_PORTS_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

struct lsu_ports {
	bool on;
	bool single;	/* one transaction a cycle: something at the L1 looks at one a cycle */
	uint32_t banks; /* a power of two up to 32 */
	uint32_t shift; /* log2 of the bytes that are side by side in a bank */
	uint32_t bytes; /* of the data path; UINT32_MAX: all that there are */
	uint64_t until; /* cycle in which the next transaction has had the data path long enough; 0: it has not begun */
};

void lsu_ports_init(struct lsu_ports *p, const struct machine *m);

#endif
