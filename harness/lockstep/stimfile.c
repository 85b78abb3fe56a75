/* stimulus.txt: a scenario as text. docs/how-to/cosimulate-your-rtl.md describes it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "hw/twins/blocks.h"
#include "lockstep/bundle.h"
#include "process/output.h"

#define HEAD "locus-stimulus"
enum { VERSION = 1, MAX_LINE = 1 << 20 };

/* ---- writing ---- */

static void write_words(const uint64_t *w, uint32_t n, FILE *f)
{
	while (n-- > 0)
		fprintf(f, "%0*llx", 16, (unsigned long long)w[n]);
}

static void write_field(const struct bind_slot *slot, const uint64_t *words, FILE *f)
{
	if (slot->words == 1)
		fprintf(f, " %llx", (unsigned long long)words[slot->word]);
	else {
		fputc(' ', f);
		write_words(words + slot->word, slot->words, f);
	}
}

/* What --port, --tie, --leave and --incdir said. */
static void write_fit(const struct bind_fit *fit, const char *golden, const char *dirs, FILE *f)
{
	for (unsigned i = 0; i < fit->n; i++) {
		const struct bind_fit_item *item = &fit->item[i];

		if (item->kind == BIND_FIT_PORT)
			fprintf(f, "port %s=%s%s\n", item->theirs, item->inverted ? "~" : "", item->ours);
		else if (item->kind == BIND_FIT_TIE)
			fprintf(f, "tie %s=%llu\n", item->theirs, (unsigned long long)item->value);
		else
			fprintf(f, "leave %s\n", item->theirs);
	}
	if (dirs[0])
		fprintf(f, "incdir %s\n", dirs);
	if (golden[0])
		fprintf(f, "golden %s\n", golden);
}

static void write_head(const struct scenario *s, const char *rtl_names, const char *golden, const char *dirs, FILE *f)
{
	const struct bind_side *in = &s->layout.side[HW_INPUT], *reg = &s->layout.side[HW_REG];

	fprintf(f, "%s %d\nblock %s\n", HEAD, VERSION, s->block->name);
	if (s->owner[0])
		fprintf(f, "owner %s\n", s->owner);
	fputs("params ", f);
	bind_params_write(s->block, s->params, f);
	fprintf(f, "\nrtl %s\ncompare %s\nseed %llu\nunique-x %d\n", rtl_names, s->transactions ? "transaction" : "cycle",
		(unsigned long long)s->seed, s->unique_x);
	write_fit(&s->fit, golden, dirs, f);
	for (unsigned i = 0; i < s->n_pokes; i++)
		fprintf(f, "poke %s %llx\n", s->poke[i].port, (unsigned long long)s->poke[i].value);
	fputs("inputs", f);
	for (unsigned i = 0; i < in->n; i++)
		fprintf(f, " %s:%u", in->slot[i].f.name, in->slot[i].bits);
	fputs("\nstate", f);
	for (unsigned i = 0; i < reg->n && s->state; i++)
		write_field(&reg->slot[i], s->state, f);
	fprintf(f, "%s\nfirst-step %llu\nsteps %llu\n", s->state ? "" : " reset", (unsigned long long)s->stim.first_step,
		(unsigned long long)s->stim.steps);
}

static void write_steps(const struct scenario *s, FILE *f)
{
	const struct bind_side *in = &s->layout.side[HW_INPUT];
	uint64_t *words = xcalloc(in->words + 1, sizeof *words);
	struct stim_reader r;

	stim_read(&r, &s->stim);
	while (stim_next(&r, words)) {
		fprintf(f, "%llu", (unsigned long long)r.cycle);
		if (r.reset)
			fputs(" reset", f);
		for (unsigned i = 0; i < in->n && !r.reset; i++)
			write_field(&in->slot[i], words, f);
		fputc('\n', f);
	}
	free(words);
}

int bundle_write_stimulus(const struct scenario *s, const char *path, const char *rtl_names, const char *golden, const char *dirs,
			  struct err *e)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	struct output o;
	int rc = -1;

	write_head(s, rtl_names, golden, dirs, memory);
	write_steps(s, memory);
	fclose(memory);
	if (output_open(&o, path, e) == 0) {
		fwrite(text, 1, size, o.f);
		fprintf(o.f, "end %016llx\n", (unsigned long long)XXH64(text, size, 0));
		rc = output_keep(&o, e);
	}
	free(text);
	return rc;
}

/* ---- reading ---- */

struct reader {
	FILE *f;
	const char *path;
	struct err *e;
	char *line;	/* of MAX_LINE + 2 bytes */
	uint64_t bytes; /* that were read */
	unsigned number;
	XXH64_state_t *hash;
	char block[64], owner[64], params[1024], rtl[SCENARIO_RTL];
	uint64_t seed, first_step, steps;
	bool unique_x, transactions;
};

static int bad(struct reader *r, const char *what)
{
	return err_set(r->e, "%s:%u: %s", r->path, r->number, what);
}

/* No control characters: its words go to a terminal. */
static bool is_text(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			return false;
	return true;
}

/* The next line without its end; hashed unless it is the last. */
static int next_line(struct reader *r)
{
	size_t n;

	r->number++;
	if (!fgets(r->line, MAX_LINE + 2, r->f))
		return ferror(r->f) ? bad(r, strerror(errno)) : bad(r, "ends too early");
	n = strlen(r->line);
	r->bytes += n;
	if (r->bytes > INFILE_MOST)
		return infile_too_large(r->path, INFILE_MOST, r->e);
	if (n == 0 || n > MAX_LINE || r->line[n - 1] != '\n' || !is_text(r->line, n - 1))
		return bad(r, "not a line of text");
	if (strncmp(r->line, "end ", 4) != 0)
		XXH64_update(r->hash, r->line, n);
	r->line[n - 1] = '\0';
	return 0;
}

/* The rest of a line that must begin with that word, or NULL. */
static const char *rest(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if (next_line(r))
		return NULL;
	if (!strncmp(r->line, word, n) && r->line[n] == ' ')
		return r->line + n + 1;
	err_set(r->e, "%s:%u: expected \"%s\"", r->path, r->number, word);
	return NULL;
}

static int read_text(struct reader *r, const char *word, char *out, size_t room)
{
	const char *text = rest(r, word);

	if (!text)
		return -1;
	return (size_t)snprintf(out, room, "%s", text) < room ? 0 : bad(r, "too long");
}

static int parse_number(const char **at, int base, uint64_t *out)
{
	char *end;

	while (**at == ' ')
		(*at)++;
	if (**at == '-' || **at == '+' || !**at)
		return -1;
	errno = 0;
	*out = strtoull(*at, &end, base);
	if (end == *at || errno || (*end && *end != ' '))
		return -1;
	*at = end;
	return 0;
}

static int read_number(struct reader *r, const char *word, uint64_t *out)
{
	const char *text = rest(r, word);

	if (!text)
		return -1;
	return parse_number(&text, 10, out) || *text ? bad(r, "not a number") : 0;
}

/* A field of a line of hexadecimal numbers. */
static int parse_field(const struct bind_slot *slot, const char **at, uint64_t *words)
{
	uint32_t top = slot->bits % 64;
	char digits[17] = {0};

	if (slot->words == 1) {
		if (parse_number(at, 16, words + slot->word))
			return -1;
	} else {
		while (**at == ' ')
			(*at)++;
		if (strspn(*at, "0123456789abcdef") != (size_t)slot->words * 16)
			return -1;
		for (uint32_t i = slot->words; i-- > 0; *at += 16) {
			memcpy(digits, *at, 16);
			words[slot->word + i] = strtoull(digits, NULL, 16);
		}
	}
	return top && words[slot->word + slot->words - 1] >> top ? -1 : 0;
}

static int parse_side(const struct bind_side *side, const char *at, uint64_t *words)
{
	for (unsigned i = 0; i < side->n; i++)
		if (parse_field(&side->slot[i], &at, words))
			return -1;
	return *at ? -1 : 0;
}

static bool begins(const char *line, const char *word, const char **rest_of)
{
	size_t n = strlen(word);

	*rest_of = line + n;
	return !strncmp(line, word, n);
}

/* Lines about how the Verilog is connected, if there are any, and the line after them. */
static int read_fit(struct reader *r, struct scenario *s)
{
	struct err why = {""};
	const char *text;
	int rc = next_line(r);

	while (!rc) {
		if (begins(r->line, "port ", &text))
			rc = bind_fit_port(&s->fit, text, &why);
		else if (begins(r->line, "tie ", &text))
			rc = bind_fit_tie(&s->fit, text, &why);
		else if (begins(r->line, "leave ", &text))
			rc = bind_fit_leave(&s->fit, text, &why);
		else if (begins(r->line, "incdir ", &text))
			rc = (size_t)snprintf(s->fit.dirs, sizeof s->fit.dirs, "%s", text) < sizeof s->fit.dirs
				     ? 0
				     : err_set(&why, "too long");
		else if (begins(r->line, "golden ", &text))
			rc = (size_t)snprintf(s->golden, sizeof s->golden, "%s", text) < sizeof s->golden
				     ? 0
				     : err_set(&why, "too long");
		else
			return 0;
		rc = rc ? bad(r, why.text) : next_line(r);
	}
	return -1;
}

static int read_pokes(struct reader *r, struct scenario *s)
{
	for (int rc = read_fit(r, s); !rc && !strncmp(r->line, "poke ", 5); rc = next_line(r)) {
		char *at = r->line + 5, *space = strchr(at, ' ');
		const char *value = space ? space + 1 : "";

		if (!space || space - at >= 64 || s->n_pokes == SCENARIO_POKES)
			return bad(r, "not a poke");
		snprintf(s->poke[s->n_pokes].port, 64, "%.*s", (int)(space - at), at);
		if (parse_number(&value, 16, &s->poke[s->n_pokes++].value))
			return bad(r, "not a poke");
	}
	return r->e->text[0] ? -1 : 0;
}

/* The line "inputs", already read: the file was written for these ports. */
static int check_inputs(struct reader *r, const struct scenario *s)
{
	const struct bind_side *in = &s->layout.side[HW_INPUT];
	char want[4096] = "inputs";
	size_t at = strlen(want);

	for (unsigned i = 0; i < in->n && at < sizeof want; i++)
		at += (size_t)snprintf(want + at, sizeof want - at, " %s:%u", in->slot[i].f.name, in->slot[i].bits);
	return strcmp(r->line, want) ? bad(r, "written for other inputs than the block has now") : 0;
}

static int read_state(struct reader *r, struct scenario *s)
{
	const char *text = rest(r, "state");

	if (!text)
		return -1;
	if (!strcmp(text, "reset"))
		return 0;
	s->state = xcalloc(s->layout.side[HW_REG].words + 1, sizeof *s->state);
	return parse_side(&s->layout.side[HW_REG], text, s->state) ? bad(r, "not the registers of the block") : 0;
}

static int read_step(struct reader *r, struct scenario *s, uint64_t *words)
{
	const char *at = r->line;
	uint64_t cycle;
	bool reset;

	if (next_line(r))
		return -1;
	at = r->line;
	if (parse_number(&at, 10, &cycle) || cycle < s->stim.last_cycle || cycle - s->stim.last_cycle > UINT64_MAX / 4)
		return bad(r, "not a cycle after the one before");
	reset = !strcmp(at, " reset");
	if (!reset && parse_side(&s->layout.side[HW_INPUT], at, words))
		return bad(r, "not the inputs of a step");
	stim_append(&s->stim, cycle, reset, words);
	return 0;
}

static int read_all(struct reader *r, struct scenario *s, uint64_t *words)
{
	uint64_t sum;
	const char *end;

	if (read_state(r, s) || read_number(r, "first-step", &r->first_step) || read_number(r, "steps", &r->steps))
		return -1;
	if (!r->steps)
		return bad(r, "there are no steps, so nothing would be compared");
	s->stim.first_step = r->first_step;
	for (uint64_t i = 0; i < r->steps; i++)
		if (read_step(r, s, words))
			return -1;
	end = rest(r, "end");
	if (!end)
		return -1;
	if (parse_number(&end, 16, &sum) || sum != XXH64_digest(r->hash))
		return bad(r, "the checksum is wrong: the file was damaged or edited");
	return 0;
}

static int read_scenario(struct reader *r, struct scenario *s)
{
	char version[32], compare[32];
	unsigned char params[BIND_PARAMS_MAX];
	const struct hw_block *block;
	uint64_t unique_x, *words;
	int rc;

	if (next_line(r) || strncmp(r->line, HEAD " ", strlen(HEAD) + 1) != 0) {
		r->e->text[0] = '\0';
		return err_set(r->e, "%s: not a stimulus file", r->path);
	}
	snprintf(version, sizeof version, "%.31s", r->line + strlen(HEAD) + 1);
	if (strcmp(version, "1") != 0)
		return bad(r, "of a newer version than this program reads");
	if (read_text(r, "block", r->block, sizeof r->block) || next_line(r))
		return -1;
	if (!strncmp(r->line, "owner ", 6)) {
		snprintf(r->owner, sizeof r->owner, "%.63s", r->line + 6);
		if (next_line(r))
			return -1;
	}
	if (strncmp(r->line, "params ", 7) != 0)
		return bad(r, "expected \"params\"");
	snprintf(r->params, sizeof r->params, "%.1000s", r->line + 7);
	block = hw_block_named(r->block);
	if (!block)
		return err_set(r->e, "%s: no block \"%s\"", r->path, r->block);
	if (bind_params_read(block, params, r->params, r->e))
		return err_prefix(r->e, "%s", r->path);
	if (read_text(r, "rtl", r->rtl, sizeof r->rtl) || read_text(r, "compare", compare, sizeof compare) ||
	    read_number(r, "seed", &r->seed) || read_number(r, "unique-x", &unique_x))
		return -1;
	if (strcmp(compare, "cycle") != 0 && strcmp(compare, "transaction") != 0)
		return err_set(r->e, "%s: compares neither by cycle nor by transaction", r->path);
	scenario_init(s, block, params);
	memcpy(s->owner, r->owner, sizeof s->owner);
	memcpy(s->rtl, r->rtl, sizeof s->rtl);
	s->seed = r->seed;
	s->unique_x = unique_x != 0;
	s->transactions = !strcmp(compare, "transaction");
	words = xcalloc(s->layout.side[HW_INPUT].words + 1, sizeof *words);
	rc = read_pokes(r, s) || check_inputs(r, s) || read_all(r, s, words);
	free(words);
	if (rc)
		scenario_free(s);
	return rc ? -1 : 0;
}

int bundle_read_stimulus(struct scenario *s, const char *path, struct err *e)
{
	struct reader r = {.f = infile_stream(path, INFILE_MOST, e), .path = path, .e = e, .hash = XXH64_createState()};
	int rc;

	r.line = xmalloc(MAX_LINE + 2);
	XXH64_reset(r.hash, 0);
	rc = r.f ? read_scenario(&r, s) : -1;
	if (r.f)
		fclose(r.f);
	free(r.line);
	XXH64_freeState(r.hash);
	return rc ? -1 : 0;
}
