/* How a page's bytes are spread over the stacks of memory: four bits, enum addr_mode of hw/twins/addr_mode.h, that the
 * page's entry in the page table holds and every TLB entry, request and cache line of it carries along. Here: what
 * else there is to say of them.
 *
 *     MODE_FGP      finely: the stack is in bits of the page offset
 *     MODE_CGP      coarsely: the whole page is in one stack, named by the lowest bits of the frame number
 *     MODE_BIT_16   the stack is in the bits from 16 on
 *     MODE_XOR      in blocks of 256 bytes: the stack is the XOR of all address bits above them, log2(stacks) at a time
 *     7 .. 15       the stack is in the bits from this one on
 * With one stack all are the same. Source: coda, section 4.1 (FGP, CGP); ldesc, sections 4.6 (base bits 7..16), 6.2
 * (XOR).
 */
#ifndef CSIM_VM_PAGE_MODE_H
#define CSIM_VM_PAGE_MODE_H

#include <stdbool.h>
#include <stdint.h>

#include "hw/twins/addr_mode.h"

enum { PAGE_MODES = 16, PAGE_BASE_LOW = 7, PAGE_BASE_HIGH = 16 /* base bits */ };

/* bit: PAGE_BASE_LOW .. PAGE_BASE_HIGH. */
static inline uint8_t page_mode_of_bit(uint32_t bit)
{
	return (uint8_t)(bit == PAGE_BASE_HIGH ? MODE_BIT_16 : bit);
}

/* Whether the stack bits, which are taken out of the address, have nothing to do with the page: all but FGP and CGP. */
static inline bool page_mode_has_bit(uint8_t mode)
{
	return mode == MODE_BIT_16 || mode == MODE_XOR || mode >= PAGE_BASE_LOW;
}

/* The lowest of these bits, of such a mode. */
static inline uint32_t page_mode_bit(uint8_t mode)
{
	return mode == MODE_BIT_16 ? PAGE_BASE_HIGH : mode == MODE_XOR ? MODE_XOR_LSB : mode;
}

#endif
