#include "support/ptx_op.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"

enum { LANES = 32, BEFORE = 0x5a5a5a5a };

struct text {
	char s[8192];
	size_t n;
};

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->s + t->n, sizeof t->s - t->n, fmt, ap);
	va_end(ap);
	cr_assert_lt(t->n, sizeof t->s);
}

/* Operand k's register: 0 the destination, then the sources; 32-bit ones from 8 on, as lower ones serve the frame. */
static const char *reg(char kind, unsigned k, char out[8])
{
	const char *prefix = kind == 'h'   ? "%h"
			     : kind == 'r' ? "%r"
			     : kind == 'd' ? "%rd"
			     : kind == 'f' ? "%f"
			     : kind == 'g' ? "%fd"
					   : "%p";

	snprintf(out, 8, "%s%u", prefix, kind == 'r' || kind == 'd' ? 8 + k : 1 + k);
	return out;
}

static const char *width(char kind)
{
	return kind == 'h' ? "u16" : kind == 'r' ? "u32" : kind == 'd' ? "u64" : kind == 'f' ? "f32" : "f64";
}

static void add_load(struct text *t, char kind, unsigned k, const char *base, unsigned offset)
{
	char name[8];

	if (kind == 'p') {
		add(t, "ld.global.u32 %%r20, [%s+%u];\nsetp.ne.u32 %s, %%r20, 0;\n", base, offset, reg(kind, k, name));
		return;
	}
	add(t, "ld.global.%s %s, [%s+%u];\n", width(kind), reg(kind, k, name), base, offset);
}

static void add_instruction(struct text *t, const struct op_case *c)
{
	char name[8];

	for (const char *p = c->text; *p; p++) {
		if (*p == '$') {
			unsigned k = *++p == 'd' ? 0 : (unsigned)(*p - '0') + 1;

			add(t, "%s", reg(c->kinds[k], k, name));
		} else {
			add(t, "%c", *p);
		}
	}
	add(t, ";\n");
}

/* Thread i's operands are at in + 48 i (the old destination at + 32), its answer goes to out + 8 i. */
static void make(struct text *t, const struct op_case *c, bool odd_only)
{
	char name[8];

	add(t, "ld.param.u64 %%rd1, [in];\nld.param.u64 %%rd2, [out];\nmov.u32 %%r1, %%tid.x;\n"
	       "mul.wide.u32 %%rd3, %%r1, 48;\nadd.s64 %%rd1, %%rd1, %%rd3;\n"
	       "mul.wide.u32 %%rd3, %%r1, 8;\nadd.s64 %%rd2, %%rd2, %%rd3;\n");
	for (unsigned k = 1; c->kinds[k]; k++)
		add_load(t, c->kinds[k], k, "%rd1", 8 * (k - 1));
	add_load(t, c->kinds[0], 0, "%rd1", 32);
	if (odd_only)
		add(t, "and.b32 %%r2, %%r1, 1;\nsetp.eq.u32 %%p7, %%r2, 0;\n@%%p7 bra MEET;\n");
	add_instruction(t, c);
	add(t, "MEET:\n");
	if (c->kinds[0] == 'p')
		add(t, "selp.u32 %%r20, 1, 0, %s;\nst.global.u32 [%%rd2], %%r20;\n", reg('p', 0, name));
	else
		add(t, "st.global.%s [%%rd2], %s;\n", width(c->kinds[0]), reg(c->kinds[0], 0, name));
}

static uint64_t mask_of(char kind)
{
	return kind == 'h' ? UINT16_MAX : kind == 'p' ? 1 : kind == 'r' || kind == 'f' ? UINT32_MAX : UINT64_MAX;
}

static void check(const struct op_case *c, bool odd_only)
{
	uint64_t in[LANES * 6] = {0};
	struct text text = {.n = 0};
	struct ptx_try t;

	make(&text, c, odd_only);
	for (unsigned l = 0; l < LANES; l++) {
		memcpy(in + 6 * l, c->v[l / 2 % c->n].src, 32);
		in[6 * l + 4] = BEFORE;
	}
	ptx_try_threads(&t, text.s, LANES, in, sizeof in / 4);
	cr_assert_eq(t.result, 0, "%s: %s", c->text, t.e.text);
	for (unsigned l = 0; l < LANES; l++) {
		const struct op_vector *v = &c->v[l / 2 % c->n];
		uint64_t got, mask = mask_of(c->kinds[0]),
			      want = odd_only && l % 2 == 0 ? (c->kinds[0] == 'p' ? 1 : BEFORE) : v->want;

		memcpy(&got, (char *)ptx_try_out(&t) + 8 * l, 8);
		cr_assert_eq(got & mask, want & mask, "%s of %#llx %#llx %#llx %#llx: got %#llx, want %#llx (lane %u%s)", c->text,
			     (unsigned long long)v->src[0], (unsigned long long)v->src[1], (unsigned long long)v->src[2],
			     (unsigned long long)v->src[3], (unsigned long long)(got & mask), (unsigned long long)(want & mask), l,
			     odd_only ? ", odd lanes only" : "");
	}
	ptx_try_free(&t);
}

void ptx_op_check(const struct op_case *c)
{
	check(c, false);
	check(c, true);
}

void ptx_op_check_all(const struct op_case *c)
{
	for (; c->text; c++)
		ptx_op_check(c);
}
