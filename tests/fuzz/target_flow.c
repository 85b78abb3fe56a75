/* Control flow of any shape, in a kernel that the bytes spell: constant predicates, blocks that nothing leads to, empty
 * ones, loops onto themselves, loops with two entries, branches to the next instruction, tables of targets, functions
 * that call themselves, ends in the middle and none at the end.
 *
 * The kernel goes through the front end in the text's order and in an assembler's. What each of its threads does alone,
 * by the interpreter below, which knows nothing of warps, blocks or folding, is what both must leave in memory. A
 * kernel one of whose threads takes more than MOST_STEPS is not executed.
 *
 * Each byte decides one thing; behind the last one all decisions are 0. */
#include <stdarg.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "ptx/ptx.h"
#include "support/trace_sound.h"
#include "trace/folds.h"
#include "trace/trace_impl.h"

enum {
	BLOCKS = 12,
	OPS = 8, /* of a block */
	REGS = 8,
	PREDS = 4,
	WORDS = 4, /* of memory of each kind, a thread */
	THREADS = 40,
	BODIES = 2, /* the kernel and a function */
	MOST_STEPS = 3000,
	MOST_DEPTH = 6,
	TEXT = 65536
};

enum kind {
	MOV_NUMBER,
	MOV_TID,
	MOV,
	ADD_NUMBER,
	ADD,
	MAD,
	SHL,
	XOR,
	PRED_NUMBER,
	PRED_MOV,
	PRED_NOT,
	PRED_AND,
	SET_NUMBER,
	SET,
	SELECT,
	LOAD,
	STORE,
	CALL,
	BRANCH,
	TABLE,
	END, /* of the body */
	EXIT,
	KINDS
};

struct op {
	enum kind kind;
	unsigned d, a, b, c, number;
	int guard; /* -1: none */
	bool negated, shared;
	bool counts; /* a branch: it leads to the body's end once it was reached as often as its number says */
	unsigned target[3];
};

struct body {
	struct op op[BLOCKS][OPS];
	unsigned n_ops[BLOCKS], n_blocks;
	bool ends, shows; /* its text does, by an instruction; after it has stored its registers */
};

struct program {
	const uint8_t *data;
	size_t n, at;
	struct body body[BODIES];
	char text[TEXT];
	size_t length;
};

/* ---- the program of some bytes ---- */

static unsigned pick(struct program *p, unsigned below)
{
	return p->at < p->n ? p->data[p->at++] % below : 0;
}

static void make_op(struct program *p, const struct body *b, struct op *o, bool last)
{
	static const enum kind lasts[] = {TABLE, CALL, END, EXIT};
	unsigned how = pick(p, last ? 24 : 3 * KINDS);

	/* Transfers of control are rare except at a block's end. */
	*o = (struct op){.kind = (enum kind)(how < KINDS ? how : how % BRANCH)};
	if (last)
		o->kind = how < 4 ? lasts[how] : BRANCH;
	o->d = pick(p, REGS);
	o->a = pick(p, REGS);
	o->b = pick(p, REGS);
	o->c = pick(p, PREDS);
	o->number = pick(p, 256);
	o->guard = (int)pick(p, 2 * PREDS) - PREDS;
	o->guard = o->guard < 0 ? -1 : o->guard;
	o->negated = pick(p, 2);
	o->shared = pick(p, 2);
	o->counts = o->kind == BRANCH && pick(p, 8);
	for (unsigned k = 0; k < 3; k++)
		o->target[k] = pick(p, b->n_blocks + 1);
	/* These are several instructions. */
	if (o->kind == END || o->kind == CALL)
		o->guard = -1;
}

static void make_body(struct program *p, struct body *b)
{
	b->n_blocks = 1 + pick(p, BLOCKS);
	for (unsigned i = 0; i < b->n_blocks; i++) {
		b->n_ops[i] = pick(p, OPS + 1);
		for (unsigned k = 0; k < b->n_ops[i]; k++)
			make_op(p, b, &b->op[i][k], k + 1 == b->n_ops[i]);
	}
	b->ends = pick(p, 2);
	b->shows = pick(p, 4);
}

/* ---- its text ---- */

__attribute__((format(printf, 2, 3))) static void add(struct program *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	p->length += (size_t)vsnprintf(p->text + p->length, sizeof p->text - p->length, fmt, ap);
	va_end(ap);
	REQUIRE(p->length < sizeof p->text);
}

static const char *const order_name[] = {"eq", "ne", "lt", "ge"};

static void print_end(struct program *p, unsigned body)
{
	if (body)
		add(p, "st.param.b32 [result], %%r0;\n");
	add(p, "ret;\n");
}

static void print_op(struct program *p, unsigned body, const struct op *o, unsigned serial)
{
	const char *letter = body ? "F" : "B";
	unsigned word = o->number % WORDS;

	if (o->kind == TABLE) {
		add(p, "T%s%u: .branchtargets %s%u, %s%u, %s%u;\n", letter, serial, letter, o->target[0], letter, o->target[1],
		    letter, o->target[2]);
	}
	if (o->counts)
		add(p, "add.u32 %%n%u, %%n%u, 1;\nsetp.gt.u32 %%q, %%n%u, %u;\n@%%q bra %s%u;\n", serial, serial, serial,
		    o->number % 8, letter, p->body[body].n_blocks);
	if (o->guard >= 0)
		add(p, "@%s%%p%d ", o->negated ? "!" : "", o->guard);
	switch (o->kind) {
	case MOV_NUMBER:
		add(p, "mov.u32 %%r%u, %u;\n", o->d, o->number % 4);
		break;
	case MOV_TID:
		add(p, "mov.u32 %%r%u, %%tid.x;\n", o->d);
		break;
	case MOV:
		add(p, "mov.u32 %%r%u, %%r%u;\n", o->d, o->a);
		break;
	case ADD_NUMBER:
		add(p, "add.u32 %%r%u, %%r%u, %u;\n", o->d, o->a, o->number);
		break;
	case ADD:
		add(p, "add.s32 %%r%u, %%r%u, %%r%u;\n", o->d, o->a, o->b);
		break;
	case MAD:
		add(p, "mad.lo.u32 %%r%u, %%r%u, %u, %%r%u;\n", o->d, o->a, o->number, o->b);
		break;
	case SHL:
		add(p, "shl.b32 %%r%u, %%r%u, %u;\n", o->d, o->a, o->number % 32);
		break;
	case XOR:
		add(p, "xor.b32 %%r%u, %%r%u, %%r%u;\n", o->d, o->a, o->b);
		break;
	case PRED_NUMBER:
		add(p, "mov.pred %%p%u, %u;\n", o->c, o->number % 2);
		break;
	case PRED_MOV:
		add(p, "mov.pred %%p%u, %%p%u;\n", o->c, o->a % PREDS);
		break;
	case PRED_NOT:
		add(p, "not.pred %%p%u, %%p%u;\n", o->c, o->a % PREDS);
		break;
	case PRED_AND:
		add(p, "and.pred %%p%u, %%p%u, %%p%u;\n", o->c, o->a % PREDS, o->b % PREDS);
		break;
	case SET_NUMBER:
		add(p, "setp.%s.u32 %%p%u, %%r%u, %u;\n", order_name[o->number % 4], o->c, o->a, o->number / 4);
		break;
	case SET:
		add(p, "setp.%s.u32 %%p%u, %%r%u, %%r%u;\n", order_name[o->number % 4], o->c, o->a, o->b);
		break;
	case SELECT:
		add(p, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", o->d, o->a, o->b, o->c);
		break;
	case LOAD:
		if (o->shared)
			add(p, "ld.shared.u32 %%r%u, [%%s+%u];\n", o->d, 4 * word);
		else
			add(p, "ld.global.u32 %%r%u, [%%g+%u];\n", o->d, 4 * word);
		break;
	case STORE:
		if (o->shared)
			add(p, "st.shared.u32 [%%s+%u], %%r%u;\n", 4 * word, o->a);
		else
			add(p, "st.global.u32 [%%g+%u], %%r%u;\n", 4 * word, o->a);
		break;
	case CALL:
		add(p,
		    "{\n.param .b32 x; .param .b64 y; .param .b32 z; .param .b32 back;\nst.param.b32 [x], %%r%u;\n"
		    "st.param.b64 [y], %%g;\nst.param.b32 [z], %%s;\n"
		    "call (back), f, (x, y, z);\nld.param.b32 %%r%u, [back];\n}\n",
		    o->a, o->d);
		break;
	case BRANCH:
		add(p, "bra %s%u;\n", letter, o->target[0]);
		break;
	case TABLE:
		add(p, "brx.idx %%r%u, T%s%u;\n", o->a, letter, serial);
		break;
	case END:
		print_end(p, body);
		break;
	case EXIT:
	default:
		add(p, "exit;\n");
		break;
	}
}

static void print_body(struct program *p, unsigned body)
{
	const struct body *b = &p->body[body];
	const char *letter = body ? "F" : "B";

	add(p, "{\n.reg .pred %%p<%d>, %%q;\n.reg .b32 %%r<%d>, %%n<%d>, %%s, %%t;\n.reg .b64 %%g, %%h;\n", PREDS, REGS,
	    BLOCKS * OPS);
	/* Registers of a function are those of its last call until they are written. */
	for (unsigned i = 0; body && i < BLOCKS * OPS; i++)
		add(p, "mov.u32 %%n%u, 0;\n", i);
	for (unsigned i = 0; body && i < REGS; i++)
		add(p, "mov.u32 %%r%u, 0;\n", i);
	for (unsigned i = 0; body && i < PREDS; i++)
		add(p, "mov.pred %%p%u, 0;\n", i);
	if (body)
		add(p, "ld.param.b32 %%r0, [x];\nld.param.b64 %%g, [y];\nld.param.b32 %%s, [z];\n");
	else
		add(p,
		    "ld.param.u64 %%h, [out];\nmov.u32 %%t, %%tid.x;\nmul.wide.u32 %%g, %%t, %u;\nadd.s64 %%g, %%h, %%g;\n"
		    "mov.u32 %%s, area;\nmad.lo.u32 %%s, %%t, %u, %%s;\n",
		    4 * WORDS, 4 * WORDS);
	for (unsigned i = 0; i < b->n_blocks; i++) {
		add(p, "%s%u:\n", letter, i);
		for (unsigned k = 0; k < b->n_ops[i]; k++)
			print_op(p, body, &b->op[i][k], i * OPS + k);
	}
	add(p, "%s%u:\n", letter, b->n_blocks);
	for (unsigned w = 0; b->shows && w < WORDS; w++)
		add(p, "st.global.u32 [%%g+%u], %%r%u;\n", 4 * w, w);
	if (body || b->ends)
		print_end(p, body);
	add(p, "}\n");
}

static void print(struct program *p)
{
	add(p, ".version 7.8\n.target sm_80\n.address_size 64\n"
	       ".func (.param .b32 result) f(.param .b32 x, .param .b64 y, .param .b32 z)\n");
	print_body(p, 1);
	add(p, ".visible .entry k(.param .u64 out)\n{\n.shared .align 16 .b8 area[%u];\n", 4 * WORDS * THREADS);
	print_body(p, 0);
	add(p, "}\n");
}

/* ---- what one thread does ---- */

struct thread {
	const struct program *p;
	uint32_t tid, global[WORDS], shared[WORDS];
	unsigned steps;
	bool over; /* it has ended */
};

static bool too_long(const struct thread *t)
{
	return t->steps > MOST_STEPS;
}

static bool compare(unsigned how, uint32_t a, uint32_t b)
{
	return how == 0 ? a == b : how == 1 ? a != b : how == 2 ? a < b : a >= b;
}

static uint32_t call(struct thread *t, unsigned body, uint32_t x, unsigned depth)
{
	const struct body *b = &t->p->body[body];
	uint32_t r[REGS] = {x}, times[BLOCKS * OPS] = {0};
	bool q[PREDS] = {false}, leaves = false;

	if (depth > MOST_DEPTH)
		t->steps = MOST_STEPS + 1;
	for (unsigned i = 0, k = 0; i < b->n_blocks && !t->over && !too_long(t);) {
		const struct op *o = &b->op[i][k];
		unsigned word = o->number % WORDS;

		t->steps++;
		if (k == b->n_ops[i]) {
			i++;
			k = 0;
			continue;
		}
		k++;
		if (o->counts && ++times[i * OPS + k - 1] > o->number % 8) {
			i = b->n_blocks;
			k = 0;
			continue;
		}
		if (o->guard >= 0 && q[o->guard] == o->negated)
			continue;
		switch (o->kind) {
		case MOV_NUMBER:
			r[o->d] = o->number % 4;
			break;
		case MOV_TID:
			r[o->d] = t->tid;
			break;
		case MOV:
			r[o->d] = r[o->a];
			break;
		case ADD_NUMBER:
			r[o->d] = r[o->a] + o->number;
			break;
		case ADD:
			r[o->d] = r[o->a] + r[o->b];
			break;
		case MAD:
			r[o->d] = r[o->a] * o->number + r[o->b];
			break;
		case SHL:
			r[o->d] = r[o->a] << o->number % 32;
			break;
		case XOR:
			r[o->d] = r[o->a] ^ r[o->b];
			break;
		case PRED_NUMBER:
			q[o->c] = o->number % 2;
			break;
		case PRED_MOV:
			q[o->c] = q[o->a % PREDS];
			break;
		case PRED_NOT:
			q[o->c] = !q[o->a % PREDS];
			break;
		case PRED_AND:
			q[o->c] = q[o->a % PREDS] && q[o->b % PREDS];
			break;
		case SET_NUMBER:
			q[o->c] = compare(o->number % 4, r[o->a], o->number / 4);
			break;
		case SET:
			q[o->c] = compare(o->number % 4, r[o->a], r[o->b]);
			break;
		case SELECT:
			r[o->d] = q[o->c] ? r[o->a] : r[o->b];
			break;
		case LOAD:
			r[o->d] = o->shared ? t->shared[word] : t->global[word];
			break;
		case STORE:
			(o->shared ? t->shared : t->global)[word] = r[o->a];
			break;
		case CALL:
			r[o->d] = call(t, 1, r[o->a], depth + 1);
			break;
		case BRANCH:
			i = o->target[0];
			k = 0;
			break;
		case TABLE:
			i = o->target[r[o->a] < 2 ? r[o->a] : 2];
			k = 0;
			break;
		case END:
			leaves = true;
			i = b->n_blocks;
			break;
		case EXIT:
		default:
			t->over = true;
			break;
		}
	}
	for (unsigned w = 0; b->shows && !t->over && !leaves && w < WORDS; w++)
		t->global[w] = r[w];
	return r[0];
}

/* ---- the front end and the executor ---- */

static bool is_copy(const struct trace_kernel *k, const struct trace_inst *t)
{
	return !strncmp(k->names[t->name], "mov.", 4) && t->nsrc == 1;
}

/* Copies do not count: a register that only copies write may be a copy of itself, which has no value. */
static bool lost_its_value(const struct trace_kernel *k, uint32_t reg)
{
	bool in_text = false, in_view = false;

	for (uint32_t i = 0; i < k->n_inst; i++) {
		for (uint32_t d = 0; d < k->inst[i].ndst; d++)
			in_text |= k->inst[i].reg[d] == reg && !is_copy(k, &k->inst[i]);
		for (uint32_t d = 0; d < k->folds[i].ndst && !trace_is_folded(&k->folds[i]); d++)
			in_view |= k->folds[i].reg[d] == reg;
	}
	return in_text && !in_view;
}

/* What an assembler leaves of the kernel reads no register, guards apart, that only folded instructions write. */
static void check_view(const struct trace_kernel *k)
{
	REQUIRE(!trace_check_kernel(k));
	for (uint32_t i = 0; i < k->n_inst; i++) {
		const struct trace_inst *t = &k->folds[i];
		uint32_t end = (uint32_t)t->ndst + t->nsrc - (t->flags & TRACE_PREDICATED ? 1 : 0);

		for (uint32_t s = t->ndst; s < end && !trace_is_folded(t); s++)
			REQUIRE(!lost_its_value(k, t->reg[s]));
	}
}

static void check_trace(struct trace *t)
{
	struct trace_cta c = {0};
	struct err e = {""};

	REQUIRE(trace_read_cta(t, 0, 0, &c, &e) == 0);
	REQUIRE(!trace_unsound(t, 0, &c));
	trace_cta_free(&c);
}

static void run(const struct ptx_module *m, const struct ptx_kernel *k, struct memory *mem, struct err *e)
{
	struct trace_options o = {.name = "flow"};
	struct trace_writer *w = trace_writer_new(&o, e);
	struct ptx_launch l = {{1, 1, 1}, {THREADS, 1, 1}, 0, &mem->buffer[0].base};
	struct trace *t;

	REQUIRE(w && m);
	REQUIRE(trace_add_buffer(w, mem->buffer[0].name, mem->buffer[0].base, mem->buffer[0].size, e) == 0);
	if (ptx_run(k, &l, mem, w, trace_add_kernel(w, ptx_trace_kernel(k)), e) < 0)
		fuzz_broken(__FILE__, __LINE__, e->text);
	t = trace_writer_finish(w, e);
	REQUIRE(t);
	check_trace(t);
	trace_close(t);
}

static void try_order(const struct program *p, enum ptx_order order, const uint32_t *want)
{
	struct memory mem = {0};
	struct err e = {""};
	struct ptx_module *m = ptx_parse_in(order, p->text, p->length, "flow.ptx", &e);
	const struct ptx_kernel *k;

	if (!m)
		fuzz_broken(__FILE__, __LINE__, e.text);
	k = ptx_kernel_named(m, "k");
	REQUIRE(k && ptx_print(m, fuzz_sink()) == 0);
	ptx_print_counts(m, fuzz_sink());
	check_view(ptx_trace_kernel(k));
	REQUIRE(memory_add(&mem, "out", (uint64_t)4 * WORDS * THREADS, &e) >= 0 && ptx_bind(m, &mem, &e) == 0);
	if (want) {
		run(m, k, &mem, &e);
		REQUIRE(memcmp(mem.buffer[0].bytes, want, 4 * (size_t)WORDS * THREADS) == 0);
	}
	memory_free(&mem);
	ptx_close(m);
}

void fuzz_flow(const uint8_t *data, size_t n)
{
	struct program p = {.data = data, .n = n};
	uint32_t want[THREADS][WORDS];
	bool ends = true;

	for (unsigned b = 0; b < BODIES; b++)
		make_body(&p, &p.body[b]);
	print(&p);
	for (uint32_t i = 0; i < THREADS && ends; i++) {
		struct thread t = {.p = &p, .tid = i};

		call(&t, 0, 0, 0);
		ends = !too_long(&t);
		memcpy(want[i], t.global, sizeof want[i]);
	}
	try_order(&p, PTX_TEXT_ORDER, ends ? &want[0][0] : NULL);
	try_order(&p, PTX_ASSEMBLER_ORDER, ends ? &want[0][0] : NULL);
}
