/* What a CUDA program registers: a fat binary, or PTX as text. The mutator makes whole ones, with what was in the input
 * changed and compressed again. */
#include <stdlib.h>
#include <string.h>

#include "cuda/fatbin.h"
#include "fuzz/fuzz.h"
#include "support/made_fatbin.h"

enum { CAPABILITY = 80 };

void fuzz_fatbin(const uint8_t *data, size_t n)
{
	struct fatbin_ptx ptx;
	struct err e = {""};

	if (fatbin_read(data, n, CAPABILITY, 0, &ptx, &e) != 0) {
		REQUIRE(!ptx.text);
		fuzz_told(&e);
		return;
	}
	REQUIRE(*ptx.text && strlen(ptx.text) <= FATBIN_PTX_BYTES);
	REQUIRE(ptx.is_newer == (ptx.sm > CAPABILITY));
	free(ptx.text);
}

/* The text that is in it, or else all of it. */
static size_t text_in(const uint8_t *data, size_t n, char *to, size_t room)
{
	struct fatbin_ptx ptx;
	struct err e = {""};
	const void *from = data;

	if (fatbin_read(data, n, CAPABILITY, 0, &ptx, &e) == 0) {
		from = ptx.text;
		n = strlen(ptx.text);
	}
	n = n < room ? n : room;
	memcpy(to, from, n);
	free(ptx.text);
	return n;
}

size_t fuzz_fatbin_mutate(uint8_t *data, size_t n, size_t max, unsigned seed, fuzz_mutator *mutate)
{
	char text[2048];
	struct made_entry entry[3];
	unsigned entries = 1 + seed / 16 % 3;
	size_t length, made;

	if (seed % 16 < 4) /* also what is no whole one */
		return mutate(data, n, max);
	length = text_in(data, n, text, sizeof text);
	length = mutate((uint8_t *)text, length, sizeof text);
	for (unsigned i = 0; i < entries; i++)
		entry[i] = (struct made_entry){.kind = seed >> (6 + i) & 3 ? MADE_PTX : MADE_ELF,
					       .sm = 60 + 10 * (seed >> (9 + 2 * i) & 7),
					       .how = (enum made_how)((seed >> (15 + 2 * i)) % 3),
					       .bytes = text,
					       .n = length};
	made = made_fatbin(data, max, entry, entries);
	return made ? made : mutate(data, n, max);
}
