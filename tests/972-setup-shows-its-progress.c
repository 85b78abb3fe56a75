/* 972: scripts/setup prints what apt-get is doing at least every ten seconds, and passes a failure on. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

static void command(const char *name, const char *text)
{
	program_file(name, text);
	cr_assert_eq(chmod(program_path(name), 0755), 0);
}

/* On a machine that lacks gcc alone, apt-get takes eleven seconds to unpack it, as apt-get(8) reports it. */
static struct program set_up(const char *status)
{
	command("dpkg-query", "#!/bin/sh\nfor last; do :; done\n[ \"$last\" = gcc ] || printf installed\n");
	command("id", "#!/bin/sh\necho 0\n");
	command("apt-get", "#!/bin/sh\necho noise\ncase $* in *update*) exit ;; esac\ncase $* in *--no-install-recommends\\ gcc) "
			   ";; *) exit 9 ;; esac\n"
			   "echo 'pmstatus:gcc:37.5000:Unpacking gcc (amd64)' >&3\nsleep 11\nexit $STATUS\n");
	return program_run("STATUS=%s PATH=%s:$PATH bash -c 'scripts/setup | while read -r l; do echo \"$SECONDS $l\"; done; "
			   "echo status ${PIPESTATUS[0]}'",
			   status, program_tmp());
}

Test(setup, prints_a_line_every_ten_seconds)
{
	struct program p = set_up("0");
	unsigned before, at;
	const char *line = strstr(p.out, "\n");

	cr_assert_eq(sscanf(p.out, "%u installing: gcc\n", &before), 1, "%s", p.out);
	cr_assert(line && strstr(line, " s: 37 %: Unpacking gcc\n"), "%s", p.out);
	cr_assert_eq(sscanf(line + 1, "%u", &at), 1);
	cr_expect(at <= before + 10, "%s", p.out);
	cr_expect_null(strstr(p.out, "noise"), "%s", p.out);
	cr_expect(strstr(p.out, "\nstatus 0\n"), "%s", p.out);
	program_free(&p);
}

Test(setup, fails_as_apt_get_does)
{
	struct program p = set_up("100");

	cr_expect(strstr(p.out, "\nstatus 100\n"), "%s", p.out);
	program_free(&p);
}
