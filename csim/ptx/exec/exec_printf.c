/* vprintf, and __assertfail, to which a failed assert() leads. vprintf takes a format, and arguments packed as C lays
 * out a struct of them after the promotions of variadic calls.
 *
 * Lanes print in ascending order, each its whole text at once. The result is the number of arguments, as CUDA has it;
 * so the format is read, and its arguments must be there, even when nothing is to be printed.
 */
#include <stdio.h>

#include "ptx/exec/exec.h"

enum { MAX_FORMAT = 65536, MAX_DIRECTIVE = 24, MAX_ARGS = 32 /* CUDA's limit */ };

struct print { /* one lane's */
	struct exec *x;
	const struct warp *w;
	const struct insn *i;
	int lane;
	FILE *to;	   /* NULL: nowhere */
	uint64_t format;   /* of the next character */
	uint64_t args, at; /* generic address of the buffer; bytes of it taken */
	unsigned n_args;
};

/* n bytes at a generic address; NULL after an error. */
static const uint8_t *bytes_at(struct print *p, uint64_t address, uint64_t n, const char *what)
{
	const struct exec *x = p->x;
	uint64_t local = x->k->trace.local_bytes, offset;
	const uint8_t *found = NULL;

	if (address - SHARED_WINDOW < WINDOW_BYTES) {
		offset = address - SHARED_WINDOW;
		found = n <= x->shared_bytes && offset <= x->shared_bytes - n ? x->shared + offset : NULL;
	} else if (address - LOCAL_WINDOW < WINDOW_BYTES) {
		offset = address - LOCAL_WINDOW;
		found = n <= local && offset <= local - n
				? x->local + ((size_t)p->w->id * LANES + (unsigned)p->lane) * local + offset
				: NULL;
	} else {
		found = memory_at(x->mem, address, n);
	}
	if (!found)
		exec_fail(p->x, p->w, p->i, p->lane, "reads its %s at 0x%llx, where no memory is", what,
			  (unsigned long long)address);
	return found;
}

/* The next argument, of 4 or 8 bytes; -1 after an error. */
static int argument(struct print *p, unsigned bytes, uint64_t *bits)
{
	const uint8_t *from;

	p->at = (p->at + bytes - 1) / bytes * bytes;
	from = bytes_at(p, p->args + p->at, bytes, "arguments");
	if (!from)
		return -1;
	if (++p->n_args > MAX_ARGS)
		return exec_fail(p->x, p->w, p->i, p->lane, "vprintf has more than %d arguments", MAX_ARGS);
	*bits = 0;
	memcpy(bits, from, bytes);
	p->at += bytes;
	return 0;
}

/* The text at a generic address, cut where it does not fit. */
static int string_at(struct print *p, uint64_t address, char *text, unsigned room)
{
	unsigned n = 0;

	do {
		const uint8_t *c = bytes_at(p, address + n, 1, "string");

		if (!c)
			return -1;
		text[n] = (char)*c;
	} while (text[n] && ++n < room - 1);
	text[n] = 0;
	return 0;
}

static int print_string(struct print *p, const char *directive, uint64_t address)
{
	char text[4096];

	if (string_at(p, address, text, sizeof text) < 0)
		return -1;
	if (p->to)
		fprintf(p->to, directive, text);
	return 0;
}

/* Integers were promoted to 4 bytes; h and hh ask for the lower ones again. */
static uint64_t integer(uint64_t bits, unsigned bytes, bool is_signed)
{
	unsigned unused = 64 - 8 * bytes;

	return is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits << unused >> unused;
}

/* A directive that has been collected up to its conversion; `at` is its length, `bytes` the size of an integer. */
static int convert(struct print *p, char directive[MAX_DIRECTIVE + 4], unsigned at, unsigned bytes, char conversion)
{
	bool is_float = strchr("fFeEgGaA", conversion), is_pointer = strchr("ps", conversion);
	uint64_t bits;
	double d;

	if (argument(p, is_float || is_pointer || bytes == 8 ? 8 : 4, &bits) < 0)
		return -1;
	if (conversion == 's') {
		memcpy(directive + at, "s", 2);
		return print_string(p, directive, bits);
	}
	if (!p->to)
		return 0;
	if (is_float) {
		directive[at++] = conversion;
		directive[at] = 0;
		memcpy(&d, &bits, sizeof d);
		fprintf(p->to, directive, d);
	} else if (conversion == 'c') {
		memcpy(directive + at, "c", 2);
		fprintf(p->to, directive, (int)bits);
	} else if (is_pointer) {
		memcpy(directive + at, "#llx", 5);
		fprintf(p->to, directive, (unsigned long long)bits);
	} else {
		memcpy(directive + at, "ll", 2);
		directive[at + 2] = conversion;
		directive[at + 3] = 0;
		fprintf(p->to, directive, (long long)integer(bits, bytes, conversion == 'd' || conversion == 'i'));
	}
	return 0;
}

/* The next character of the format; -1 after an error. */
static int next(struct print *p)
{
	const uint8_t *c = bytes_at(p, p->format++, 1, "format");

	return c ? *c : -1;
}

/* Behind a %. */
static int directive(struct print *p)
{
	char text[MAX_DIRECTIVE + 4] = "%";
	unsigned n = 1, longs = 0, shorts = 0;
	uint64_t width;

	for (;;) {
		int c = next(p);

		if (c < 0)
			return -1;
		if (c == '%' && n == 1)
			return p->to ? fputc('%', p->to), 0 : 0;
		if (c && strchr("diuxXocspfFeEgGaA", c)) {
			return convert(p, text, n, longs > 0 ? 8 : shorts == 1 ? 2 : shorts ? 1 : 4, (char)c);
		}
		if (c && strchr("lzjt", c)) {
			longs++;
		} else if (c == 'h') {
			shorts++;
		} else if (c == '*') {
			if (argument(p, 4, &width) < 0)
				return -1;
			n += (unsigned)snprintf(text + n, sizeof text - n, "%d", (int32_t)width);
		} else if (c && strchr("0123456789.+- #", c)) {
			text[n++] = (char)c;
		} else {
			return exec_fail(p->x, p->w, p->i, p->lane, "vprintf does not know the directive \"%s%c\"", text,
					 c >= ' ' && c < 127 ? c : '?');
		}
		if (n >= MAX_DIRECTIVE - 11)
			return exec_fail(p->x, p->w, p->i, p->lane, "vprintf: the directive \"%s\" is too long", text);
	}
}

static int print_lane(struct print *p)
{
	for (unsigned n = 0; n < MAX_FORMAT; n++) {
		int c = next(p);

		if (c <= 0)
			return c;
		if (c != '%' && p->to)
			fputc(c, p->to);
		if (c == '%' && directive(p) < 0)
			return -1;
	}
	return exec_fail(p->x, p->w, p->i, p->lane, "vprintf's format has no end in %d characters", MAX_FORMAT);
}

int exec_printf(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct print_op *op = &x->k->prints[i->aux];

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		struct print p = {.x = x, .w = w, .i = i, .lane = lane, .to = x->k->module->print_to};
		uint8_t *frame = x->frame + ((size_t)w->id * LANES + (unsigned)lane) * x->k->frame_bytes;

		memcpy(&p.format, frame + op->param[0], 8);
		memcpy(&p.args, frame + op->param[1], 8);
		if (print_lane(&p) < 0)
			return -1;
		memcpy(frame + op->result, &p.n_args, 4);
	}
	return 0;
}

int exec_assert(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct print_op *op = &x->k->prints[i->aux];
	int lane = __builtin_ctz(mask);
	struct print p = {.x = x, .w = w, .i = i, .lane = lane};
	const uint8_t *frame = x->frame + ((size_t)w->id * LANES + (unsigned)lane) * x->k->frame_bytes;
	uint64_t what, file, function;
	char text[3][128];
	uint32_t line;

	memcpy(&what, frame + op->param[0], 8);
	memcpy(&file, frame + op->param[1], 8);
	memcpy(&line, frame + op->param[2], 4);
	memcpy(&function, frame + op->param[3], 8);
	if (string_at(&p, what, text[0], sizeof text[0]) < 0 || string_at(&p, file, text[1], sizeof text[1]) < 0 ||
	    string_at(&p, function, text[2], sizeof text[2]) < 0)
		return -1;
	return exec_fail(x, w, i, lane, "assertion \"%s\" failed in %s, %s:%u", text[0], text[2], text[1], line);
}
