#include "signoff/four_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "bind/cache.h"
#include "bind/tool.h"
#include "process/output.h"

/* ---- the rows: reset, inputs, expected outputs, the highest bit first ---- */

struct row {
	char *bits; /* '0' or '1' */
	size_t n;
};

static void put_fields(struct row *r, const struct bind_side *side, const uint64_t *words)
{
	for (unsigned i = 0; i < side->n; i++)
		for (uint32_t bit = side->slot[i].bits; bit-- > 0;)
			r->bits[r->n++] = words[side->slot[i].word + bit / 64] >> bit % 64 & 1 ? '1' : '0';
}

/* The twin is stepped along. */
static int write_rows(const struct scenario *s, uint64_t steps, const char *path, struct err *e)
{
	const struct bind_side *in = &s->layout.side[HW_INPUT], *out = &s->layout.side[HW_OUTPUT];
	void *state = xcalloc(1, s->block->state_size), *c_in = xcalloc(1, s->block->in_size),
	     *c_out = xcalloc(1, s->block->out_size);
	uint64_t *words = xcalloc(in->words + 1, sizeof *words), *expected = xcalloc(out->words + 1, sizeof *expected);
	struct row r = {.bits = xcalloc(in->bits + out->bits + 3, 1)};
	struct stim_reader read;
	struct output o;
	int rc = output_open(&o, path, e);

	s->block->reset(state, s->params);
	stim_read(&read, &s->stim);
	for (uint64_t i = 0; !rc && i < steps && stim_next(&read, words); i++) {
		r.n = 0;
		r.bits[r.n++] = read.reset ? '1' : '0';
		bind_unpack(in, words, c_in);
		s->block->eval(state, c_in, c_out);
		bind_pack(out, c_out, expected);
		put_fields(&r, in, words);
		put_fields(&r, out, expected);
		fprintf(o.f, "%.*s\n", (int)r.n, r.bits);
		if (read.reset)
			s->block->reset(state, s->params);
		else if (s->block->tick)
			s->block->tick(state, c_in);
	}
	free(state);
	free(c_in);
	free(c_out);
	free(words);
	free(expected);
	free(r.bits);
	return rc ? rc : output_keep(&o, e);
}

/* ---- the bench ---- */

static const char *name_of(char name[160], const struct bind_side *side, unsigned i, enum hw_side which)
{
	return bind_golden_name(name, side->slot[i].f.name, which);
}

static void declare(const struct bind_layout *l, enum hw_side which, const char *type, const char *prefix, FILE *f)
{
	const struct bind_side *side = &l->side[which];
	char name[160];

	for (unsigned i = 0; i < side->n; i++)
		fprintf(f, "    %s [%u:0] %s%s;\n", type, side->slot[i].bits - 1, prefix, name_of(name, side, i, which));
}

static void list(const struct bind_layout *l, enum hw_side which, const char *form, FILE *f)
{
	const struct bind_side *side = &l->side[which];
	char name[160];

	for (unsigned i = 0; i < side->n; i++) {
		name_of(name, side, i, which);
		fputs(", ", f);
		for (const char *c = form; *c; c++)
			if (*c == '@')
				fputs(name, f);
			else
				fputc(*c, f);
	}
}

static void compare(const struct bind_layout *l, FILE *f)
{
	const struct bind_side *out = &l->side[HW_OUTPUT];
	char name[160];

	for (unsigned i = 0; i < out->n; i++) {
		name_of(name, out, i, HW_OUTPUT);
		fprintf(f,
			"            if (%s !== e_%s) begin\n"
			"                $display(\"DIFFERS step %%0d: output %s is %%0d'b%%b, the golden twin's %%0d'b%%b\", k, "
			"%u, %s, %u, "
			"e_%s);\n                $finish(0);\n                k = rows;\n            end\n",
			name, name, name, out->slot[i].bits, name, out->slot[i].bits, name);
	}
}

static int write_bench(const struct scenario *s, uint64_t steps, const char *rows, const char *path, struct err *e)
{
	const struct bind_layout *l = &s->layout;
	uint32_t bits = 1 + l->side[HW_INPUT].bits + l->side[HW_OUTPUT].bits;
	bool clocked = s->block->tick != NULL;
	struct output o;

	if (output_open(&o, path, e))
		return -1;
	fprintf(o.f, "module signoff;\n    localparam rows = %llu;\n    reg clk_i = 0, rst_i = 0, reset;\n    integer k;\n",
		(unsigned long long)steps);
	declare(l, HW_INPUT, "reg ", "", o.f);
	declare(l, HW_OUTPUT, "wire", "", o.f);
	declare(l, HW_OUTPUT, "reg ", "e_", o.f);
	fprintf(o.f, "    reg [%u:0] row [0:rows-1];\n    cosim dut (.differs(1'b0)%s", bits - 1,
		clocked ? ", .clk_i(clk_i), .rst_i(rst_i)" : "");
	list(l, HW_INPUT, ".@(@)", o.f);
	list(l, HW_OUTPUT, ".@(@)", o.f);
	fprintf(o.f, ");\n    initial begin\n        $readmemb(\"%s\", row);\n        for (k = 0; k < rows; k = k + 1) begin\n",
		rows);
	fputs("            {reset", o.f);
	list(l, HW_INPUT, "@", o.f);
	list(l, HW_OUTPUT, "e_@", o.f);
	fputs("} = row[k];\n            clk_i = 0; rst_i = reset; #1;\n            if (!reset) begin\n", o.f);
	compare(l, o.f);
	fputs("            end\n            #1 clk_i = 1; #1 rst_i = 0;\n        end\n        $finish(0);\n    end\nendmodule\n",
	      o.f);
	return output_keep(&o, e);
}

/* Icarus looks data up in the folder where it runs: copies of what is named without a folder. */
static int copy_data(const struct frontends *t, struct err *e)
{
	int rc = 0;

	for (unsigned i = 0; i < t->src->n_data && !rc; i++)
		if (!strchr(t->src->data[i].name, '/'))
			rc = output_copy(t->src->data[i].path, arena_printf(t->a, "%s/%s", t->work, t->src->data[i].name),
					 BIND_MAX_FILE, e);
	return rc;
}

/* The line of the bench that says what differs. */
static void read_log(const char *log, struct signoff_findings *f)
{
	FILE *in = infile_open(log, BIND_MAX_FILE, NULL);
	char *line = NULL;
	size_t room = 0;

	while (in && getline(&line, &room, in) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!strncmp(line, "DIFFERS ", 8)) {
			signoff_found(f, line + 8);
			break;
		}
	}
	free(line);
	if (in)
		fclose(in);
}

int four_state_check(const struct frontends *t, const struct scenario *s, uint64_t steps, struct signoff_findings *f, struct err *e)
{
	const char *rows = arena_printf(t->a, "%s/rows", t->work), *bench = arena_printf(t->a, "%s/signoff.v", t->work);
	const char *program = arena_printf(t->a, "%s/signoff", t->work), *log = arena_printf(t->a, "%s/vvp.log", t->work);
	const char *const first[] = {"iverilog", "-g2012", "-o", program, "-ssignoff", bench, NULL};
	const char *const run[] = {"vvp", "-n", program, NULL};
	const char *list[FRONTENDS_ARGV];
	struct err why = {""};

	if (copy_data(t, e) || write_rows(s, steps, rows, e) || write_bench(s, steps, rows, bench, e))
		return -1;
	icarus_argv(t, first, list);
	if (bind_tool_run(list, log, &why) == 0)
		bind_tool_run_in(t->work, run, log, &why);
	read_log(log, f);
	if (why.text[0])
		signoff_found(f, why.text);
	return 0;
}
