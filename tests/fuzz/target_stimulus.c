/* stimulus.txt of a mismatch bundle. The mutator changes what is before the line "end CHECKSUM", and writes that
 * anew. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "lockstep/bundle.h"

void fuzz_stimulus(const uint8_t *data, size_t n)
{
	struct scenario s;
	struct err e = {""};
	struct stim_reader r;
	uint64_t steps = 0, *words;

	files_put("stimulus.txt", data, n);
	if (bundle_read_stimulus(&s, "stimulus.txt", &e)) {
		fuzz_told(&e);
		return;
	}
	words = calloc(s.layout.side[HW_INPUT].words + 1, sizeof *words);
	stim_read(&r, &s.stim);
	while (stim_next(&r, words))
		steps++;
	REQUIRE(steps == s.stim.steps);
	free(words);
	scenario_free(&s);
}

size_t fuzz_stimulus_mutate(uint8_t *data, size_t n, size_t max, unsigned seed, fuzz_mutator *mutate)
{
	enum { END = 21 /* "end 0123456789abcdef\n" */ };
	char end[END + 1];

	if (seed % 16 == 0 || max < 2 * END)
		return mutate(data, n, max);
	if (n >= END && !memcmp(data + n - END, "end ", 4))
		n -= END;
	n = mutate(data, n, max - END);
	snprintf(end, sizeof end, "end %016llx\n", (unsigned long long)XXH64(data, n, 0));
	memcpy(data + n, end, END);
	return n + END;
}
