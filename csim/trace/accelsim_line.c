/* Lines of a .traceg: what the header says of a kernel, and one executed instruction. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/accelsim_impl.h"

/* Registers by number: R0.., uniform ones, predicates, uniform predicates; RZ, URZ, PT and UPT are none. */
enum {
	FILE_R = 0,
	FILE_UR = 256,
	FILE_P = 320,
	FILE_UP = 328,
	FIRST_BAD = 336,
	NO_REG = 0xffff,
	MAX_LISTED = 16,
	TRACER_NEWEST = 5
};

bool text_number(const char *s, int base, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (base == 16 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		s += 2;
	if (!*s)
		return false;
	for (; *s; s++) {
		unsigned d = *s >= '0' && *s <= '9'   ? (unsigned)(*s - '0')
			     : *s >= 'a' && *s <= 'f' ? (unsigned)(*s - 'a') + 10
			     : *s >= 'A' && *s <= 'F' ? (unsigned)(*s - 'A') + 10
						      : 99;

		if (d >= (unsigned)base || d > max || v > (max - d) / (unsigned)base)
			return false;
		v = v * (unsigned)base + d;
	}
	*out = v;
	return true;
}

bool text_signed(const char *s, int64_t *out)
{
	bool minus = *s == '-';
	uint64_t v;

	if (!text_number(s + minus, 10, INT64_MAX, &v))
		return false;
	*out = minus ? -(int64_t)v : (int64_t)v;
	return true;
}

/* ---- header ---- */

static int header_dims(const struct text *t, const char *what, const char *value, uint32_t out[3], bool *have, struct err *e)
{
	char copy[64], *at = copy, *part;
	uint64_t v;

	if (*have)
		return text_error(t, e, "a second -%s", what);
	if (strlen(value) >= sizeof copy)
		goto bad;
	memcpy(copy, value, strlen(value) + 1);
	if (*at++ != '(' || copy[strlen(copy) - 1] != ')')
		goto bad;
	copy[strlen(copy) - 1] = '\0';
	for (int d = 0; d < 3; d++) {
		part = strsep(&at, ",");
		if (!part || !text_number(part, 10, UINT32_MAX, &v) || v == 0)
			goto bad;
		out[d] = (uint32_t)v;
	}
	*have = true;
	if (!at)
		return 0;
bad:
	return text_error(t, e, "-%s = %s: must be (x,y,z), each at least 1", what, value);
}

static int header_number(const struct text *t, const char *what, const char *value, int base, uint64_t max, uint64_t *out,
			 struct err *e)
{
	if (text_number(value, base, max, out))
		return 0;
	return text_error(t, e, "-%s = %s: must be a %s number of at most %" PRIu64, what, value,
			  base == 16 ? "hexadecimal" : "whole", max);
}

static int header_u32(const struct text *t, const char *what, const char *value, uint32_t max, uint32_t *out, struct err *e)
{
	uint64_t v = 0;
	int rc = header_number(t, what, value, 10, max, &v, e);

	*out = (uint32_t)v;
	return rc;
}

/* Versions 1 to 5 of the tracer are known: 3 took block and warp out of the lines, 4 put source lines in, 5 clusters.
 * What a later one writes into a line cannot be guessed. */
static int header_tracer(const struct text *t, const char *what, const char *value, uint32_t *out, struct err *e)
{
	if (header_u32(t, what, value, UINT32_MAX, out, e))
		return -1;
	if (*out >= 1 && *out <= TRACER_NEWEST)
		return 0;
	return text_error(t, e, "-%s = %s: versions 1 to %d are known", what, value, TRACER_NEWEST);
}

int header_line(const struct text *t, struct header *h, struct err *e)
{
	const char *equal = strstr(t->buf, " = "), *value;
	char what[64];

	if (!equal || equal == t->buf + 1 || (size_t)(equal - t->buf) > sizeof what)
		return text_error(t, e, "a header line must be \"-name = value\"");
	snprintf(what, sizeof what, "%.*s", (int)(equal - t->buf) - 1, t->buf + 1);
	value = equal + 3;
	if (!strcmp(what, "kernel name"))
		return snprintf(h->name, sizeof h->name, "%s", value) < 0;
	if (!strcmp(what, "grid dim"))
		return header_dims(t, what, value, h->grid, &h->have_grid, e);
	if (!strcmp(what, "block dim"))
		return header_dims(t, what, value, h->block, &h->have_block, e);
	if (!strcmp(what, "shmem"))
		return header_u32(t, what, value, 256 << 10, &h->shared_bytes, e);
	if (!strcmp(what, "nregs"))
		return header_u32(t, what, value, 255, &h->registers, e);
	if (!strcmp(what, "accelsim tracer version"))
		return header_tracer(t, what, value, &h->tracer, e);
	if (!strcmp(what, "enable lineinfo"))
		return header_u32(t, what, value, 1, &h->lineinfo, e);
	if (!strcmp(what, "shmem base_addr"))
		return header_number(t, what, value, 16, INT64_MAX, &h->shared_base, e);
	if (!strcmp(what, "local mem base_addr"))
		return header_number(t, what, value, 16, INT64_MAX, &h->local_base, e);
	return 0; /* kernel id, stream, versions: nothing that the model asks for */
}

/* ---- an instruction ---- */

struct line { /* words from left to right */
	const struct text *t;
	char *at;
	struct err *e;
};

static const char *word(struct line *l, const char *what)
{
	char *start = l->at + strspn(l->at, " \t");
	size_t n = strcspn(start, " \t");

	if (!n) {
		if (what)
			text_error(l->t, l->e, "the line ends before its %s", what);
		return NULL;
	}
	l->at = start + n;
	if (*l->at)
		*l->at++ = '\0';
	return start;
}

static int number(struct line *l, const char *what, int base, uint64_t max, uint64_t *out)
{
	const char *w = word(l, what);

	if (!w)
		return -1;
	return text_number(w, base, max, out) ? 0
					      : text_error(l->t, l->e, "%s \"%s\": not a %s number of at most %#" PRIx64, what, w,
							   base == 16 ? "hexadecimal" : "whole decimal", max);
}

/* Tracers before version 3 begin a line with its thread block and warp. */
static int repeated_block_and_warp(struct line *l, const uint32_t cta[3], uint32_t warp)
{
	static const char *const what[4] = {"thread block's x", "thread block's y", "thread block's z", "warp"};
	const uint32_t want[4] = {cta[0], cta[1], cta[2], warp};
	uint64_t v;

	for (int i = 0; i < 4; i++) {
		if (number(l, what[i], 10, UINT32_MAX, &v))
			return -1;
		if (v != want[i])
			return text_error(l->t, l->e, "the line's %s is %" PRIu64 ", but it is under %u", what[i], v, want[i]);
	}
	return 0;
}

static unsigned register_number(const char *w)
{
	static const struct {
		const char *prefix;
		unsigned first, count, none;
	} files[] = {{"UR", FILE_UR, 64, 63}, {"UP", FILE_UP, 8, 7}, {"R", FILE_R, 256, 255}, {"P", FILE_P, 8, 7}};
	uint64_t v;

	if (!strcmp(w, "RZ") || !strcmp(w, "URZ") || !strcmp(w, "PT") || !strcmp(w, "UPT"))
		return NO_REG;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (!strncmp(w, files[i].prefix, strlen(files[i].prefix)) &&
		    text_number(w + strlen(files[i].prefix), 10, files[i].count - 1, &v))
			return v == files[i].none ? NO_REG : files[i].first + (unsigned)v;
	return FIRST_BAD;
}

static int registers(struct line *l, const char *what, struct sass *s, uint8_t *count)
{
	uint64_t n = 0;

	if (number(l, what, 10, MAX_LISTED, &n))
		return -1;
	for (*count = 0; n > 0; n--) {
		const char *w = word(l, "registers");
		unsigned r;

		if (!w)
			return -1;
		r = register_number(w);
		if (r == FIRST_BAD)
			return text_error(l->t, l->e, "no register \"%s\": R0 to R255, UR0 to UR63, P0 to P7, UP0 to UP7", w);
		if (r == NO_REG)
			continue;
		if (s->ndst + s->nsrc == ACCELSIM_MAX_REGS)
			return text_error(l->t, l->e, "more than %d registers", ACCELSIM_MAX_REGS);
		s->reg[s->ndst + s->nsrc] = (uint16_t)r;
		(*count)++;
	}
	return 0;
}

static int opcode(struct line *l, const struct opcodes *ops, struct sass *s)
{
	const char *w = word(l, "opcode");

	if (!w)
		return -1;
	if (strlen(w) >= sizeof s->name)
		return text_error(l->t, l->e, "an opcode of more than %zu letters", sizeof s->name - 1);
	memcpy(s->name, w, strlen(w) + 1);
	if (!opcodes_find(ops, s->name, &s->code))
		return text_error(l->t, l->e,
				  "opcode %s is in no table (--opcode-map FILE adds it, --unknown-opcode=alu takes it "
				  "for an integer addition)",
				  s->name);
	return 0;
}

/* ---- addresses ---- */

static int list_of_addresses(struct line *l, struct sass *s)
{
	for (uint32_t m = s->mask; m; m &= m - 1)
		if (number(l, "address", 16, UINT64_MAX, &s->addr[__builtin_ctz(m)]))
			return -1;
	return 0;
}

static int signed_word(struct line *l, const char *what, int64_t *out)
{
	const char *w = word(l, what);

	if (!w)
		return -1;
	return text_signed(w, out) ? 0 : text_error(l->t, l->e, "%s \"%s\": not a signed decimal number", what, w);
}

static int base_and_stride(struct line *l, struct sass *s)
{
	uint64_t at;
	int64_t stride;

	if (number(l, "base address", 16, UINT64_MAX, &at) || signed_word(l, "stride", &stride))
		return -1;
	if (s->mask) {
		uint64_t run = (uint64_t)s->mask >> __builtin_ctz(s->mask);

		if (run & (run + 1))
			return text_error(l->t, l->e, "base and stride need one contiguous run of lanes, not mask %08x", s->mask);
	}
	for (uint32_t m = s->mask; m; m &= m - 1, at += (uint64_t)stride)
		s->addr[__builtin_ctz(m)] = at;
	return 0;
}

static int base_and_deltas(struct line *l, struct sass *s)
{
	uint64_t at;

	if (number(l, "base address", 16, UINT64_MAX, &at))
		return -1;
	for (uint32_t m = s->mask; m; m &= m - 1) {
		int64_t delta = 0;

		if (m != s->mask && signed_word(l, "delta", &delta))
			return -1;
		at += (uint64_t)delta;
		s->addr[__builtin_ctz(m)] = at;
	}
	return 0;
}

static int addresses(struct line *l, struct sass *s)
{
	uint64_t width, mode;

	if (number(l, "access width", 10, 4096, &width))
		return -1;
	if (!width)
		return 0;
	s->has_addr = true;
	if (number(l, "address mode", 10, UINT32_MAX, &mode))
		return -1;
	if (mode > 2)
		return text_error(l->t, l->e, "address mode %" PRIu64 ": must be 0 (list), 1 (stride) or 2 (deltas)", mode);
	return mode == 0 ? list_of_addresses(l, s) : mode == 1 ? base_and_stride(l, s) : base_and_deltas(l, s);
}

static int end_of_line(struct line *l)
{
	const char *w = word(l, NULL);
	uint64_t v;
	int64_t sv;

	if (w && !text_signed(w, &sv) && !text_number(w, 16, UINT64_MAX, &v))
		return text_error(l->t, l->e, "immediate \"%s\": not a number", w);
	w = word(l, NULL);
	return w ? text_error(l->t, l->e, "\"%s\" is behind the immediate", w) : 0;
}

/* ---- what the instruction does ---- */

/* Offsets in place of addresses within the windows; addresses that the model can hold. */
static int settle(struct line *l, const struct header *h, struct sass *s)
{
	for (uint32_t m = s->has_addr ? s->mask : 0; m; m &= m - 1) {
		uint64_t *a = &s->addr[__builtin_ctz(m)];

		if (s->code.space == SPACE_SHARED && h->shared_base && *a - h->shared_base < ACCELSIM_WINDOW)
			*a -= h->shared_base;
		if (s->code.space == SPACE_LOCAL && h->local_base && *a - h->local_base < ACCELSIM_WINDOW)
			*a -= h->local_base;
		if (s->code.space == SPACE_CONST && *a >= 64 << 10)
			return text_error(l->t, l->e, "%s at %#" PRIx64 ": a constant bank has 64 KiB", s->name, *a);
		if ((s->code.space == SPACE_SHARED || s->code.space == SPACE_LOCAL) && *a >= ACCELSIM_WINDOW)
			return text_error(l->t, l->e, "%s at %#" PRIx64 ": outside the 16 MiB of its window", s->name, *a);
		if (*a >> 56)
			return text_error(l->t, l->e, "%s at %#" PRIx64 ": no address of a device", s->name, *a);
	}
	return 0;
}

static int access(struct line *l, const struct header *h, struct sass *s)
{
	if (s->code.space == SPACE_NONE) {
		s->width = s->code.width;
		return 0;
	}
	s->width = (uint8_t)(s->code.width ? s->code.width : opcode_width(s->name));
	if (!s->width)
		return text_error(l->t, l->e, "%s accesses more than 16 bytes a lane", s->name);
	if (opcode_has(s->name, "CONSTANT"))
		s->flags |= TRACE_NC;
	if (opcode_has(s->name, "STRONG") && s->code.op != OP_ATOM)
		s->flags |= TRACE_VOLATILE;
	if (s->code.op == OP_LOAD || s->code.op == OP_STORE)
		s->flags |= (uint8_t)((opcode_has(s->name, "EF") || opcode_has(s->name, "LU") ? TRACE_STREAMS : 0) |
				      (opcode_has(s->name, "NA") ? TRACE_NO_ALLOCATE : 0));
	if (!s->has_addr && s->mask) {
		if (s->code.space == SPACE_CONST) { /* the tracer writes no addresses of constants: taken for a
						     * parameter */
			s->code.space = SPACE_PARAM;
		} else if (s->code.space == SPACE_TEX) { /* nor of textures */
			s->code = (struct opcode){OP_SFU, SPACE_NONE, 0};
			s->width = s->flags = 0;
		} else {
			return text_error(l->t, l->e, "%s has no addresses (a width of 0)", s->name);
		}
	}
	return settle(l, h, s);
}

int sass_line(struct text *t, const struct header *h, const struct opcodes *ops, const uint32_t cta[3], uint32_t warp,
	      struct sass *out, struct err *e)
{
	struct line l = {t, t->buf, e};
	uint64_t v;

	memset(out, 0, offsetof(struct sass, addr));
	if (h->tracer < 3 && repeated_block_and_warp(&l, cta, warp))
		return -1;
	if (h->lineinfo) {
		if (number(&l, "source line", 10, UINT32_MAX, &v))
			return -1;
		out->source_line = (uint32_t)v;
	}
	if (number(&l, "PC", 16, UINT64_MAX, &out->pc) || number(&l, "mask", 16, UINT32_MAX, &v))
		return -1;
	out->mask = (uint32_t)v;
	if (registers(&l, "number of destinations", out, &out->ndst) || opcode(&l, ops, out) ||
	    registers(&l, "number of sources", out, &out->nsrc) || addresses(&l, out) || end_of_line(&l))
		return -1;
	return access(&l, h, out);
}
