/* A fat binary as nvcc writes it (harness/cuda/fatbin.h has the format), made of given entries. */
#ifndef TESTS_SUPPORT_MADE_FATBIN_H
#define TESTS_SUPPORT_MADE_FATBIN_H

#include <stddef.h>
#include <stdint.h>

enum made_kind { MADE_PTX = 1, MADE_ELF = 2 };
enum made_how { MADE_PLAIN, MADE_LZ4, MADE_ZSTD };

struct made_entry {
	enum made_kind kind;
	uint32_t sm;
	enum made_how how;
	const char *bytes;
	size_t n;
};

/* Returns how many bytes it has; 0: there is no room for it. */
size_t made_fatbin(uint8_t *to, size_t room, const struct made_entry *entry, unsigned n);

#endif
