#include "ptx/exec/findings.h"

#include <string.h>
#include <uthash.h>

#include "ptx/lower/insn.h"

struct key {
	const struct ptx_kernel *k;
	uint32_t first, second, kind, space; /* of a pair the one that stands first: either may come first */
};

struct finding_entry {
	struct key key;
	struct finding finding;
	UT_hash_handle hh;
};

void findings_free(struct findings *f)
{
	HASH_CLEAR(hh, f->entry);
	arena_free(&f->arena);
}

uint32_t findings_count(const struct findings *f)
{
	return HASH_COUNT(f->entry);
}

const struct finding *findings_next(const struct findings *f, const struct finding *after)
{
	const struct finding_entry *e = f->entry;

	if (after) {
		e = (const struct finding_entry *)(const void *)((const char *)after - offsetof(struct finding_entry, finding));
		e = e->hh.next;
	}
	return e ? &e->finding : NULL;
}

static struct finding_access access_at(struct findings *f, const struct ptx_kernel *k, struct finding_at at)
{
	const struct trace_inst *t = &k->trace.inst[at.pc];
	const struct trace_lines *lines = k->trace.lines;
	struct finding_access a = {.opcode = arena_strdup(&f->arena, k->trace.names[t->name]),
				   .ptx = arena_strdup(&f->arena, k->module->name),
				   .ptx_line = lines ? (uint32_t)lines->at[at.pc].text : t->line,
				   .thread = at.thread};

	if (lines && lines->at[at.pc].file && lines->at[at.pc].line) {
		a.source = arena_strdup(&f->arena, lines->file[lines->at[at.pc].file - 1]);
		a.line = lines->at[at.pc].line;
	}
	return a;
}

void findings_add(struct findings *f, const struct ptx_kernel *k, const struct finding *where, struct finding_at first,
		  struct finding_at second)
{
	struct finding_entry *e;
	struct key key;

	memset(&key, 0, sizeof key); /* it is hashed, with what is between its members */
	key.k = k;
	key.first = where->kind >= FINDING_UNWRITTEN ? 0 : first.pc < second.pc ? first.pc : second.pc;
	key.second = where->kind >= FINDING_UNWRITTEN || first.pc < second.pc ? second.pc : first.pc;
	key.kind = where->kind;
	key.space = where->space;
	HASH_FIND(hh, f->entry, &key, sizeof key, e);
	if (!e && findings_count(f) == FINDINGS_MOST) {
		f->left_out++;
		return;
	}
	if (!e) {
		e = arena_alloc(&f->arena, sizeof *e);
		e->key = key;
		e->finding = *where;
		e->finding.kernel = arena_strdup(&f->arena, k->func->name);
		e->finding.second = access_at(f, k, second);
		if (where->kind < FINDING_UNWRITTEN)
			e->finding.first = access_at(f, k, first);
		HASH_ADD(hh, f->entry, key, sizeof e->key, e);
	}
	e->finding.times++;
}
