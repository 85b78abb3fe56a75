/* Whole numbers as users write them, on the command line and in files: decimal or 0x hexadecimal, then K, M or G
 * (1024-based) if they like. A leading zero means nothing: 010 is ten. Signs, fractions, exponents and what does not
 * fit into 64 bits are refused.
 */
#ifndef CSIM_BASE_NUMBER_H
#define CSIM_BASE_NUMBER_H

#include <stdint.h>

/* For messages about a text that is no such number. */
#define NUMBER_FORM "(digits, then K, M or G)"

/* 0 on success, -1 if the text is no such number. */
int number_parse_u64(const char *text, uint64_t *out);

/* A decimal number with at most three places after the point ("1.333"), in thousandths. No suffix, no hexadecimal. */
int number_parse_thousandths(const char *text, uint64_t *out);

/* "A" or "A-B", A <= B: likewise. */
int number_parse_range(const char *text, uint64_t *first, uint64_t *last);

/* 1234567 as "1,234,567". Returns out. */
const char *number_commas(uint64_t v, char out[32]);

#endif
