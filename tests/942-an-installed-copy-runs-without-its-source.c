/* 942: make install and make uninstall. The copy is read-only and far from the checkout; what it writes goes to the
 * user's folders.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* scripts/install is what `make install` calls once all is built. */
#define INSTALL "scripts/install \"${LOCUS_BUILD:-build}\""

/* The checkout must not help: its path is in no variable, and HOME and the working folder are fresh. */
static struct program installed(const char *command)
{
	return program_run("cd %s/user && export HOME=%s/home XDG_CACHE_HOME= && unset LOCUS_ROOT && locus() { %s/inst/bin/locus "
			   "\"$@\"; } && %s",
			   program_tmp(), program_tmp(), program_tmp(), command);
}

static void install(void)
{
	struct program p = program_run("mkdir %s/home %s/user && " INSTALL " %s/inst && chmod -R a-w %s/inst", program_tmp(),
				       program_tmp(), program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static void tear_down(void)
{
	struct program p = program_run("chmod -R u+w %s/inst", program_tmp());

	program_free(&p);
}

Test(install, a_copy_runs_workloads_machines_studies_and_rtl, .fini = tear_down)
{
	static const char *const commands[] = {
		"locus --version | grep -q \"^root .*/inst/lib/locus/$\"",
		"locus list | grep -q ndp4",
		"locus run syrk --size test --l1-index pric --json pric.json",
		"locus report pric.json -o report && grep -q '<html' report/index.html",
		"locus run bfs --size test --machine ndp4 --plan coda",
		"locus run ../inst/lib/locus/traces/accelsim-sample/kernelslist.g",
		"locus run ../inst/lib/locus/traces/examples/saxpy.yaml",
		"locus footprint matmul --size test --machine exascale25",
		"locus cosim vectoradd --size test --machine gtx480 --hw decoder=lockstep --wave v.fst && test -s v.fst",
		"test -n \"$(ls ../home/.cache/locus/blocks)\"",
	};

	install();
	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		struct program p = installed(commands[i]);

		cr_expect_eq(p.status, 0, "%s: %d\n%s%s", commands[i], p.status, p.out, p.err);
		program_free(&p);
	}
}

/* root may write anywhere: what matters is that nothing appeared. */
Test(install, a_copy_writes_nothing_beside_itself, .fini = tear_down)
{
	struct program p;

	install();
	p = installed("chmod -R u+w ../inst && find ../inst | sort >before && locus blocks pric >/dev/null && "
		      "locus run syrk --size test >/dev/null && find ../inst | sort | cmp before -");
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(install, uninstall_leaves_what_was_there_before)
{
	struct program p =
		program_run("mkdir -p %s/p/bin %s/p/share/man && echo mine >%s/p/bin/mine && cd %s && find p | sort >before && "
			    "cd \"$OLDPWD\" && " INSTALL " %s/p && " INSTALL " %s/p && test -x %s/p/bin/locus && "
			    "scripts/install --remove %s/p && cd %s && find p | sort | diff before -",
			    program_tmp(), program_tmp(), program_tmp(), program_tmp(), program_tmp(), program_tmp(), program_tmp(),
			    program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
	p = program_run("scripts/install --remove %s/p", program_tmp());
	cr_expect_eq(p.status, 2, "nothing is installed there any more");
	program_free(&p);
}

Test(install, destdir_is_put_before_the_prefix)
{
	struct program p =
		program_run("DESTDIR=%s/stage " INSTALL " /opt/locus && %s/stage/opt/locus/bin/locus list machines && "
			    "DESTDIR=%s/stage scripts/install --remove /opt/locus && test -z \"$(find %s/stage -type f)\"",
			    program_tmp(), program_tmp(), program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}
