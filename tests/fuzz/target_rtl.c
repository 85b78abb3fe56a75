/* Verilog that came with a bundle: whether it may be built (bind/vet.h). What passes has nothing in it that could do
 * more than compute, found in another way than the reader's. */
#include <stdbool.h>
#include <string.h>

#include "bind/vet.h"
#include "fuzz/files.h"
#include "fuzz/fuzz.h"

static bool has(const char *text, size_t n, const char *what)
{
	return memmem(text, n, what, strlen(what)) != NULL;
}

void fuzz_rtl(const uint8_t *data, size_t n)
{
	static const char *const never[] = {"$system", "$c(",	   "$fopen",   "$fwrite",    "$readmemh(\"", "$writemem", "$dump",
					    "$value$", "$display", "`systemc", "`verilator", "``",	     NULL};
	const char *file[] = {"a.v", "b.vh"};
	const struct bind_sources src = {.file = file, .n = 2}; /* and no data */
	const uint8_t *part[2];
	struct err e = {""};
	size_t size[2];

	fuzz_parts(data, n, 2, part, size);
	files_put("a.v", part[0], size[0]);
	files_put("b.vh", part[1], size[1]);
	if (bind_vet(&src, &e)) {
		fuzz_told(&e);
		return;
	}
	for (int i = 0; i < 2; i++)
		for (const char *const *w = never; *w; w++)
			REQUIRE(!has((const char *)part[i], size[i], *w));
}
