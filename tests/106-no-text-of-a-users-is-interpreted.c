/* 106: names in a user's files are shown, whatever they hold: no shell, no gnuplot, no terminal and no XML reader takes
 * part of one for a command. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* What would leave a file, in each of the ways in which gnuplot hands text to a shell; then quotes, and the begin of a
 * colour. */
#define HOSTILE "a`touch M1`b$(touch M2)c'd\\\"e\\nset output '|touch M3'\\n\\e[31mRED"
#define SHOWN	"a`touch M1`b$(touch M2)c'd&quot;e?set output '|touch M3'??[31mRED"

/* A program of which several CTAs read the same, under that name. */
static void write_launch_file(void)
{
	struct program p = program_run("cp traces/examples/ring.mtx traces/spmv/kernel.ptx %s", program_tmp());

	program_free(&p);
	program_file("hostile.yaml", "name: \"" HOSTILE "\"\nptx: kernel.ptx\n"
				     "buffers:\n  row:   {graph: ring.mtx, part: rowptr}\n  col:   {graph: ring.mtx, part: col}\n"
				     "  value: {graph: ring.mtx, part: weights}\n  x:     {count: 40, type: f32, value: 1}\n"
				     "  y:     {count: 40, type: f32, value: -1}\nscalars:\n  n: {graph: ring.mtx, part: rows}\n"
				     "launches:\n  - kernel: spmv_vector\n    grid: 10\n    block: 128\n"
				     "    args: [row, col, value, x, y, n]\n");
}

static bool has_marker(void)
{
	struct program p = program_run("cd %s && ls | grep -c '^M[0-9]'", program_tmp());
	bool any = strcmp(p.out, "0\n") != 0;

	program_free(&p);
	return any;
}

/* &apos; and &quot; are how an SVG may write the two. */
static void unquote(char *s)
{
	for (char *at; (at = strstr(s, "&apos;"));) {
		*at = '\'';
		memmove(at + 1, at + 6, strlen(at + 6) + 1);
	}
	for (char *at; (at = strstr(s, "\""));) {
		memmove(at + 6, at + 1, strlen(at + 1) + 1);
		memcpy(at, "&quot;", 6);
	}
}

Test(user_texts, gnuplot_shows_a_title_and_runs_nothing_of_it)
{
	static const char *const what[] = {"hostile.yaml", "hostile.ltrace"};
	struct program p;

	write_launch_file();
	p = program_run("cd %s && locus record hostile.yaml -o hostile.ltrace", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	for (unsigned i = 0; i < 2; i++) {
		char *title;

		p = program_run("cd %s && locus graph %s --source trace --picture p.svg && grep touch p.svg", program_tmp(),
				what[i]);
		cr_assert_eq(p.status, 0, "%s: %s", what[i], p.err);
		title = calloc(6 * strlen(p.out) + 1, 1);
		strcpy(title, p.out);
		unquote(title);
		cr_assert(strstr(title, SHOWN), "%s", title);
		cr_assert_not(has_marker(), "%s", what[i]);
		free(title);
		program_free(&p);
	}
}

Test(user_texts, a_pictures_path_is_a_path)
{
	static const char *const path[] = {"'|touch M4.svg'", "'`touch M5`.svg'",  "'it'\\''s $(touch M6).svg'",
					   "'\"q\".svg'",     "'back\\slash.svg'", "'~.svg'"};

	write_launch_file();
	for (unsigned i = 0; i < sizeof path / sizeof path[0]; i++) {
		struct program p = program_run("cd %s && locus graph hostile.yaml --source trace --picture %s && test -s %s",
					       program_tmp(), path[i], path[i]);

		cr_assert_eq(p.status, 0, "%s: %s", path[i], p.err);
		cr_assert_not(has_marker(), "%s", path[i]);
		program_free(&p);
	}
}

/* Escape is 0x1b; U+009B, two bytes, is the same to some terminals. */
static bool has_control_character(const char *s)
{
	for (; *s; s++)
		if (((unsigned char)*s < ' ' && *s != '\n' && *s != '\t') || *s == 0x7f ||
		    ((unsigned char)s[0] == 0xc2 && (unsigned char)s[1] < 0xa0))
			return true;
	return false;
}

Test(user_texts, a_terminal_gets_letters_alone)
{
	static const char *const command[] = {
		"locus run hostile.yaml",
		"locus graph hostile.yaml --source trace",
		"locus trace info h.ltrace",
		"locus run hostile.yaml --on cpu",
		"locus record hostile.yaml -o \"$(printf 'x\\033[31m\\302\\233y.ltrace')\"",
		"locus run \"$(printf 'no\\033[31m\\302\\233such.yaml')\"",
		"locus cache \"$(printf 'x\\033[31my.din')\"",
		"locus ptx \"$(printf 'x\\033[31my.ptx')\"",
		"locus diff r.json \"$(printf 's\\033[31m.json')\"",
	};
	struct program p;

	write_launch_file();
	program_file("r.json", "{\"stats\": {\"cy\\u001b[31mcles\": 1}}");
	p = program_run("cd %s && locus record hostile.yaml -o h.ltrace; printf '0 1000\\n' >\"$(printf 'x\\033[31my.din')\"; "
			"printf '{\"stats\": {\"cy\\\\u001b[31mcles\": 2}}' >\"$(printf 's\\033[31m.json')\"; "
			"cp kernel.ptx \"$(printf 'x\\033[31my.ptx')\"",
			program_tmp());
	program_free(&p);
	for (unsigned i = 0; i < sizeof command / sizeof command[0]; i++) {
		p = program_run("cd %s && %s", program_tmp(), command[i]);
		cr_assert(*p.out || *p.err, "%s", command[i]);
		cr_assert_not(has_control_character(p.out), "%s: %s", command[i], p.out);
		cr_assert_not(has_control_character(p.err), "%s: %s", command[i], p.err);
		program_free(&p);
	}
}

Test(user_texts, letters_of_any_script_are_shown)
{
	struct program p;

	write_launch_file();
	p = program_run("cd %s && sed 's/^name:.*/name: \"größe 行列 🙂\"/' hostile.yaml >l.yaml && locus run l.yaml",
			program_tmp());
	cr_assert(!strncmp(p.out, "größe 行列 🙂 on gtx480", strlen("größe 行列 🙂 on gtx480")), "%s", p.out);
	program_free(&p);
}

Test(user_texts, a_machines_name_must_be_letters)
{
	struct program p;

	program_file("m.yaml", "base: gtx480\nname: \"e\\e[31mvil\"\n");
	p = program_run("locus run vectoradd --size test --machine %s/m.yaml", program_tmp());
	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "m.yaml:2:"), "%s", p.err);
	program_free(&p);
	p = program_run("locus run vectoradd --size test --set \"name=$(printf 'a\\033b')\"");
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}

/* The script that replays a bundle names the program by a path that may hold what a shell takes for a command. */
Test(user_texts, a_bundles_script_quotes_the_programs_path)
{
	struct program p = program_run("cd %s && mkdir 'r`touch M7`$(touch M8)\"q' && cd r* && for d in csim harness rtl traces; "
				       "do ln -s \"$OLDPWD/$d\" .; done",
				       program_tmp());

	program_free(&p);
	p = program_run(
		"sed 's/= ^/= ~^/' rtl/pric/pric_index.v >%s/my.v; root=$PWD; cd %s/r* && for d in csim harness rtl traces build; "
		"do ln -sfn \"$root/$d\" $d; done; "
		"for r in \"$root\" \"$PWD\"; do rm -rf m-pric*; " /* no block is built under such a path, but one that
								    * is there
								      runs */
		"LOCUS_ROOT=$r locus cosim vectoradd --size test --l1-index pric --rtl pric=../my.v --bundle m >/dev/null; done; "
		"LOCUS_ROOT=$PWD sh m-pric*/rerun.sh; ls -d M* ../M* 2>/dev/null",
		program_tmp(), program_tmp());
	cr_assert_not(strstr(p.out, "M7") || strstr(p.out, "M8"), "%s", p.out);
	cr_assert(strstr(p.out, "MISMATCH"), "%s%s", p.out, p.err);
	program_free(&p);
}
