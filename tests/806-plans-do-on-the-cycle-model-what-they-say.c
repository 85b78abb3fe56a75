/* 806: plans on a machine of four modules, a stack each: the closed forms of 803 hold for what the cycle model counts;
 * a program of a mix whose data are all its own runs as if it were alone. Translation without time (vm.tlb=false), so
 * that no page walk is among the requests. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "support/program.h"

static const char machine[] = "base: gtx480\nname: four\nmodule: {count: 4}\nsm: {count: 4}\n"
			      "dram: {channels: 2, interleave: 128}\nmap: {fgp_lsb: 7}\n"
			      "link: {topology: p2p, gbps: 16, latency: 20}\nvm: {enabled: true, tlb: false}\n";

static json_t *stats_of(const char *command)
{
	program_file("four.yaml", machine);
	return program_stats("%s", command);
}

static double remote_share(const char *options)
{
	char command[512];
	json_t *s;
	double share;

	snprintf(command, sizeof command, "locus run vectoradd --arg n=49152 --machine %s/four.yaml %s", program_tmp(), options);
	s = stats_of(command);
	share = program_stat(s, "memory.remote_share");
	json_decref(s);
	return share;
}

/* Chunks of six pages: nothing is remote under CODA. Fine-grained, three of four lines are, wherever CTAs run. The
 * model's L2s are at the memory, so that each line that an SM asks for is a request. */
Test(plans_on_the_model, closed_forms_of_vectoradd)
{
	cr_expect_eq(remote_share("--plan coda"), 0);
	cr_expect_eq(remote_share("--plan coda,source=profile"), 0);
	cr_expect_eq(remote_share("--plan fgp-only"), 0.75);
	cr_expect_eq(remote_share("--plan fgp-only+affinity"), 0.75);
	cr_expect_eq(remote_share("--plan cgp-only+affinity"), 0.75);
	cr_expect_eq(remote_share("--plan first-touch+affinity"), 0);
}

/* A chunk of a page and a half: one line of six; rounded, chunks drift. */
Test(plans_on_the_model, pages_at_borders_are_shared)
{
	cr_expect_float_eq(remote_share("--plan coda --set sm.count=1"), 1.0 / 6, 1e-12);
	cr_expect_float_eq(remote_share("--plan coda,chunk=rounded --set sm.count=1"), 0.75, 1e-12);
	cr_expect_float_eq(remote_share("--plan coda,chunk=printed --set sm.count=1"), 0.75, 1e-12);
}

static json_t *mix_of(const char *second)
{
	char command[512];

	snprintf(command, sizeof command, "locus mix vectoradd,n=20000 %s %s %s --plan own-stacks --machine %s/four.yaml", second,
		 second, second, program_tmp());
	return stats_of(command);
}

/* Four times the same program on four equal modules that share nothing: all take as long, and the first as long as
 * beside programs that hardly do anything. */
Test(plans_on_the_model, programs_with_stacks_of_their_own_do_not_meet)
{
	static const char *const names[] = {"vectoradd", "vectoradd-2", "vectoradd-3", "vectoradd-4"};
	json_t *mix = mix_of("vectoradd,n=20000"), *quiet = mix_of("nn,n=1");
	char key[64];

	cr_expect_eq(program_stat(mix, "memory.remote"), 0);
	cr_expect_eq(program_stat(quiet, "program.vectoradd.cycles"), program_stat(mix, "program.vectoradd.cycles"));
	for (int i = 0; i < 4; i++) {
		snprintf(key, sizeof key, "program.%s.cycles", names[i]);
		cr_expect_eq(program_stat(mix, key), program_stat(mix, "program.vectoradd.cycles"), "%s", names[i]);
		snprintf(key, sizeof key, "program.%s.warp_insts", names[i]);
		cr_expect_eq(4 * program_stat(mix, key), program_stat(mix, "warp_insts"));
	}
	json_decref(quiet);
	json_decref(mix);
}

/* Two programs on two modules each, spread finely: three of four lines are on another module; three programs with
 * launches of their own end each in its own time. */
Test(plans_on_the_model, programs_run_their_launches_beside_each_other)
{
	char command[512];
	json_t *s;

	snprintf(command, sizeof command, "locus mix vectoradd,n=49152 vectoradd,n=49152 --plan fgp-only --machine %s/four.yaml",
		 program_tmp());
	s = stats_of(command);
	cr_expect_eq(program_stat(s, "memory.remote_share"), 0.75);
	json_decref(s);
	snprintf(command, sizeof command, "locus mix kmeans bfs nn --size test --plan coda --machine %s/four.yaml", program_tmp());
	s = stats_of(command);
	cr_expect_eq(program_stat(s, "program.kmeans.ctas") + program_stat(s, "program.bfs.ctas") +
			     program_stat(s, "program.nn.ctas"),
		     program_stat(s, "ctas"));
	cr_expect_lt(program_stat(s, "program.nn.cycles"), program_stat(s, "program.kmeans.cycles"));
	json_decref(s);
}

Test(plans_on_the_model, mixes_that_cannot_be_are_refused)
{
	struct program p = program_run("locus mix vectoradd nn --size test");

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "2 programs need as many modules; the machine has 1"), "%s", p.err);
	program_free(&p);
	p = program_run("locus mix vectoradd");
	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "needs two or more programs"), "%s", p.err);
	program_free(&p);
	program_file("four.yaml", machine);
	p = program_run("locus mix vectoradd nn,m=3 --machine %s/four.yaml", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "m"), "%s", p.err);
	program_free(&p);
}
