/* Numbers of a stated element type, as launch files write them: 12, -3, 0x10, 4K, 2.5, 1e-3. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/launchfile_internal.h"

struct lf_type lf_type_named(const char *name)
{
	static const char *const bits[] = {"8", "16", "32", "64"};

	for (unsigned i = 0; *name && i < 4; i++)
		if (strchr("usfb", name[0]) && !strcmp(name + 1, bits[i]) && (name[0] != 'f' || i >= 2))
			return (struct lf_type){name[0], 1u << i};
	return (struct lf_type){0, 0};
}

int lf_type(struct lf *f, struct fy_node *at, const char *what, struct lf_type *out)
{
	*out = lf_type_named(yaml_text(at));
	if (!out->kind || out->kind == 'b')
		return yaml_error(f->y, at, f->e, "%s: \"%s\" is not one of u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", what,
				  yaml_text(at));
	return 0;
}

static int whole(struct lf_type t, const char *text, uint64_t *bits, struct err *why)
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

int lf_number(struct lf_type t, const char *text, uint64_t *bits, struct err *why)
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
