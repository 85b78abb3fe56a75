/* How a page is spread over the stacks of memory, in four bits: what a page table entry, a TLB entry, a cache line
 * and a request carry, and what the address decoder (hw/twins/addr_decoder.h) goes by. Source: coda, section 4.2;
 * ldesc, sections 4.6 and 6.2. */
#ifndef CSIM_HW_TWINS_ADDR_MODE_H
#define CSIM_HW_TWINS_ADDR_MODE_H

/* FGP: over all stacks; CGP: in one; XOR: in blocks of 2^MODE_XOR_LSB bytes, by all address bits above them; 7 to 15:
 * by the bits from that one on. 4 to 6 are reserved: the decoder takes them as FGP, so that it is total; nothing in the
 * model makes one. */
enum addr_mode { MODE_FGP, MODE_CGP, MODE_BIT_16, MODE_XOR, MODE_BIT_7 = 7, MODE_BIT_15 = 15 };
enum { MODE_XOR_LSB = 8 };

#endif
