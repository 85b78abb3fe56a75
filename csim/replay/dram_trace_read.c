/* Reads the text of a DRAM trace: `0xADDR R|W [CYCLE] # comment`. */
#include <ctype.h>
#include <string.h>

#include "base/files/infile.h"
#include "base/files/lines.h"
#include "replay/dram_trace.h"

enum { SHOWN = 40 /* letters of a bad word */ };

struct reader {
	struct lines text;
	const char *p, *end; /* of the line */
	struct err *e;
};

struct word {
	const char *at;
	int n; /* letters; 0: the line has no more */
};

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static struct word next_word(struct reader *r)
{
	struct word w;

	while (r->p < r->end && is_blank(*r->p))
		r->p++;
	w.at = r->p;
	while (r->p < r->end && !is_blank(*r->p) && *r->p != '#')
		r->p++;
	w.n = r->p - w.at > SHOWN ? SHOWN + 1 : (int)(r->p - w.at);
	return w;
}

/* what: "address \"%.*s\"...", with the bad word in it. */
static int bad(const struct reader *r, const char *what, struct word w, const char *must)
{
	const char *more = w.n > SHOWN ? "..." : "";

	for (int i = 0; i < w.n; i++)
		if (!isprint((unsigned char)w.at[i]))
			return err_set(r->e, "%s:%lu: not text: a trace has lines such as `0x1f80 R 100`", r->text.name,
				       (unsigned long)r->text.number);
	return err_set(r->e, "%s:%lu: %s \"%.*s%s\": must be %s", r->text.name, (unsigned long)r->text.number, what,
		       w.n > SHOWN ? SHOWN : w.n, w.at, more, must);
}

/* 16: none. */
static unsigned hex_digit(char ch)
{
	unsigned c = (unsigned char)(ch | ' '); /* lower case; digits stay */

	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static int take_address(const struct reader *r, struct word w, uint64_t *addr)
{
	static const char must[] = "0x and up to 16 hexadecimal digits";
	unsigned digits = 0;

	*addr = 0;
	if (w.n < 3 || w.at[0] != '0' || (w.at[1] | ' ') != 'x' || w.n > SHOWN)
		return bad(r, "address", w, must);
	for (int i = 2; i < w.n; i++) {
		unsigned v = hex_digit(w.at[i]);

		digits += digits || v;
		if (v == 16 || digits > 16)
			return bad(r, "address", w, must);
		*addr = *addr << 4 | v;
	}
	return 0;
}

static int take_cycle(const struct reader *r, struct word w, uint64_t *cycle)
{
	static const char must[] = "a whole number up to 2^40";
	uint64_t v = 0;

	for (int i = 0; i < w.n; i++) {
		unsigned digit = (unsigned char)w.at[i] - (unsigned)'0';

		if (digit > 9 || (v = 10 * v + digit) > DRAM_TRACE_MAX_CYCLE)
			return bad(r, "cycle", w, must);
	}
	if (v < *cycle)
		return err_set(r->e, "%s:%lu: cycle %.*s is before that of the request before it, %lu", r->text.name,
			       (unsigned long)r->text.number, w.n, w.at, (unsigned long)*cycle);
	*cycle = v;
	return 0;
}

/* The line [r->p, r->end). */
static int take_line(struct reader *r, struct dram_trace *t, uint64_t *cycle)
{
	struct word addr = next_word(r), kind, when, more;
	uint64_t a;
	char c;

	if (!addr.n)
		return 0;
	if (take_address(r, addr, &a) != 0)
		return -1;
	kind = next_word(r);
	if (!kind.n)
		return err_set(r->e, "%s:%lu: no R or W after the address", r->text.name, (unsigned long)r->text.number);
	c = (char)(*kind.at & ~' ');
	if (kind.n != 1 || (c != 'R' && c != 'W'))
		return bad(r, "access", kind, "R or W");
	when = next_word(r);
	if (when.n && take_cycle(r, when, cycle) != 0)
		return -1;
	more = next_word(r);
	if (more.n)
		return bad(r, "after the cycle", more, "the end of the line, or # and a comment");
	if (t)
		dram_trace_push(t, r->text.number, a, c == 'W', *cycle);
	return 0;
}

int dram_trace_read(struct dram_trace *t, FILE *from, const char *name, struct err *e)
{
	struct reader r = {.e = e};
	const char *begin, *end;
	uint64_t cycle = 0;
	int result = 0, bad_line = 0;

	lines_open(&r.text, from, INFILE_MOST, name);
	while (!bad_line && (result = lines_more(&r.text, &begin, &end, e)) > 0)
		for (; begin < end && !bad_line; begin = r.end + 1, r.text.number++) {
			r.p = begin;
			r.end = rawmemchr(begin, '\n');
			bad_line = take_line(&r, t, &cycle);
		}
	lines_close(&r.text);
	return bad_line ? -1 : result;
}
