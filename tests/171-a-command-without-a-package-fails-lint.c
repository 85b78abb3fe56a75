/* 171: scripts/commands (`make lint-commands`) fails on each command that no package of scripts/setup has, in scripts,
 * makefiles, tests and the program, and on nothing else. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* Exit status and standard error of the check, on files of the names and texts given, with their folder cut off. */
static struct program check(const char *name, const char *text)
{
	program_file(name, text);
	return program_run("{ scripts/commands %s/%s 2>&1 >&3 | sed 's,^%s/,,' >&2; } 3>&1", program_tmp(), name, program_tmp());
}

static void finds(const char *name, const char *text, const char *const expected[])
{
	struct program p = check(name, text);
	const char *at = p.err;

	for (unsigned i = 0; expected[i]; i++) {
		cr_expect(!strncmp(at, expected[i], strlen(expected[i])) && at[strlen(expected[i])] == ':',
			  "%s: expected %s in: %s", name, expected[i], p.err);
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : at + strlen(at);
	}
	cr_expect_str_empty(at, "%s: %s", name, at);
	program_free(&p);
}

#define NONE ((const char *const[]){NULL})

/* The line of scripts/sampling that failed on a bare Debian 12 is the first. */
Test(commands, of_shell_scripts)
{
	finds("script",
	      "#!/bin/bash\n"
	      "awk -v sampled=\"$(cat \"${seeds[@]/%.json/.s}\" | paste -sd+ | bc)\" '{ print \"no | command\" }'\n"
	      "x=1 xxd </dev/null && echo no-command | sort; (rsync a b) || if ! jq .; then pv; fi\n"
	      "nice -n 5 xargs -P2 parallel\n"
	      "for a in convert display; do echo ${x:-$(ffmpeg \"$a\")}; done\n"
	      "case $x in convert | display) ack ;; *) fish ;; esac\n"
	      "cat <<END\nconvert\nEND\n"
	      "trap 'zsh' EXIT; sh -c \"yash\"; find . -exec exiftool {} ';'\n"
	      "f() { bat; } # convert\n"
	      "f $((convert + 1)) >convert 2>&1; array=(convert display); [[ $x == (convert) ]]\n",
	      (const char *const[]){"script:2: bc", "script:3: xxd", "script:3: rsync", "script:3: jq", "script:3: pv",
				    "script:4: parallel", "script:5: ffmpeg", "script:6: ack", "script:6: fish",
				    "script:10: exiftool", "script:11: bat", "script:10: zsh", "script:10: yash", NULL});
	finds("script2",
	      "#!/bin/sh\ncat a | LC_ALL=C sort | awk '{ print }' | sed -n 1p >b\ncommand -v bc >/dev/null || exit 2\ngcc "
	      "--version\nverilator\n",
	      NONE);
}

Test(commands, of_makefiles)
{
	finds("rules.mk",
	      "NOW := $(shell date | dos2unix)\n"
	      "a: b ## bc; convert\n"
	      "\t@$(CC) -o $@ $< && rsync $$HOME\n"
	      "\t$(Q)cp a b; \\\n"
	      "\tbc\n"
	      "c: ; @jq . # convert\n"
	      "convert := display\n",
	      (const char *const[]){"rules.mk:1: dos2unix", "rules.mk:3: rsync", "rules.mk:5: bc", "rules.mk:6: jq", NULL});
}

Test(commands, of_c)
{
	finds("test.c",
	      "#define COUNT \" | bc\"\n"
	      "void f(void)\n{\n"
	      "\tprogram_run(\"locus run %s | xxd \"\n\t\t\"-p\" COUNT, \"convert\");\n"
	      "\tif (system(\"rsync a b\") != 0)\n\t\tputs(\"convert | display\");\n"
	      "\texeclp(\"jq\", \"jq\", NULL);\n"
	      "\tconst char *const argv[] = {\"ffmpeg\", \"convert\", NULL};\n"
	      "\tprogram_file(\"fake\", \"#!/bin/sh\\nack \\\"$1\\\"\\n\");\n"
	      "\tconst char *const none[] = {\"convert\", NULL};\n}\n",
	      (const char *const[]){"test.c:8: jq", "test.c:9: ffmpeg", "test.c:4: xxd", "test.c:4: bc", "test.c:6: rsync",
				    "test.c:11: ack", NULL});
}
