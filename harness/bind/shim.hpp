// The C ABI of one Verilated block (abi.h).  The generated file includes the model's headers, defines the lists below
// from the block's ports, and then includes this file:
//
//   SHIM_LANES, SHIM_CLOCKED, SHIM_IN_WORDS, SHIM_OUT_WORDS, SHIM_REG_WORDS
//   SHIM_REGS_N, SHIM_SAME_STATE, SHIM_REG_MASK, SHIM_ALONE        which registers are on both sides (abi.h)
//   SHIM_STATES                        names of their values (abi.h)
//   SHIM_INPUTS(F), SHIM_OUTPUTS(F)    F(port, word)               the block's ports
//   SHIM_REGS(F)                       F(member of the root, word, bits of an element)   its registers
//   SHIM_MEMBERS(F)                    F(member of the root, word, lowest bit, bits)   members of packed structs
//   SHIM_GOLDEN_OUTPUTS(F), SHIM_GOLDEN_REGS(F)                    ports of the wrapper for the golden values
//   SHIM_EXTRA(F)                      F(port)                     inputs that the golden twin does not have
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bind/print.hpp"

#include "verilated.h"
#include "verilated_fst_c.h"

extern "C" {
#include "bind/abi.h"
}

// The model's generated function that settles all combinational logic; Verilator calls it in the first eval.
void Vcosim___024root___eval_settle(Vcosim___024root *root);

// Of the instances the first one prints what initial and final blocks print.
static thread_local bool quiet;
static std::atomic<unsigned> created, destroyed;

int locus_print(const char *format, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	if (n < 0)
		return n;
	for (char *c = text; *c; c++)
		if ((*c < ' ' && *c != '\n' && *c != '\t') || *c > '~')
			*c = '?';
	if (!quiet)
		fputs(text, stderr);
	free(text);
	return n;
}

// A context that says what its assertions do.
struct watched_context : VerilatedContext {
	bind_assertions own = {}, *to = &own;
	unsigned row = 0; // of a bulk evaluation

	uint64_t cycle() const
	{
		return to->cycle ? to->cycle[row] : 0;
	}
};

// $stop and $finish in a user's RTL end nothing. A failed assertion is printed by Verilator and comes here; after some
// of them they are off. A model that cannot go on ends the program.
void vl_finish(const char *, int, const char *) VL_MT_UNSAFE {}
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE
{
	watched_context *context = static_cast<watched_context *>(Verilated::threadContextp());
	bind_assertions *to = context->to;

	if (!to->failed++) {
		to->first_cycle = context->cycle();
		to->first_file = file;
		to->first_line = line;
	}
	if (to->failed >= BIND_ASSERTIONS_MAX)
		context->assertOn(false);
}
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
	fprintf(stderr, "locus: %s:%d: the Verilated model cannot go on: %s\n", file, line, message);
	exit(2);
}

namespace
{

struct model {
	watched_context context;
	Vcosim *top;
	VerilatedFstC *fst;
};

// Assertions are off while registers hold what nothing has set.
struct silence {
	VerilatedContext &context;
	bool was;

	explicit silence(void *m) : context(static_cast<model *>(m)->context), was(context.assertOn())
	{
		context.assertOn(false);
	}
	~silence()
	{
		context.assertOn(was);
	}
};

Vcosim *top_of(void *m)
{
	return static_cast<model *>(m)->top;
}

// Words to port and back. Plain ports are unsigned integers; wide ones are arrays of 32-bit words, low word first.
template <class T> void put(T &port, const uint64_t *words)
{
	port = static_cast<T>(*words);
}
template <std::size_t N> void put(VlWide<N> &port, const uint64_t *words)
{
	memcpy(&port[0], words, N * sizeof(EData));
}
template <class T> void get(const T &port, uint64_t *words)
{
	*words = port;
}
template <std::size_t N> void get(const VlWide<N> &port, uint64_t *words)
{
	words[(N - 1) / 2] = 0;
	memcpy(words, port.data(), N * sizeof(EData));
}

// A register is like a port, but may also be memories (unpacked arrays): elements of `width` bits, element 0 lowest.
template <class T> void get_reg(const T &reg, uint64_t *words, unsigned)
{
	get(reg, words);
}
template <class T> void put_reg(T &reg, const uint64_t *words, unsigned)
{
	put(reg, words);
}
template <class T, std::size_t N> void get_reg(const VlUnpacked<T, N> &reg, uint64_t *words, unsigned width)
{
	memset(words, 0, (N * width + 63) / 64 * 8);
	for (std::size_t i = 0; i < N; i++) {
		const uint64_t value = reg[i];
		const std::size_t at = i * width;

		words[at / 64] |= value << (at % 64);
		if (at % 64 + width > 64)
			words[at / 64 + 1] |= value >> (64 - at % 64);
	}
}
template <class T, std::size_t N> void put_reg(VlUnpacked<T, N> &reg, const uint64_t *words, unsigned width)
{
	for (std::size_t i = 0; i < N; i++) {
		const std::size_t at = i * width;
		uint64_t value = words[at / 64] >> (at % 64);

		if (at % 64 + width > 64)
			value |= words[at / 64 + 1] << (64 - at % 64);
		reg[i] = static_cast<T>(width < 64 ? value & ((uint64_t(1) << width) - 1) : value);
	}
}

// Bits of a packed struct.
template <class T> void get_member(const T &whole, uint64_t *words, unsigned low, unsigned bits)
{
	uint64_t all[(sizeof(T) + 7) / 8] = {0};

	get(whole, all);
	memset(words, 0, (bits + 63) / 64 * 8);
	for (unsigned i = 0; i < bits; i++)
		words[i / 64] |= (all[(low + i) / 64] >> ((low + i) % 64) & 1) << (i % 64);
}
template <class T> void put_member(T &whole, const uint64_t *words, unsigned low, unsigned bits)
{
	uint64_t all[(sizeof(T) + 7) / 8] = {0};

	get(whole, all);
	for (unsigned i = 0; i < bits; i++) {
		all[(low + i) / 64] &= ~(uint64_t(1) << ((low + i) % 64));
		all[(low + i) / 64] |= (words[i / 64] >> (i % 64) & 1) << ((low + i) % 64);
	}
	put(whole, all);
}

void drive(Vcosim *top, const uint64_t *in)
{
#if SHIM_LANES == 1
#define F(port, word) put(top->port, in + (word));
	SHIM_INPUTS(F)
#undef F
#endif
	(void)top;
	(void)in;
}

void sample(Vcosim *top, uint64_t *out)
{
#if SHIM_LANES == 1
#define F(port, word) get(top->port, out + (word));
	SHIM_OUTPUTS(F)
#undef F
#endif
	(void)top;
	(void)out;
}

void get_regs(void *m, uint64_t *reg)
{
	Vcosim___024root *root = top_of(m)->rootp;
#define F(member, word, width) get_reg(root->member, reg + (word), width);
	SHIM_REGS(F)
#undef F
#define F(member, word, low, bits) get_member(root->member, reg + (word), low, bits);
	SHIM_MEMBERS(F)
#undef F
	(void)root;
	(void)reg;
}

void set_regs(void *m, const uint64_t *reg)
{
	Vcosim *top = top_of(m);
	Vcosim___024root *root = top->rootp;
#if SHIM_CLOCKED
	top->clk_i = 0;
#endif
	top->eval(); // what an initial block sets, it sets now and not later
#define F(member, word, width) put_reg(root->member, reg + (word), width);
	SHIM_REGS(F)
#undef F
#define F(member, word, low, bits) put_member(root->member, reg + (word), low, bits);
	SHIM_MEMBERS(F)
#undef F
	(void)reg;
	Vcosim___024root___eval_settle(root);
}

void eval(void *mm, const uint64_t *in, uint64_t *out)
{
	model *m = static_cast<model *>(mm);

	Verilated::threadContextp(&m->context); // a failed assertion finds it there, and prints the time
	m->context.time(m->context.cycle());
	drive(m->top, in);
#if SHIM_CLOCKED
	m->top->clk_i = 0;
#endif
	m->top->eval();
	sample(m->top, out);
}

void edge(void *mm, uint64_t *reg)
{
	model *m = static_cast<model *>(mm);

	Verilated::threadContextp(&m->context);
#if SHIM_CLOCKED
	m->top->clk_i = 1;
#endif
	m->top->eval();
	if (reg)
		get_regs(mm, reg);
}

void bulk(void *mm, unsigned n, const uint64_t *in, uint64_t *out)
{
	model *m = static_cast<model *>(mm);
	Vcosim *top = m->top;

	Verilated::threadContextp(&m->context);
#if SHIM_LANES == 1
	for (unsigned k = 0; k < n; k++) {
		m->context.row = k;
		m->context.time(m->context.cycle());
		drive(top, in + k * SHIM_IN_WORDS);
		top->eval();
		sample(top, out + k * SHIM_OUT_WORDS);
	}
	m->context.row = 0;
#else
	for (unsigned k = 0; k < n; k++) {
#define F(port, word) put(top->port[k], in + k * SHIM_IN_WORDS + (word));
		SHIM_INPUTS(F)
#undef F
	}
	top->eval();
	for (unsigned k = 0; k < n; k++) {
#define F(port, word) get(top->port[k], out + k * SHIM_OUT_WORDS + (word));
		SHIM_OUTPUTS(F)
#undef F
	}
#endif
}

void reset(void *m)
{
#if SHIM_CLOCKED
	Vcosim *top = top_of(m);

	const silence silent(m); // of random registers before the edge, and of what it samples of them

	top->rst_i = 1; /* for one edge: a second one would hide what the first leaves */
	top->clk_i = 0;
	top->eval();
	top->clk_i = 1;
	top->eval();
	top->rst_i = 0;
	top->clk_i = 0;
	top->eval();
#endif
	(void)m;
}

void *create(uint64_t seed)
{
	model *m = new model();
	const bool first = !created++;

	m->context.threads(1); // no pool of workers
	m->context.traceEverOn(true);
	m->context.randReset(seed ? 2 : 0);
	m->context.randSeed(static_cast<int>(seed % 0x7fffffff));
	m->context.fatalOnError(false);
	m->context.errorLimit(1); // each one goes to vl_stop
	Verilated::threadContextp(&m->context);
	m->top = new Vcosim(&m->context);
#if SHIM_CLOCKED
	m->top->clk_i = 0;
	m->top->rst_i = 0;
#endif
	const uint64_t zero[SHIM_IN_WORDS + 1] = {0};
	drive(m->top, zero);
#define F(port) m->top->port = 0;
	SHIM_EXTRA(F)
#undef F
	const silence silent(m);
	quiet = !first;
	m->top->eval();
	quiet = false;
	return m;
}

void wave_close(void *mm)
{
	model *m = static_cast<model *>(mm);

	if (!m->fst)
		return;
	m->fst->close();
	delete m->fst;
	m->fst = nullptr;
}

void destroy(void *mm)
{
	model *m = static_cast<model *>(mm);

	wave_close(m);
	Verilated::threadContextp(&m->context); // the model's scopes sign off there
	quiet = destroyed++ > 0;
	m->top->final();
	quiet = false;
	delete m->top;
	delete m;
}

int poke(void *m, const char *port, uint64_t value)
{
	Vcosim *top = top_of(m);
#define F(name)                                                                                                                    \
	if (!strcmp(port, #name)) {                                                                                                \
		put(top->name, &value);                                                                                            \
		return 0;                                                                                                          \
	}
	SHIM_EXTRA(F)
#undef F
	(void)top;
	(void)value;
	return -1;
}

void watch(void *m, bind_assertions *to)
{
	static_cast<model *>(m)->context.to = to;
}

#if SHIM_LANES == 1
int wave_open(void *mm, const char *path)
{
	model *m = static_cast<model *>(mm);

	m->fst = new VerilatedFstC();
	m->top->trace(m->fst, 99);
	m->fst->set_time_unit("1ns");
	m->fst->set_time_resolution("1ns");
	m->fst->open(path);
	if (m->fst->isOpen())
		return 0;
	delete m->fst;
	m->fst = nullptr;
	return -1;
}

void wave_golden(void *m, const uint64_t *out, const uint64_t *reg, int differs)
{
	Vcosim *top = top_of(m);

	top->differs = differs != 0;
	if (out) {
#define F(port, word) put(top->port, out + (word));
		SHIM_GOLDEN_OUTPUTS(F)
#undef F
	}
	if (reg) {
#define F(port, word) put(top->port, reg + (word));
		SHIM_GOLDEN_REGS(F)
#undef F
	}
}

// Characters in a vector, the last one lowest, as Verilog keeps a string.
void wave_text(void *m, const char *text)
{
	Vcosim *top = top_of(m);
	const std::size_t length = strnlen(text, BIND_TEXT);

	memset(&top->transaction[0], 0, BIND_TEXT);
	for (std::size_t i = 0; i < length; i++)
		top->transaction[i / 4] |= static_cast<EData>(static_cast<unsigned char>(text[length - 1 - i])) << (i % 4 * 8);
}

void wave_dump(void *mm, uint64_t time, uint64_t cycle)
{
	model *m = static_cast<model *>(mm);

	m->top->cycle = cycle;
	m->top->eval();
	m->fst->dump(time);
}
#endif

const uint64_t reg_mask[] = {SHIM_REG_MASK};

const bind_abi table = {
	BIND_ABI_VERSION,
	SHIM_LANES,
	SHIM_CLOCKED,
	SHIM_IN_WORDS,
	SHIM_OUT_WORDS,
	SHIM_REG_WORDS,
	SHIM_REGS_N,
	SHIM_SAME_STATE,
	reg_mask,
	SHIM_ALONE,
	SHIM_STATES,
	create,
	destroy,
	reset,
	eval,
	edge,
	bulk,
	get_regs,
	set_regs,
	poke,
	watch,
#if SHIM_LANES == 1
	wave_open,
	wave_golden,
	wave_text,
	wave_dump,
	wave_close,
#else
	nullptr,
	nullptr,
	nullptr,
	nullptr,
	nullptr,
#endif
};

} // namespace

extern "C" __attribute__((visibility("default"))) const bind_abi *locus_block(void)
{
	return &table;
}
