#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/parse/parse.h"

void scope_push(struct parser *p)
{
	struct scope *s = arena_alloc(p->arena, sizeof *s);

	s->up = p->scope;
	s->next_made = p->made;
	p->scope = p->made = s;
}

void scope_pop(struct parser *p)
{
	p->scope = p->scope->up;
}

void scopes_free(struct parser *p)
{
	for (struct scope *s = p->made; s; s = s->next_made)
		HASH_CLEAR(hh, s->names);
}

int name_add(struct parser *p, const char *key, struct name n)
{
	struct name *old, *made;

	HASH_FIND_STR(p->scope->names, key, old);
	if (old)
		return -1;
	made = arena_alloc(p->arena, sizeof *made);
	*made = n;
	made->key = key;
	HASH_ADD_KEYPTR(hh, p->scope->names, made->key, strlen(made->key), made);
	return 0;
}

/* "%r12": the range named "%r<" and the number 12, which it has, or, if so asked, is beyond it. A number does not begin
 * with 0 unless it is 0. */
static const struct name *range_find(const struct scope *s, const char *key, bool beyond, uint32_t *index)
{
	size_t n = strlen(key), digits = 0;
	const struct name *found;
	char prefix[256];
	unsigned long number;

	while (digits < n && key[n - 1 - digits] >= '0' && key[n - 1 - digits] <= '9')
		digits++;
	/* A prefix may end in digits itself ("%rd1<3>"), so each split is tried, the longest prefix first. */
	for (size_t k = 1; k <= digits && k <= 9; k++) {
		size_t len = n - k;

		if ((k > 1 && key[len] == '0') || len + 2 > sizeof prefix)
			continue;
		memcpy(prefix, key, len);
		prefix[len] = '<';
		prefix[len + 1] = 0;
		HASH_FIND_STR(s->names, prefix, found);
		number = strtoul(key + len, NULL, 10);
		if (found && (number >= found->count) == beyond) {
			*index = found->first + (uint32_t)number;
			return found;
		}
	}
	return NULL;
}

const struct name *name_find(const struct scope *s, const char *key, uint32_t *index)
{
	const struct name *found;

	for (; s; s = s->up) {
		HASH_FIND_STR(s->names, key, found);
		if (found) {
			*index = found->first;
			return found;
		}
		found = range_find(s, key, false, index);
		if (found)
			return found;
	}
	return NULL;
}

bool name_beyond_range(const struct scope *s, const char *key)
{
	uint32_t index;

	for (; s; s = s->up)
		if (range_find(s, key, true, &index))
			return true;
	return false;
}

char *parse_text(struct parser *p)
{
	return arena_printf(p->arena, "%.*s", (int)p->lex.tok.len, p->lex.tok.at);
}

bool parse_is(const struct parser *p, const char *s)
{
	return token_is(&p->lex.tok, s);
}

bool parse_accept(struct parser *p, const char *s, int *failed)
{
	if (!parse_is(p, s))
		return false;
	if (lex_next(&p->lex) < 0)
		*failed = -1;
	return true;
}

int parse_expect(struct parser *p, const char *s)
{
	char what[64];

	if (parse_is(p, s))
		return lex_next(&p->lex);
	snprintf(what, sizeof what, "expected \"%s\"", s);
	return lex_fail(&p->lex, what);
}

int parse_skip_to_semicolon(struct parser *p)
{
	while (!parse_is(p, ";")) {
		if (p->lex.tok.kind == TOK_END)
			return lex_fail(&p->lex, "expected \";\"");
		TRY(lex_next(&p->lex));
	}
	return lex_next(&p->lex);
}
