/* 118: bash completion, asked as bash asks it. What it should offer is taken from --help, from `locus list` and from
 * folders by other means than its own. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* The candidates for the last of the words, sorted, a line each. */
static struct program complete(const char *words)
{
	return program_run("cat >%s/complete.bash <<'END'\n"
			   "PATH=${LOCUS_BUILD:-$PWD/build}:$PATH\n"
			   ". scripts/completion.bash\n"
			   "COMP_WORDS=(locus %s) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
			   "_locus\n"
			   "printf '%%s\\n' \"${COMPREPLY[@]}\" | LC_ALL=C sort\n"
			   "END\n"
			   "bash %s/complete.bash",
			   program_tmp(), words, program_tmp());
}

Test(completion, offers_words_at_every_position)
{
	static const struct {
		const char *words, *offers;
	} cases[] = {
		{"foo", "footprint\n"},
		{"--v", "--version\n"},
		{"run syr", "syr2k\nsyrk\n"},
		{"run syrk --mach", "--machine\n"},
		{"run syrk --machine ndp", "ndp4\n"},
		{"run syrk -m ndp", "ndp4\n"},
		{"run syrk --machine=ndp", ""}, /* bash cuts at "=": never one word */
		{"run syrk --machine = ndp", "ndp4\n"},
		{"run --no-skip syr", "syr2k\nsyrk\n"},
		{"run --size = ''", "default\npaper\ntest\n"},
		{"run --on ''", "cpu\ngpu\n"},
		{"run syrk --plan paver-", "paver-kway\npaver-mst\npaver-rb\n"},
		{"run syrk --arg pi", "pitch=\n"},
		{"run syrk --set l1.as", "l1.assoc=\n"},
		{"run syrk -s sm.sche", "sm.schedule=\nsm.scheduler=\nsm.schedulers=\n"},
		{"run syrk --set sm.scheduler = g", "gto\ngty\n"},
		{"run syrk --set l1.enabled = ''", "false\ntrue\n"},
		{"help ru", "run\n"},
		{"list ke", "keys\n"},
		{"run traces/examples/sp", "traces/examples/spmv.yaml\n"},
		{"cosim syrk --hw set", "set_monitor=\n"},
		{"cosim syrk --hw pric = l", "lockstep\n"},
		{"signoff rtl/pric/pric_index_f", "rtl/pric/pric_index_fault.v\nrtl/pric/pric_index_fault_tb.v\n"},
		{"signoff x.v --block set", "set_monitor\n"},
		{"cosim syrk --hw pric = lockstep,pa", "lockstep,paver=\n"},
		{"cosim syrk --rtl pric = rtl/pric/pric_index_f", "rtl/pric/pric_index_fault.v\nrtl/pric/pric_index_fault_tb.v\n"},
		{"list pl", "planners\n"},
		{"study ta", "tafe\n"},
		{"sweep pl", "plot\n"},
		{"sweep table traces/examples/sw", "traces/examples/sweep.yaml\n"},
		{"sweep --mean = geo", "geometric\n"},
		{"blocks de", "decoder\ndecoder_pipe\n"},
		{"trace d", "docs\ndump\n"},
		{"machine im", "import\n"},
		{"machine show ndp", "ndp4\n"},
		{"machine import traces/examples/gp", "traces/examples/gpgpusim.config\n"},
		{"machine import --base ndp", "ndp4\n"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p = complete(cases[i].words);
		const char *offered = strcmp(p.out, "\n") ? p.out : "";

		cr_expect_str_eq(offered, cases[i].offers, "%s: %s%s", cases[i].words, p.out, p.err);
		cr_expect_str_empty(p.err);
		program_free(&p);
	}
}

/* grep's list of options: --usage names them in another form. */
Test(completion, offers_exactly_the_options_of_each_command)
{
	struct program names = program_run("locus --help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p'");
	char *save = NULL;
	unsigned n = 0;

	for (char *name = strtok_r(names.out, "\n", &save); name; name = strtok_r(NULL, "\n", &save), n++) {
		char words[64];
		struct program p, usage = program_run("locus %s --usage | grep -o -- '--[a-z][a-z0-9-]*' | LC_ALL=C sort -u", name);

		snprintf(words, sizeof words, "%s --", name);
		p = complete(words);
		cr_expect_str_eq(p.out, usage.out, "%s", name);
		program_free(&p);
		program_free(&usage);
	}
	cr_expect_geq(n, 19, "every command");
	program_free(&names);
}
