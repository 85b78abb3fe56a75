/* What fills a buffer element by element: one value, a list, numbers that step, random ones. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "workload/launchfile_impl.h"
#include "workload/random.h"

static int number_at(struct lf_contents *c, struct fy_node *at, const char *what, uint64_t *bits)
{
	struct err why = {""};

	if (!yaml_is_scalar(at) || element_parse(c->type, yaml_text(at), bits, &why))
		return yaml_error(c->f->y, at, c->f->e, "%s: %s", what, why.text[0] ? why.text : "must be a number");
	return 0;
}

static int optional(struct lf_contents *c, enum lf_contents_key key, const char *dflt, uint64_t *bits)
{
	return c->key[key] ? number_at(c, c->key[key], lf_contents_path(c, key), bits) : element_parse(c->type, dflt, bits, NULL);
}

static double as_double(struct element t, uint64_t bits)
{
	double d;
	float s;

	if (t.bytes == 8) {
		memcpy(&d, &bits, sizeof d);
		return d;
	}
	memcpy(&s, &bits, sizeof s);
	return s;
}

static void set_float(struct lf_contents *c, uint64_t i, double v)
{
	float s = (float)v;

	if (c->type.bytes == 8)
		memcpy(c->bytes + 8 * i, &v, 8);
	else
		memcpy(c->bytes + 4 * i, &s, 4);
}

static int fill_iota(struct lf_contents *c)
{
	uint64_t start, step, n = c->size / c->type.bytes;

	if (optional(c, LF_START, "0", &start) || optional(c, LF_STEP, "1", &step))
		return -1;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = start + i * step;

		if (c->type.kind == 'f')
			set_float(c, i, as_double(c->type, start) + (double)i * as_double(c->type, step));
		else
			memcpy(c->bytes + i * c->type.bytes, &v, c->type.bytes);
	}
	return 0;
}

static uint64_t sign_extend(struct element t, uint64_t v)
{
	unsigned unused = 64 - 8 * t.bytes;

	return t.kind == 's' ? (uint64_t)((int64_t)(v << unused) >> unused) : v;
}

static void random_whole(struct lf_contents *c, struct host_random *r, uint64_t lo, uint64_t hi)
{
	uint64_t span = sign_extend(c->type, hi) - sign_extend(c->type, lo) + 1; /* 0: all 2^64 values */

	for (uint64_t i = 0; i < c->size / c->type.bytes; i++) {
		uint64_t v = host_random_u64(r);

		v = span ? lo + (span >> 32 ? v % span : (v >> 32) * span >> 32) : v;
		memcpy(c->bytes + i * c->type.bytes, &v, c->type.bytes);
	}
}

static void random_float(struct lf_contents *c, struct host_random *r, double lo, double hi)
{
	for (uint64_t i = 0; i < c->size / c->type.bytes; i++) {
		double u = c->type.bytes == 4 ? (double)host_random_f32(r) : (double)(host_random_u64(r) >> 11) * 0x1p-53;

		set_float(c, i, lo + (hi - lo) * u);
	}
}

/* The two ends of `range`: floats are in [lo, hi), whole numbers in lo..hi. */
static int read_range(struct lf_contents *c, uint64_t end[2])
{
	static const char *const whole_hi[2][4] = {{"255", "65535", "4294967295", "18446744073709551615"},
						   {"127", "32767", "2147483647", "9223372036854775807"}};
	struct fy_node *item;
	void *iter = NULL;
	int n = 0;

	if (!c->key[LF_RANGE]) {
		element_parse(c->type, "0", &end[0], NULL);
		return element_parse(c->type,
				     c->type.kind == 'f' ? "1" : whole_hi[c->type.kind == 's'][__builtin_ctz(c->type.bytes)],
				     &end[1], NULL);
	}
	while (yaml_is_seq(c->key[LF_RANGE]) && (item = yaml_next_item(c->key[LF_RANGE], &iter)))
		if (n == 2 || number_at(c, item, lf_contents_path(c, LF_RANGE), &end[n++]))
			return lf_contents_wrong(c, LF_RANGE, "must be two numbers: [lowest, highest]");
	if (n != 2)
		return lf_contents_wrong(c, LF_RANGE, "must be two numbers: [lowest, highest]");
	if (c->type.kind == 'f'	  ? !(as_double(c->type, end[0]) <= as_double(c->type, end[1]))
	    : c->type.kind == 's' ? (int64_t)sign_extend(c->type, end[0]) > (int64_t)sign_extend(c->type, end[1])
				  : end[0] > end[1])
		return lf_contents_wrong(c, LF_RANGE, "the lowest is above the highest");
	return 0;
}

static int fill_random(struct lf_contents *c)
{
	struct host_random r = {1};
	uint64_t end[2];

	if ((c->key[LF_SEED] &&
	     yaml_u64(c->f->y, c->key[LF_SEED], lf_contents_path(c, LF_SEED), 0, UINT64_MAX, &r.state, c->f->e)) ||
	    read_range(c, end))
		return -1;
	if (c->type.kind == 'f')
		random_float(c, &r, as_double(c->type, end[0]), as_double(c->type, end[1]));
	else
		random_whole(c, &r, end[0], end[1]);
	return 0;
}

static int fill_constant(struct lf_contents *c)
{
	uint64_t bits;

	if (number_at(c, c->key[LF_VALUE], lf_contents_path(c, LF_VALUE), &bits))
		return -1;
	for (uint64_t i = 0; i < c->size / c->type.bytes; i++)
		memcpy(c->bytes + i * c->type.bytes, &bits, c->type.bytes);
	return 0;
}

/* The elements of the list; what is behind them stays zero. */
static int fill_list(struct lf_contents *c)
{
	const char *what = lf_contents_path(c, LF_VALUES);
	struct fy_node *item;
	uint8_t *to = c->bytes;
	void *iter = NULL;
	uint64_t bits;

	for (; (item = yaml_next_item(c->key[LF_VALUES], &iter)); to += c->type.bytes) {
		if (number_at(c, item, what, &bits))
			return -1;
		memcpy(to, &bits, c->type.bytes);
	}
	return 0;
}

int lf_fill_elements(struct lf_contents *c)
{
	switch (c->fill) {
	case LF_IOTA:
		return fill_iota(c);
	case LF_RANDOM:
		return fill_random(c);
	case LF_LIST:
		return fill_list(c);
	default:
		return fill_constant(c);
	}
}
