/* Reads the text of a Dinero trace. */
#include <ctype.h>
#include <string.h>

#include "base/files/infile.h"
#include "base/files/lines.h"
#include "replay/dinero.h"

enum { BAD = 16 };

struct reader {
	struct dinero_cache *c;
	struct lines text;
	uint8_t hex[256]; /* value of a digit; BAD: none */
};

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

/* What is wrong with the line [p, end), as the fast path below did not take it. 0: nothing, it is empty. */
static int complain(const struct reader *r, const char *p, const char *end, struct err *e)
{
	unsigned long line = (unsigned long)r->text.number;
	const char *start;
	int n;

	while (p < end && is_blank(*p))
		p++;
	if (p == end)
		return 0;
	for (start = p; p < end && !is_blank(*p);)
		p++;
	n = p - start > 20 ? 20 : (int)(p - start);
	for (int i = 0; i < n; i++)
		if (!isprint((unsigned char)start[i]))
			return err_set(e, "%s:%lu: not text: a trace has lines such as `0 1f00`", r->text.name, line);
	if (n != 1 || *start < '0' || *start > '2')
		return err_set(e, "%s:%lu: access kind \"%.*s\": must be 0 (read), 1 (write) or 2 (fetch)", r->text.name, line, n,
			       start);
	while (p < end && is_blank(*p))
		p++;
	if (p == end)
		return err_set(e, "%s:%lu: no address after the access kind", r->text.name, line);
	for (start = p; p < end && !is_blank(*p);)
		p++;
	n = p - start > 40 ? 40 : (int)(p - start);
	for (int i = 0; i < n; i++)
		if (!isprint((unsigned char)start[i]))
			return err_set(e, "%s:%lu: the address is not text", r->text.name, line);
	return err_set(e, "%s:%lu: address \"%.*s\": must be hexadecimal, of at most 64 bits", r->text.name, line, n, start);
}

/* The line that starts at p and ends at a newline. Returns what follows the newline; NULL on an error. */
static inline const char *take_line(struct reader *r, const char *p, struct err *e)
{
	const char *line = p, *digits;
	unsigned kind, digit;
	uint64_t addr = 0;

	while (is_blank(*p))
		p++;
	kind = (unsigned)(*p - '0');
	if (kind >= DIN_KINDS || !is_blank(p[1]))
		goto slow;
	for (p += 2; is_blank(*p);)
		p++;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	while (p[0] == '0' && p[1] == '0')
		p++;
	for (digits = p; (digit = r->hex[(unsigned char)*p]) != BAD; p++)
		addr = addr << 4 | digit;
	if (p == digits || p - digits > 16 || !(is_blank(*p) || *p == '\n'))
		goto slow;
	dinero_access(r->c, (enum dinero_kind)kind, addr);
	r->text.number++;
	return *p == '\n' ? p + 1 : (const char *)rawmemchr(p, '\n') + 1;
slow:
	p = rawmemchr(line, '\n');
	if (complain(r, line, p, e) != 0)
		return NULL;
	r->text.number++;
	return p + 1;
}

int dinero_replay(struct dinero_cache *c, FILE *from, const char *name, struct err *e)
{
	struct reader r = {.c = c};
	const char *p, *end;
	int result;

	memset(r.hex, BAD, sizeof r.hex);
	for (unsigned i = 0; i < 16; i++)
		r.hex[(unsigned char)"0123456789abcdef"[i]] = r.hex[(unsigned char)"0123456789ABCDEF"[i]] = (uint8_t)i;
	lines_open(&r.text, from, INFILE_MOST, name);
	while ((result = lines_more(&r.text, &p, &end, e)) > 0)
		while (p < end)
			if (!(p = take_line(&r, p, e))) {
				result = -1;
				goto out;
			}
out:
	lines_close(&r.text);
	return result;
}
