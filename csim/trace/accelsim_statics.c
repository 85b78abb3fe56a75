/* The static instructions of a kernel, as its lines show them.
 *
 * One differs from another by PC, opcode, registers and the memory it goes to. A PC that shows up with another opcode
 * or other registers (functions of several modules may share PCs) is a static instruction of its own, numbered behind
 * the first.
 */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"
#include "trace/accelsim_impl.h"

enum { MAX_STATICS = 1 << 20, MAX_NAMES = 65535, MAX_REGS = 336 };

struct key { /* no padding: hashed as bytes */
	uint64_t pc;
	uint16_t reg[ACCELSIM_MAX_REGS];
	uint16_t name;
	uint8_t op, space, width, flags;
	uint8_t ndst, nsrc;
};
struct item {
	struct key key;
	uint32_t seen, number;	    /* order of first appearance; dense number */
	uint32_t line, source_line; /* of the source, else of the trace; of the source, 0: not known */
	UT_hash_handle hh;
};
struct name {
	char text[ACCELSIM_MAX_OPCODE];
	uint16_t number;
	UT_hash_handle hh;
};
struct statics {
	struct item *items;
	struct name *names;
	uint32_t n;
	struct trace_inst *inst;
	struct trace_lines *lines;
	char **name_list;
};
_Static_assert(sizeof(struct key) == 40, "a key is hashed as bytes");

struct statics *statics_new(void)
{
	return xcalloc(1, sizeof(struct statics));
}

void statics_free(struct statics *s)
{
	struct item *i, *next_item;
	struct name *n, *next_name;

	if (!s)
		return;
	HASH_ITER (hh, s->items, i, next_item) {
		HASH_DEL(s->items, i);
		free(i);
	}
	HASH_ITER (hh, s->names, n, next_name) {
		HASH_DEL(s->names, n);
		free(n);
	}
	free(s->inst);
	trace_lines_free(s->lines);
	free(s->name_list);
	free(s);
}

static struct key key_of(const struct sass *i, unsigned space, uint16_t name)
{
	struct key k;

	memset(&k, 0, sizeof k);
	k.pc = i->pc;
	memcpy(k.reg, i->reg, (i->ndst + i->nsrc) * sizeof *k.reg);
	k.name = name;
	k.op = i->code.op;
	k.space = (uint8_t)space;
	k.width = i->width;
	k.flags = i->flags;
	k.ndst = i->ndst;
	k.nsrc = i->nsrc;
	return k;
}

int statics_add(struct statics *s, const struct text *t, const struct sass *i, unsigned space, struct err *e)
{
	struct name *n = NULL;
	struct item *found = NULL;
	struct key k;

	HASH_FIND_STR(s->names, i->name, n);
	if (!n) {
		if (HASH_COUNT(s->names) == MAX_NAMES)
			return text_error(t, e, "more than %d different opcodes", MAX_NAMES);
		n = xcalloc(1, sizeof *n);
		memcpy(n->text, i->name, strlen(i->name) + 1);
		n->number = (uint16_t)HASH_COUNT(s->names);
		HASH_ADD_STR(s->names, text, n);
	}
	k = key_of(i, space, n->number);
	HASH_FIND(hh, s->items, &k, sizeof k, found);
	if (found)
		return 0;
	if (s->n == MAX_STATICS)
		return text_error(t, e, "more than %d static instructions", MAX_STATICS);
	found = xcalloc(1, sizeof *found);
	found->key = k;
	found->seen = s->n++;
	found->source_line = i->source_line;
	found->line = i->source_line ? i->source_line : t->line;
	HASH_ADD(hh, s->items, key, sizeof found->key, found);
	return 0;
}

static int by_pc(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;

	if (x->key.pc != y->key.pc)
		return x->key.pc < y->key.pc ? -1 : 1;
	return x->seen < y->seen ? -1 : 1;
}

static uint32_t number_registers(struct item *const *list, uint32_t n, uint16_t number[MAX_REGS])
{
	uint16_t next = 0;

	memset(number, 0, MAX_REGS * sizeof *number);
	for (uint32_t i = 0; i < n; i++)
		for (unsigned r = 0; r < (unsigned)list[i]->key.ndst + list[i]->key.nsrc; r++)
			number[list[i]->key.reg[r]] = 1;
	for (unsigned r = 0; r < MAX_REGS; r++)
		if (number[r])
			number[r] = next++;
	return next;
}

void statics_number(struct statics *s, struct trace_kernel *k)
{
	struct item **list = xcalloc(s->n + 1, sizeof *list), *i;
	struct name *name;
	uint16_t number[MAX_REGS];
	uint32_t n = 0;

	for (i = s->items; i; i = i->hh.next)
		list[n++] = i;
	qsort(list, n, sizeof(struct item *), by_pc);
	k->n_regs = number_registers(list, n, number);
	k->n_inst = n;
	k->inst = s->inst = xcalloc(n + 1, sizeof *s->inst);
	k->lines = s->lines = trace_lines_new(n, 0);
	k->lines->is_sass = true;
	for (uint32_t j = 0; j < n; j++) {
		const struct key *key = &list[j]->key;

		list[j]->number = j;
		s->inst[j] = (struct trace_inst){.op = key->op,
						 .space = key->space,
						 .width = key->width,
						 .flags = key->flags,
						 .ndst = key->ndst,
						 .nsrc = key->nsrc,
						 .name = key->name,
						 .line = list[j]->line};
		k->lines->at[j] = (struct trace_place){.text = key->pc, .line = list[j]->source_line};
		for (unsigned r = 0; r < (unsigned)key->ndst + key->nsrc; r++)
			s->inst[j].reg[r] = number[key->reg[r]];
	}
	k->n_names = HASH_COUNT(s->names);
	k->names = s->name_list = xcalloc(k->n_names + 1, sizeof *k->names);
	for (name = s->names; name; name = name->hh.next)
		k->names[name->number] = name->text;
	free(list);
}

int64_t statics_find(const struct statics *s, const struct sass *i, unsigned space)
{
	struct item *found = NULL;
	struct name *n = NULL;
	struct key k;

	HASH_FIND_STR(s->names, i->name, n);
	if (!n)
		return -1;
	k = key_of(i, space, n->number);
	HASH_FIND(hh, s->items, &k, sizeof k, found);
	return found ? (int64_t)found->number : -1;
}
