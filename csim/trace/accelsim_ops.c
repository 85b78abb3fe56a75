/* SASS opcodes of Kepler to Ampere and what class each belongs to.
 *
 * Names: NVIDIA's CUDA Binary Utilities, instruction set reference, and what Accel-Sim's tracer prints. A class is what
 * our machines have a latency for; the nearest one is taken where SASS knows finer ones
 * (docs/how-to/run-accelsim-traces.md).
 */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"
#include "base/suggestion.h"
#include "trace/accelsim_impl.h"

struct entry {
	char name[ACCELSIM_MAX_OPCODE];
	struct opcode code;
	UT_hash_handle hh;
};
struct opcodes {
	struct entry *table;
	bool unknown_alu;
};

/* width: of a product of matrices log2 of its multiply-adds. HMMA.884 is a step of those into which a wmma of m16n16k16
 * is split, 16 of f32 and 8 of f16 (Raihan et al., ISPASS 2019); the others are what their numbers say, m n k. */
static const struct group {
	uint8_t op, space, width;
	const char *names;
} groups[] = {
	{OP_INT_ADD, SPACE_NONE, 0,
	 "IADD IADD3 IADD32I ISUB ISCADD ISCADD32I ISAD ISET ISETP ICMP LEA LOP LOP3 LOP32I SHF SHL SHR BFE BFI BMSK BREV FLO POPC "
	 "VABSDIFF VABSDIFF4 VADD MOV MOV32I MOVM PRMT SEL SGXT SHFL I2I I2IP PLOP3 PSETP PSET P2R R2P CSET CSETP VOTE VOTE_VTG "
	 "MATCH QSPC B2R R2B CS2R CSMTEST GETLMEMBASE SETLMEMBASE LEPC S2R SETCTAID R2UR REDUX S2UR UBMSK UBREV UCLEA UFLO UIADD3 "
	 "UISETP ULDC ULEA ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU BMOV "
	 "RPCMOV "
	 "SUCLAMP SUBFM SUEAU"},
	{OP_INT_MAX, SPACE_NONE, 0, "IMNMX IABS VMNMX"},
	{OP_INT_MUL, SPACE_NONE, 0, "IMUL IMUL32I"},
	{OP_INT_MAD, SPACE_NONE, 0, "IMAD IMADSP XMAD IDP IDP4A UIMAD IMMA BMMA"},
	{OP_FP32_ADD, SPACE_NONE, 0,
	 "FADD FADD32I FSEL FSET FSETP FCMP FCHK FSWZ FSWZADD RRO HADD2 HADD2_32I HSET2 HSETP2 F2F F2FP F2I F2IP I2F I2FP FRND "
	 "UF2FP"},
	{OP_FP32_MAX, SPACE_NONE, 0, "FMNMX HMNMX2"},
	{OP_FP32_MUL, SPACE_NONE, 0, "FMUL FMUL32I HMUL2 HMUL2_32I"},
	{OP_FP32_MAD, SPACE_NONE, 0, "FFMA FFMA32I HFMA2 HFMA2_32I HMMA"},
	{OP_FP64_ADD, SPACE_NONE, 0, "DADD DSET DSETP"},
	{OP_FP64_MAX, SPACE_NONE, 0, "DMNMX"},
	{OP_FP64_MUL, SPACE_NONE, 0, "DMUL"},
	{OP_FP64_MAD, SPACE_NONE, 0, "DFMA DMMA"},
	{OP_TENSOR_F16, SPACE_NONE, 8, "HMMA.884"},
	{OP_TENSOR_F16, SPACE_NONE, 9, "HMMA.884.F16"},
	{OP_TENSOR_F16, SPACE_NONE, 10, "HMMA.1688"},
	{OP_TENSOR_F16, SPACE_NONE, 11, "HMMA.16816"},
	{OP_TENSOR_TF32, SPACE_NONE, 9, "HMMA.1684.F32.TF32"},
	{OP_TENSOR_TF32, SPACE_NONE, 10, "HMMA.1688.F32.TF32"},
	{OP_TENSOR_8BIT, SPACE_NONE, 10, "IMMA.8816"},
	{OP_TENSOR_8BIT, SPACE_NONE, 11, "IMMA.16816"},
	{OP_TENSOR_8BIT, SPACE_NONE, 12, "IMMA.16832"},
	{OP_TENSOR_4BIT, SPACE_NONE, 11, "IMMA.8832"},
	{OP_TENSOR_4BIT, SPACE_NONE, 12, "IMMA.16832.S4 IMMA.16832.U4"},
	{OP_TENSOR_4BIT, SPACE_NONE, 13, "IMMA.16864"},
	{OP_TENSOR_F64, SPACE_NONE, 8, "DMMA.884"},
	{OP_SFU, SPACE_NONE, 0, "MUFU TXQ TMML SULD SUST SUATOM SURED SUQUERY SULDGA SUSTGA"},
	{OP_LOAD, SPACE_GLOBAL, 0, "LDG LDGSTS"},
	{OP_LOAD, SPACE_SHARED, 0, "LDS LDSLK"},
	{OP_LOAD, SPACE_SHARED, 16, "LDSM"}, /* each lane names a row of 8 halves; its .16 is the size of an element */
	{OP_LOAD, SPACE_LOCAL, 0, "LDL"},
	{OP_LOAD, SPACE_CONST, 0, "LDC"},
	{OP_LOAD, SPACE_GENERIC, 0, "LD"},
	{OP_LOAD, SPACE_TEX, 0, "TEX TEXS TLD TLDS TLD4 TLD4S TXD"},
	{OP_STORE, SPACE_GLOBAL, 0, "STG"},
	{OP_STORE, SPACE_SHARED, 0, "STS STSCUL"},
	{OP_STORE, SPACE_LOCAL, 0, "STL"},
	{OP_STORE, SPACE_GENERIC, 0, "ST"},
	{OP_ATOM, SPACE_GLOBAL, 0, "ATOMG RED"},
	{OP_ATOM, SPACE_SHARED, 0, "ATOMS"},
	{OP_ATOM, SPACE_GENERIC, 0, "ATOM"},
	{OP_BARRIER, SPACE_NONE, 0, "BAR"},
	{OP_MEMBAR, SPACE_NONE, 0, "MEMBAR"},
	{OP_BRANCH, SPACE_NONE, 0, "BRA BRX BRXU JMP JMX JMXU CAL JCAL CALL RET BRK BREAK CONT SYNC BSYNC RTT"},
	{OP_EXIT, SPACE_NONE, 0, "EXIT KILL"},
	{OP_NOP, SPACE_NONE, 0,
	 "NOP SSY BSSY PBK PCNT PRET PEXIT BPT PMTRIG NANOSLEEP WARPSYNC YIELD DEPBAR LDGDEPBAR ERRBAR CCTL CCTLL CCTLT "
	 "BAR.ARV"}, /* an arrival does not wait */
};

static const char *const classes[OP_COUNT] = {"int_add",    "int_max",	   "int_mul",	  "int_mad",	 "int_div",   "fp32_add",
					      "fp32_max",   "fp32_mul",	   "fp32_mad",	  "fp32_div",	 "fp64_add",  "fp64_max",
					      "fp64_mul",   "fp64_mad",	   "fp64_div",	  "sfu",	 "load",      "store",
					      "atom",	    "barrier",	   "membar",	  "branch",	 "exit",      "nop",
					      "tensor_f16", "tensor_tf32", "tensor_8bit", "tensor_4bit", "tensor_f64"};
static const char *const spaces[SPACE_GENERIC + 1] = {"none",  "global", "shared", "local",  "const",
						      "param", "tex",	 "sleep",  "generic"};

static void put(struct opcodes *t, const char *name, struct opcode code)
{
	struct entry *n = NULL;

	HASH_FIND_STR(t->table, name, n);
	if (!n) {
		n = xcalloc(1, sizeof *n);
		memcpy(n->name, name, strlen(name) + 1);
		HASH_ADD_STR(t->table, name, n);
	}
	n->code = code;
}

static void put_group(struct opcodes *t, const struct group *g)
{
	const char *at = g->names;
	char name[ACCELSIM_MAX_OPCODE];

	while (*at) {
		size_t n = strcspn(at, " ");

		memcpy(name, at, n);
		name[n] = '\0';
		put(t, name, (struct opcode){g->op, g->space, g->width});
		at += n + strspn(at + n, " ");
	}
}

/* ---- the user's table: OPCODE CLASS [SPACE [WIDTH]] ---- */

static int index_of(const char *word, const char *const *list, unsigned n, struct suggestion *hint)
{
	*hint = (struct suggestion){.typed = word};
	for (unsigned i = 0; i < n; i++) {
		if (!strcmp(word, list[i]))
			return (int)i;
		suggestion_offer(hint, list[i]);
	}
	return -1;
}

static int user_product(const struct text *x, char **save, struct opcode *code, struct err *e)
{
	const char *macs = strtok_r(NULL, " \t", save), *more = strtok_r(NULL, " \t", save);
	uint64_t n = 0;

	if (more)
		return text_error(x, e, "\"%s\" is too much: OPCODE CLASS MULTIPLY-ADDS", more);
	if (!macs || !text_number(macs, 10, UINT64_C(1) << TRACE_MAX_LOG_MACS, &n) || n == 0 || (n & (n - 1)))
		return text_error(x, e, "a %s needs its multiply-adds, a power of two up to %u", classes[code->op],
				  1u << TRACE_MAX_LOG_MACS);
	code->width = (uint8_t)__builtin_ctzll(n);
	return 0;
}

static int user_access(const struct text *x, char **save, struct opcode *code, struct err *e)
{
	const char *space = strtok_r(NULL, " \t", save), *width = strtok_r(NULL, " \t", save), *more = strtok_r(NULL, " \t", save);
	bool access = code->op == OP_LOAD || code->op == OP_STORE || code->op == OP_ATOM;
	struct suggestion suggestion;
	char hint[160];
	uint64_t w = 0;
	int s = 0;

	if (more)
		return text_error(x, e, "\"%s\" is too much: OPCODE CLASS [SPACE [WIDTH]]", more);
	if (access != (space != NULL))
		return text_error(x, e, access ? "a %s needs a memory space" : "a %s takes no memory space", classes[code->op]);
	if (!space)
		return 0;
	s = index_of(space, spaces, SPACE_GENERIC + 1, &suggestion);
	if (s < 0 || s == SPACE_NONE || s == SPACE_PARAM || s == SPACE_SLEEP)
		return text_error(x, e, "no memory space \"%s\"%s: global, shared, local, const, tex or generic", space,
				  suggestion_text(&suggestion, hint));
	if (width && (!text_number(width, 10, 16, &w) || w == 0 || (w & (w - 1))))
		return text_error(x, e, "a width of \"%s\" bytes: must be 1, 2, 4, 8 or 16", width);
	code->space = (uint8_t)s;
	code->width = (uint8_t)w;
	return 0;
}

static int user_line(struct opcodes *t, struct text *x, struct err *e)
{
	char *save = NULL, *name, *class, hint[160];
	struct opcode code = {0};
	struct suggestion suggestion;
	int c;

	x->buf[strcspn(x->buf, "#")] = '\0';
	name = strtok_r(x->buf, " \t", &save);
	if (!name)
		return 0;
	class = strtok_r(NULL, " \t", &save);
	if (!class)
		return text_error(x, e, "opcode %s has no class: OPCODE CLASS [SPACE [WIDTH]]", name);
	if (strlen(name) >= ACCELSIM_MAX_OPCODE)
		return text_error(x, e, "an opcode of more than %d letters", ACCELSIM_MAX_OPCODE - 1);
	c = index_of(class, classes, OP_COUNT, &suggestion);
	if (c < 0)
		return text_error(x, e, "no class \"%s\"%s", class, suggestion_text(&suggestion, hint));
	code.op = (uint8_t)c;
	if (trace_op_is_tensor(code.op) ? user_product(x, &save, &code, e) : user_access(x, &save, &code, e))
		return -1;
	put(t, name, code);
	return 0;
}

static int read_map(struct opcodes *t, const char *path, uint64_t max_unpacked, struct err *e)
{
	struct text *x = xcalloc(1, sizeof *x);
	int rc = text_open(x, path, max_unpacked, e);

	while (!rc) {
		int got = text_line(x, e);

		if (got <= 0) {
			rc = got;
			break;
		}
		rc = user_line(t, x, e);
	}
	text_close(x);
	free(x);
	return rc;
}

struct opcodes *opcodes_new(const struct accelsim_options *o, struct err *e)
{
	struct opcodes *t = xcalloc(1, sizeof *t);

	t->unknown_alu = o->unknown_alu;
	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
		put_group(t, &groups[i]);
	if (!o->opcode_map || !read_map(t, o->opcode_map, o->max_unpacked, e))
		return t;
	opcodes_free(t);
	return NULL;
}

void opcodes_free(struct opcodes *t)
{
	struct entry *n, *next;

	if (!t)
		return;
	HASH_ITER (hh, t->table, n, next) {
		HASH_DEL(t->table, n);
		free(n);
	}
	free(t);
}

bool opcodes_find(const struct opcodes *t, const char *name, struct opcode *out)
{
	struct entry *n = NULL;

	for (size_t len = strlen(name); len > 0;) {
		HASH_FIND(hh, t->table, name, len, n);
		if (n) {
			*out = n->code;
			return true;
		}
		do
			len--;
		while (len > 0 && name[len] != '.');
	}
	*out = (struct opcode){OP_INT_ADD, SPACE_NONE, 0};
	return t->unknown_alu;
}

bool opcode_has(const char *name, const char *suffix)
{
	size_t n = strlen(suffix);

	for (const char *at = strchr(name, '.'); at; at = strchr(at + 1, '.'))
		if (!strncmp(at + 1, suffix, n) && (at[n + 1] == '.' || !at[n + 1]))
			return true;
	return false;
}

unsigned opcode_width(const char *name)
{
	for (const char *at = strchr(name, '.'); at; at = strchr(at, '.')) {
		uint64_t bits;
		char word[8];
		size_t n = strcspn(++at, ".");

		if (n == 0 || n >= sizeof word)
			continue;
		memcpy(word, at, n);
		word[n] = '\0';
		if (!text_number(word + (strchr("USFB", word[0]) != NULL), 10, 4096, &bits))
			continue;
		if (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128)
			return (unsigned)bits / 8;
		if (bits > 128)
			return 0;
	}
	return 4;
}
