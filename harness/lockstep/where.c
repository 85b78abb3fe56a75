#include "lockstep/where.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/files/infile.h"
#include "base/files/root.h"
#include "bind/cache.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* What follows a name, without its index or range. */
static const char *skip_index(const char *at)
{
	at += strspn(at, " ");
	while (*at == '[') {
		unsigned depth = 0;

		for (; *at; at++) {
			depth += *at == '[';
			depth -= *at == ']';
			if (!depth)
				break;
		}
		at += *at == ']';
		at += strspn(at, " ");
	}
	return at;
}

/* "=", "<=" of Verilog, "+=", "++" and the like of C; no comparison. */
static bool assigns(const char *at, bool verilog)
{
	if (verilog)
		return (at[0] == '=' && at[1] != '=') || (at[0] == '<' && at[1] == '=');
	if (!strncmp(at, "++", 2) || !strncmp(at, "--", 2))
		return true;
	at += strcspn(at, "=") == 2 && (!strncmp(at, "<<", 2) || !strncmp(at, ">>", 2)) ? 2 : *at && strchr("+-|&^", *at) ? 1 : 0;
	return at[0] == '=' && at[1] != '=';
}

static bool assigns_name(const char *line, const char *name, bool verilog)
{
	size_t n = strlen(name);

	for (const char *at = line; (at = strstr(at, name)); at += n) {
		if ((at > line && is_word(at[-1])) || is_word(at[n]))
			continue;
		if (!verilog && (at == line || (at[-1] != '.' && at[-1] != '>')))
			continue;
		if (assigns(skip_index(at + n), verilog))
			return true;
	}
	return false;
}

/* Text that is printed goes to a terminal, and the file may be anybody's. */
static void print_line(const char *side, const char *shown, unsigned number, const char *line, FILE *to)
{
	fprintf(to, "    %-6s %s:%u: ", side, shown, number);
	for (line += strspn(line, " \t"); *line && *line != '\n' && *line != '\r'; line++)
		fputc(isprint((unsigned char)*line) ? *line : *line == '\t' ? ' ' : '?', to);
	fputc('\n', to);
}

/* verilog: the side that it is of; NULL: it is C, of the golden twin. */
static unsigned print_from(const char *path, const char *shown, const char *name, const char *verilog, unsigned most, FILE *to)
{
	FILE *f = infile_open(path, BIND_MAX_FILE, NULL);
	unsigned found = 0, number = 0;
	char *line = NULL;
	size_t room = 0;

	while (f && found < most && getline(&line, &room, f) > 0) {
		number++;
		if (!assigns_name(line, name, verilog != NULL))
			continue;
		print_line(verilog ? verilog : "golden", shown, number, line, to);
		found++;
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

static const char *last_part(const char *name, char separator)
{
	const char *last = strrchr(name, separator);

	return last ? last + 1 : name;
}

/* side: "golden" or "rtl". */
static void print_verilog(const char *side, const struct bind_request *of, const char *rtl, const char *name, unsigned most,
			  FILE *to)
{
	struct bind_request q = *of;
	struct arena a = {0};
	struct err e = {""};
	struct bind_sources src;
	unsigned found = 0;
	int rc;

	q.rtl = rtl;
	rc = bind_sources(&q, &a, &src, &e);
	for (unsigned i = 0; !rc && i < src.n && found < most; i++)
		found += print_from(src.file[i], last_part(src.file[i], '/'), name, side, most - found, to);
	arena_free(&a);
}

/* A register of an instance is assigned under its own name; a file's folder is another in a bundle. */
void where_print(const struct scenario *s, enum hw_side side, const struct bind_slot *slot, unsigned most, FILE *to)
{
	struct bind_request q = {
		.block = s->block, .params = s->params, .fit = &s->fit, .foreign = s->foreign, .within = s->within};
	char name[160], path[ROOT_PATH_MAX];

	bind_rtl_name(name, slot->f.name, side);
	q.foreign = s->golden_foreign;
	if (s->golden[0])
		print_verilog("golden", &q, s->golden, last_part(name, '.'), most, to);
	else
		print_from(root_path(s->block->twin, path), s->block->twin, slot->f.name, NULL, most, to);
	q.foreign = s->foreign;
	print_verilog("rtl", &q, s->rtl[0] ? s->rtl : NULL, last_part(name, '.'), most, to);
}
