#include "workload/element.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

struct element element_named(const char *name)
{
	static const char *const bits[] = {"8", "16", "32", "64"};

	for (unsigned i = 0; *name && i < 4; i++)
		if (strchr("usfb", name[0]) && !strcmp(name + 1, bits[i]) && (name[0] != 'f' || i >= 2))
			return (struct element){name[0], 1u << i};
	return (struct element){0, 0};
}

static int whole(struct element t, const char *text, uint64_t *bits, struct err *why)
{
	bool negative = *text == '-';
	uint64_t v, all = t.bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * t.bytes) - 1, half = all / 2 + 1;

	if (number_parse_u64(text + negative, &v))
		return err_set(why, "\"%s\" is not a whole number", text);
	if (negative ? v > half : v > (t.kind == 's' ? half - 1 : all))
		return err_set(why, "%s does not fit %c%u", text, t.kind, 8 * t.bytes);
	*bits = (negative ? 0 - v : v) & all;
	return 0;
}

int element_parse(struct element t, const char *text, uint64_t *bits, struct err *why)
{
	uint64_t v;
	double d;
	float s;
	char *end;

	if (t.kind != 'f')
		return whole(t, text, bits, why);
	d = strtod(text, &end);
	if (end == text || *end) {
		if (number_parse_u64(text, &v))
			return err_set(why, "\"%s\" is not a number", text);
		d = (double)v;
	}
	s = (float)d;
	/* Too large, not spelled "inf". */
	if (isinf(t.bytes == 4 ? s : d) && !isalpha((unsigned char)text[*text == '-' || *text == '+']))
		return err_set(why, "%s does not fit f%u", text, 8 * t.bytes);
	*bits = 0;
	if (t.bytes == 4)
		memcpy(bits, &s, sizeof s);
	else
		memcpy(bits, &d, sizeof d);
	return 0;
}

const char *element_text(struct element t, const void *at, char out[ELEMENT_TEXT])
{
	unsigned unused = 64 - 8 * t.bytes;
	uint64_t v = 0;
	double d;
	float s;

	memcpy(&v, at, t.bytes);
	memcpy(&d, &v, sizeof d);
	memcpy(&s, &v, sizeof s);
	if (t.kind == 'f')
		snprintf(out, ELEMENT_TEXT, "%.*g", t.bytes == 4 ? 9 : 17, t.bytes == 4 ? (double)s : d);
	else if (t.kind == 's')
		snprintf(out, ELEMENT_TEXT, "%" PRId64, (int64_t)(v << unused) >> unused);
	else
		snprintf(out, ELEMENT_TEXT, "%" PRIu64, v);
	return out;
}
