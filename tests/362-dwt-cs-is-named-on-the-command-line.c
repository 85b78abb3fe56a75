/* 362: --throttle dwt-cs: what it sets, what it needs not, and what is refused with one line. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

#define RUN "locus run vectoradd --size test --max-cycles 1 "

static void sets(const char *option, const char *const *line)
{
	struct program p = program_run(RUN "%s --json %s/p.json && grep throttle %s/p.json", option, program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	for (; *line; line++)
		cr_assert(strstr(p.out, *line), "%s in %s", *line, p.out);
	program_free(&p);
}

Test(dwt_cs_options, set_the_keys_of_the_machine)
{
	sets("--throttle dwt-cs",
	     (const char *const[]){"\"throttle.policy\": \"dwt-cs\",\n", "\"throttle.period\": 10000,\n", "\"throttle.n\": 2,\n",
				   "\"throttle.m\": 4,\n", "\"throttle.threshold\": 10,\n", "\"throttle.unit\": \"thread\",\n",
				   "\"throttle.over\": \"mean\",\n", NULL});
	sets("--throttle dwt-cs:n=3,m=5,unit=cycles,over=any,threshold=30,period=5000,entries=4,latency=2,watchdog=0",
	     (const char *const[]){"\"throttle.n\": 3,\n", "\"throttle.m\": 5,\n", "\"throttle.unit\": \"cycles\",\n",
				   "\"throttle.over\": \"any\",\n", "\"throttle.threshold\": 30,\n", "\"throttle.period\": 5000,\n",
				   "\"throttle.entries\": 4,\n", "\"throttle.latency\": 2,\n", "\"throttle.watchdog\": 0,\n",
				   NULL});
}

static void refused(const char *options, const char *line)
{
	struct program p = program_run(RUN "%s", options);

	cr_assert_eq(p.status, 2, "%s: %s", options, p.out);
	cr_assert_str_eq(p.err, line, "%s", p.err);
	program_free(&p);
}

Test(dwt_cs_options, refuse_what_cannot_be)
{
	refused("--throttle dwt-cs:unit=hour", "locus: --throttle: throttle.unit: \"hour\" is not one of thread | warp | cycles\n");
	refused("--throttle dwt-cs:n=0", "locus: --throttle: throttle.n: 0 is not in 1..15\n");
	refused("--throttle dwt-cs:m=256", "locus: --throttle: throttle.m: 256 is not in 1..255\n");
	refused("--throttle dwt-cs:over=most", "locus: --throttle: throttle.over: \"most\" is not one of mean | any\n");
	/* 15 SMs: 34 cycles a kernel; 8 of them, and 8 cycles each way. */
	refused("--throttle dwt-cs:period=287",
		"locus: --throttle dwt-cs:period=287: throttle.period: 287 cycles are fewer than the 288 that messages of "
		"15 SMs and 8 kernels need (throttle.entries, throttle.latency)\n");
	refused("--throttle dwt-cs --set sm.count=1",
		"locus: --throttle dwt-cs: throttle.policy: dwt-cs compares 2 to 256 SMs, not 1\n");
}

/* vectoradd has two loads of a line each and a store in some 15 instructions: about 140 misses in a thousand warp
 * instructions, a 32nd of that in a thousand thread instructions. */
Test(dwt_cs_options, the_unit_decides_what_is_above_the_threshold)
{
	static const char *const unit[] = {"thread", "warp", "cycles"};
	unsigned long above[3];

	for (unsigned i = 0; i < 3; i++) {
		struct program p = program_run("locus run vectoradd --throttle dwt-cs:period=1000,unit=%s", unit[i]);
		const char *at = strstr(p.out, "throttle.periods_above");

		cr_assert_eq(p.status, 0, "%s", p.err);
		cr_assert_not_null(at, "%s", p.out);
		above[i] = strtoul(at + strlen("throttle.periods_above"), NULL, 10);
		program_free(&p);
	}
	cr_assert_eq(above[0], 0);
	cr_assert_gt(above[1], 0);
	cr_assert_gt(above[2], 0);
}
