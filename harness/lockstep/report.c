#include "lockstep/report.h"

#include <string.h>

#include "base/number.h"
#include "lockstep/where.h"

enum { MAX_COLUMNS = 5, ASSIGNMENTS = 3 };

/* A column of the table: an element of a field of one side. */
struct column {
	enum hw_side side;
	const struct bind_slot *slot;
	uint32_t element;
	char name[80];
	int width; /* characters */
};

const char *report_field(const struct bind_slot *slot, enum hw_side side, uint32_t element, char out[80])
{
	char name[160];

	bind_rtl_name(name, slot->f.name, side);
	if (slot->f.count > 1)
		snprintf(out, 80, "%.66s[%u]", name, element);
	else
		snprintf(out, 80, "%.79s", name);
	return out;
}

static int hex_digits(const struct bind_slot *slot)
{
	return (int)(slot->f.width + 3) / 4;
}

const char *report_value(const struct bind_slot *slot, uint64_t value, char out[REPORT_VALUE])
{
	if (slot->f.width == 1)
		snprintf(out, REPORT_VALUE, "%u", (unsigned)value);
	else
		snprintf(out, REPORT_VALUE, "0x%0*llx", hex_digits(slot), (unsigned long long)value);
	return out;
}

/* "12, 10..2" for the bits in which two values differ, highest first. */
static void print_bits(uint64_t differs, FILE *to)
{
	const char *comma = "";

	for (int bit = 63; bit >= 0; bit--) {
		int low = bit;

		if (!(differs >> bit & 1))
			continue;
		while (low > 0 && differs >> (low - 1) & 1)
			low--;
		if (low == bit)
			fprintf(to, "%s%d", comma, bit);
		else
			fprintf(to, "%s%d..%d", comma, bit, low);
		comma = ", ";
		bit = low;
	}
}

static struct column column(enum hw_side side, const struct bind_slot *slot, uint32_t element)
{
	struct column c = {.side = side, .slot = slot, .element = element};
	int value = slot->f.width == 1 ? 1 : hex_digits(slot) + 2;

	report_field(slot, side, element, c.name);
	c.width = (int)strlen(c.name) > value ? (int)strlen(c.name) : value;
	return c;
}

static bool add(struct column *col, unsigned *n, struct column c)
{
	for (unsigned i = 0; i < *n; i++)
		if (!strcmp(col[i].name, c.name) && col[i].side == c.side)
			return false;
	if (*n == MAX_COLUMNS)
		return false;
	col[(*n)++] = c;
	return true;
}

/* The field that differs, the others that differ in that step, then outputs as long as there is room. */
static unsigned choose(const struct bind_layout *l, const struct outcome *o, const struct history *h, struct column *col)
{
	const struct history_step *last = history_at(h, h->n - 1);
	unsigned n = 0;

	add(col, &n, column(o->m.side, &l->side[o->m.side].slot[o->m.slot], o->m.element));
	for (int side = HW_OUTPUT; side <= (h->regs ? HW_REG : HW_OUTPUT); side++)
		for (unsigned i = 0; i < l->side[side].n; i++) {
			const struct bind_slot *s = &l->side[side].slot[i];
			const uint64_t *g = side == HW_REG ? last->reg_golden : last->out_golden;
			const uint64_t *r = side == HW_REG ? last->reg_rtl : last->out_rtl;

			for (uint32_t k = 0; k < s->f.count; k++)
				if (bind_element(s, g, k) != bind_element(s, r, k))
					add(col, &n, column(side, s, k));
		}
	for (unsigned i = 0; i < l->side[HW_OUTPUT].n; i++)
		if (l->side[HW_OUTPUT].slot[i].f.count == 1)
			add(col, &n, column(HW_OUTPUT, &l->side[HW_OUTPUT].slot[i], 0));
	return n;
}

static void print_names(const struct column *col, unsigned n, FILE *to)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(to, " %*s", col[i].width, col[i].name);
}

static void print_values(const struct column *col, unsigned n, const uint64_t *const side[HW_SIDES], bool reset, FILE *to)
{
	char text[REPORT_VALUE];

	for (unsigned i = 0; i < n; i++)
		fprintf(to, " %*s", col[i].width,
			reset && col[i].side != HW_REG
				? "-"
				: report_value(col[i].slot, bind_element(col[i].slot, side[col[i].side], col[i].element), text));
}

static void print_table(const struct scenario *s, const struct outcome *o, const struct history *h, FILE *to)
{
	uint64_t first = h->n > h->room ? h->n - h->room : 0;
	const struct bind_side *in = &s->layout.side[HW_INPUT];
	struct column ins[HW_MAX_FIELDS], col[MAX_COLUMNS];
	unsigned n = choose(&s->layout, o, h, col), n_in = 0;

	for (unsigned i = 0; i < in->n; i++)
		if (in->slot[i].f.count == 1)
			ins[n_in++] = column(HW_INPUT, &in->slot[i], 0);
	fprintf(to, "  %10s %10s |", "step", "cycle");
	print_names(ins, n_in, to);
	fputs(" | golden:", to);
	print_names(col, n, to);
	fputs(" | rtl:", to);
	print_names(col, n, to);
	fputc('\n', to);
	for (uint64_t i = first; i < h->n; i++) {
		const struct history_step *at = history_at(h, i);
		const uint64_t *const golden[HW_SIDES] = {at->in, at->out_golden, at->reg_golden};
		const uint64_t *const rtl[HW_SIDES] = {at->in, at->out_rtl, at->reg_rtl};

		fprintf(to, "  %10llu %10llu |", (unsigned long long)at->step, (unsigned long long)at->cycle);
		print_values(ins, n_in, golden, at->reset, to);
		fputs(" |        ", to);
		print_values(col, n, golden, at->reset, to);
		fputs(" |     ", to);
		print_values(col, n, rtl, at->reset, to);
		fprintf(to, "%s%s\n", at->reset ? "  reset" : "", i == h->n - 1 ? "  <--" : "");
	}
}

static const char *const word[HW_SIDES] = {"input", "output", "register"};

void report_registers(const struct bind_abi *abi, unsigned of, FILE *to)
{
	const char *line = abi->alone;

	if (!*line)
		return;
	fprintf(to, "    registers compared, by name and width: %u of %u; not compared:\n", abi->regs, of);
	for (size_t n; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		fprintf(to, "      %.*s\n", (int)n, line);
	}
}

void report_common(unsigned n, unsigned of, FILE *to)
{
	fprintf(to, "    registers compared, of the block's that both files have: %u of %u\n", n, of);
}

static void print_sentence(const struct scenario *s, const struct outcome *o, FILE *to)
{
	const struct bind_slot *slot = &s->layout.side[o->m.side].slot[o->m.slot];
	char field[80], golden[REPORT_VALUE], rtl[REPORT_VALUE], steps[32], cycle[32];

	fprintf(to, "%s step%s after %s, %s %s of %s first differs, in cycle %s: golden %s, rtl %s.\n",
		number_commas(o->steps, steps), o->steps == 1 ? "" : "s", s->state ? "the state in stimulus.txt" : "reset",
		word[o->m.side], report_field(slot, o->m.side, o->m.element, field), s->block->name, number_commas(o->cycle, cycle),
		report_value(slot, o->m.golden, golden), report_value(slot, o->m.rtl, rtl));
}

void report_print(const struct scenario *s, const struct outcome *o, const struct history *h, const char *bundle, FILE *to)
{
	const struct bind_slot *slot = &s->layout.side[o->m.side].slot[o->m.slot];
	char cycle[32], step[32], field[80], value[REPORT_VALUE];

	fprintf(to, "MISMATCH %s%s%s, cycle %s (step %s): %s ", s->block->name, s->owner[0] ? " of " : "", s->owner,
		number_commas(o->cycle, cycle), number_commas(o->step, step), word[o->m.side]);
	fprintf(to, "%s\n", report_field(slot, o->m.side, o->m.element, field));
	fprintf(to, "  golden %s\n", report_value(slot, o->m.golden, value));
	fprintf(to, "  rtl    %s        differs in bit%s ", report_value(slot, o->m.rtl, value),
		__builtin_popcountll(o->m.golden ^ o->m.rtl) > 1 ? "s" : "");
	print_bits(o->m.golden ^ o->m.rtl, to);
	fputc('\n', to);
	if (slot->f.width < 64 && o->m.golden >> slot->f.width)
		fprintf(to, "  the golden twin's value does not fit the field, which has %u bit%s\n", slot->f.width,
			slot->f.width == 1 ? "" : "s");
	if (h && h->n)
		print_table(s, o, h, to);
	fputs("  either side may be wrong; it gets its value in:\n", to);
	where_print(s, o->m.side, slot, ASSIGNMENTS, to);
	fputs("  it shows: ", to);
	print_sentence(s, o, to);
	if (s->unique_x)
		fprintf(to, "  initial values: bits that nothing resets are those of --x-init %llu\n", (unsigned long long)s->seed);
	if (s->block->tick && s->golden_abi)
		report_common(o->n_regs, s->layout.side[HW_REG].n, to);
	else if (s->block->tick && !s->transactions)
		report_registers(o->abi, s->layout.side[HW_REG].n, to);
	if (bundle)
		fprintf(to, "bundle: %s/   replay: locus replay %s\n", bundle, bundle);
}
