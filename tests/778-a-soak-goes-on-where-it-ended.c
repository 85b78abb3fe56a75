/* 778: soak runs a block in lockstep for so many steps, notes each turn, and goes on where it ended, also after a kill
 * in the midst of a line; what differs ends it with the shape, seed and step. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* The program is linked with Criterion, which takes a process that finds BXFI_MAP for one of its own tests. */
#define SOAK "env -u BXFI_MAP \"${LOCUS_BUILD:-build}/soak/soak\" "

enum { TURN = 200000 };

static void soaks(const char *steps)
{
	struct program p = program_run(SOAK "%s %s set_monitor", steps, program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.err, "");
	program_free(&p);
}

/* How many turns are noted. Each has the seeds that come next. */
static unsigned turns(void)
{
	char path[300], *text, *line, *save = NULL;
	unsigned n = 0, first, seeds, steps;

	snprintf(path, sizeof path, "%s/set_monitor", program_tmp());
	text = program_text(path);
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "%*[^|]|%*[^|]|%u|%u|%u|", &first, &seeds, &steps) != 3)
			continue;
		cr_assert_eq(first, 1 + n * seeds, "%s", line);
		cr_assert_eq(steps, TURN, "%s", line);
		n++;
	}
	free(text);
	return n;
}

Test(soak, goes_on_where_it_ended)
{
	struct program p;

	soaks("3e5");
	cr_assert_eq(turns(), 2);
	soaks("400000");
	cr_assert_eq(turns(), 2, "they had been run");
	p = program_run("printf 'sets=2 tag_w=1|9|4' >>%s/set_monitor", program_tmp());
	program_free(&p);
	soaks("5e5");
	cr_assert_eq(turns(), 3);
	p = program_run(SOAK "--table %s", program_tmp());
	cr_assert_not_null(strstr(p.out, "` | 6e+05 | 3 | 1 to 12 | "), "%s", p.out);
	program_free(&p);
}

/* The row of set_monitor in the table of a folder; the caller frees p. */
static const char *row(struct program *p)
{
	const char *at;

	*p = program_run(SOAK "--table %s", program_tmp());
	at = strstr(p->out, "| `set_monitor` |");
	cr_assert(p->status == 0 && at, "%s%s", p->out, p->err);
	p->out[at - p->out + (long)strcspn(at, "\n")] = '\0';
	return at;
}

Test(soak, goes_on_where_another_clone_ended)
{
	struct program p, q;
	unsigned first;
	char *line;

	/* A turn, published; then the runs are forgotten, as in a fresh clone. */
	soaks("2e5");
	p = program_run(
		"cd %s && env -u BXFI_MAP \"${LOCUS_BUILD:-$OLDPWD/build}/soak/soak\" --table . >table && mv table published "
		"&& mv set_monitor mine && grep -o '^[^|]*' mine",
		program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(strspn(p.out, "0123456789abcdef"), 16, "the version: %s", p.out);
	soaks("4e5");
	q = program_run("cat %s/set_monitor", program_tmp());
	line = strchr(q.out, '|') + 1;
	cr_assert_eq(sscanf(line, "%*[^|]|%u|", &first), 1);
	cr_expect_eq(first, 5, "the seeds after those of the table: %s", q.out);
	program_free(&q);
	cr_expect_not_null(strstr(row(&q), "` | 4e+05 | 2 | 1 to 8 | "), "%s", q.out);
	program_free(&q);

	/* Turns of which the table tells do not count twice. */
	q = program_run("cd %s && cat set_monitor >>mine && mv mine set_monitor", program_tmp());
	program_free(&q);
	cr_expect_not_null(strstr(row(&q), "` | 4e+05 | 2 | 1 to 8 | "), "%s", q.out);
	program_free(&q);

	/* Of another version: the row stays while there is nothing newer. */
	q = program_run("cd %s && rm set_monitor && sed -i 's/%.16s/0123456789abcdef/' published", program_tmp(), p.out);
	program_free(&q);
	cr_expect_not_null(strstr(row(&q), "| `0123456789abcdef` | 2e+05 | 1 | 1 to 4 | "), "%s", q.out);
	program_free(&q);
	soaks("1");
	cr_expect_null(strstr(row(&q), "0123456789abcdef"), "%s", q.out);
	cr_expect_not_null(strstr(q.out, "` | 2e+05 | 1 | 1 to 4 | "), "%s", q.out);
	program_free(&q);
	program_free(&p);
}

Test(soak, a_difference_ends_it_with_the_seed)
{
	struct program p =
		program_run("sed 's/entry_count + 1.b1/entry_count + 2'\\''d2/' rtl/set_monitor/set_monitor.v >%s/wrong.v && " SOAK
			    "2e5 %s set_monitor %s/wrong.v",
			    program_tmp(), program_tmp(), program_tmp());

	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_assert_eq(strncmp(p.err, "soak: set_monitor sets=", 23), 0, "%s", p.err);
	cr_assert_not_null(strstr(p.err, ", seed 1, step "), "%s", p.err);
	cr_assert_eq(turns(), 0, "the turn is not noted as run");
	program_free(&p);
}

Test(soak, what_is_wrong_is_one_line_and_status_2)
{
	static const char *const wrong[][2] = {
		{"0 /tmp set_monitor", "soak: \"0\" is not a number of steps, 1 to 1e+15\n"},
		{"nan /tmp set_monitor", "soak: \"nan\" is not a number of steps, 1 to 1e+15\n"},
		{"1 /tmp nonesuch", "soak: no block is called \"nonesuch\"\n"},
		{"1 /nonesuch set_monitor", "soak: /nonesuch/set_monitor: cannot be written\n"},
	};

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct program p = program_run(SOAK "%s", wrong[i][0]);

		cr_assert_eq(p.status, 2, "%s", wrong[i][0]);
		cr_assert_str_eq(p.err, wrong[i][1]);
		program_free(&p);
	}
}
