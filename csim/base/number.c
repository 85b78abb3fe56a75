#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int number_parse_u64(const char *text, uint64_t *out)
{
	static const char suffix[] = "KMG";
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = text + (hex ? 2 : 0), *s;
	unsigned shift = 0;
	char *end;

	/* strtoull would take a sign and blanks before the digits. */
	if (!strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789"))
		return -1;
	errno = 0;
	*out = strtoull(digits, &end, hex ? 16 : 10);
	if (errno)
		return -1;
	s = *end ? strchr(suffix, *end) : NULL;
	if (s) {
		shift = 10 * (unsigned)(s - suffix + 1);
		end++;
	}
	if (*end || *out > UINT64_MAX >> shift)
		return -1;
	*out <<= shift;
	return 0;
}

int number_parse_thousandths(const char *text, uint64_t *out)
{
	size_t whole = strspn(text, "0123456789"), places = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
	uint64_t v = 0;

	/* 16 digits: no overflow. */
	if (!whole || whole > 16 || places > 3 || text[whole + (text[whole] == '.') + places] || (text[whole] == '.' && !places))
		return -1;
	for (size_t i = 0; i < whole; i++)
		v = 10 * v + (uint64_t)(text[i] - '0');
	for (size_t i = 0; i < 3; i++)
		v = 10 * v + (i < places ? (uint64_t)(text[whole + 1 + i] - '0') : 0);
	*out = v;
	return 0;
}

int number_parse_range(const char *text, uint64_t *first, uint64_t *last)
{
	char low[64];
	const char *dash = strchr(text, '-');
	size_t n = dash ? (size_t)(dash - text) : strlen(text);

	snprintf(low, sizeof low, "%.*s", n < sizeof low ? (int)n : 0, text);
	if (number_parse_u64(low, first) != 0 || number_parse_u64(dash ? dash + 1 : low, last) != 0)
		return -1;
	return *first <= *last ? 0 : -1;
}

const char *number_commas(uint64_t v, char out[32])
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, v), at = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}
