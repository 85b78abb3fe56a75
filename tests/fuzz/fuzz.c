#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

_Noreturn void fuzz_broken(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

void fuzz_told(const struct err *e)
{
	REQUIRE(e->text[0] && memchr(e->text, '\0', sizeof e->text));
}

FILE *fuzz_sink(void)
{
	static FILE *sink;

	if (!sink)
		sink = fopen("/dev/null", "w");
	REQUIRE(sink);
	return sink;
}

/* The next line that begins with the mark, or the end. */
static const uint8_t *next_mark(const uint8_t *p, const uint8_t *end)
{
	bool begins = true;

	for (; end - p >= 4; p++) {
		if (begins && !memcmp(p, "%%%%", 4))
			return p;
		begins = *p == '\n';
	}
	return end;
}

void fuzz_parts(const uint8_t *data, size_t n, unsigned parts, const uint8_t **part, size_t *size)
{
	const uint8_t *end = data + n;

	for (unsigned i = 0; i < parts; i++) {
		const uint8_t *mark = i + 1 < parts ? next_mark(data, end) : end, *newline;

		part[i] = data;
		size[i] = (size_t)(mark - data);
		newline = mark < end ? memchr(mark, '\n', (size_t)(end - mark)) : NULL;
		data = newline ? newline + 1 : end;
	}
}

char *fuzz_text(const uint8_t *data, size_t n)
{
	char *s = xmalloc(n + 1);

	memcpy(s, data, n);
	s[n] = '\0';
	return s;
}
