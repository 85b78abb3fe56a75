/* 923: a session is opened from plain data: what it runs, binds and finds does not depend on a command line. Known
 * answers: the instructions that the traces hold, and that Verilog and golden twins leave the same figures. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>

#include "session/result.h"
#include "session/session.h"

static const char *const small[] = {"n=32"};
static const struct session_program syrk = {.what = "syrk", .arg = small, .n_args = 1};

static int play(struct session *s, const struct session_options *o, struct err *e)
{
	return session_open(s, o, e) != 0 || session_source(s, e) != 0 || session_track(s, e) != 0 || session_plan(s, e) != 0 ||
			       session_run(s, e) != 0
		       ? -1
		       : 0;
}

static uint64_t instructions(const struct trace *t)
{
	uint64_t n = 0;

	for (uint32_t l = 0; l < trace_n_launches(t); l++)
		n += trace_launch(t, l)->warp_insts;
	return n;
}

Test(session, one_program_is_run_and_its_result_read)
{
	struct session_options o = {.program = &syrk, .n_programs = 1};
	struct err e = {""};
	struct session s;
	json_t *result;

	cr_assert_eq(play(&s, &o, &e), 0, "%s", e.text);
	cr_assert(session_is_sound(&s));
	cr_assert(s.source.checked);
	cr_assert_null(s.plan);
	result = result_json(&s);
	cr_assert_eq(result_value(result, "warp_insts"), (double)instructions(s.source.trace));
	cr_assert(isnan(result_value(result, "no such figure")));
	json_decref(result);
	session_close(&s);
}

Test(session, hardware_in_verilog_leaves_the_same_figures_and_is_compared)
{
	struct cosim_options hw;
	struct session_options golden = {.program = &syrk, .n_programs = 1, .machine.l1_index = "pric"}, lockstep = golden;
	struct err e = {""};
	struct session a, b;

	cosim_options_init(&hw, UNIT_LOCKSTEP);
	lockstep.hw = &hw;
	cr_assert_eq(play(&a, &golden, &e), 0, "%s", e.text);
	cr_assert_eq(play(&b, &lockstep, &e), 0, "%s", e.text);
	cr_assert_eq(b.mismatch, 0);
	cr_assert(session_is_sound(&b));
	cr_assert_eq(a.result.cycles, b.result.cycles);
	cr_assert_eq(a.result.stats.n, b.result.stats.n);
	session_close(&a);
	session_close(&b);
}

Test(session, several_programs_have_modules_of_their_own_and_a_plan)
{
	const struct session_program two[] = {syrk, {.what = "vectoradd"}};
	struct session_options o = {.program = two, .n_programs = 2, .size = "test", .machine.name = "ndp4"};
	struct err e = {""};
	struct session s;

	cr_assert_eq(play(&s, &o, &e), 0, "%s", e.text);
	cr_assert(session_is_sound(&s));
	cr_assert_eq(s.programs.n, 2);
	cr_assert_eq(instructions(s.source.trace), instructions(s.programs.one[0].trace) + instructions(s.programs.one[1].trace));
	cr_assert_eq(s.result.warp_insts, instructions(s.source.trace));
	cr_assert_eq(s.programs.program[1].first_module, s.programs.program[0].n_modules);
	cr_assert_not_null(s.plan);
	session_close(&s);
}

Test(session, a_step_that_fails_says_why_and_the_session_can_be_closed)
{
	static const char *const bad_set[] = {"l1.assoc=0"};
	const struct session_program none = {.what = "nosuch"}, two[] = {syrk, syrk};
	const struct {
		struct session_options o;
		const char *says;
	} known[] = {
		{{.program = &syrk, .n_programs = 1, .machine.name = "nosuch"}, "nosuch"},
		{{.program = &syrk, .n_programs = 1, .machine.set = bad_set, .machine.n_sets = 1}, "l1.assoc"},
		{{.program = &syrk, .n_programs = 1, .tracker = "nosuch"}, "nosuch"},
		{{.program = &none, .n_programs = 1}, "nosuch"},
		{{.program = &syrk, .n_programs = 1, .plan = "nosuch"}, "nosuch"},
		{{.program = &syrk, .n_programs = 1, .tracker = "hw"}, "no TAFE calls"},
		{{.program = two, .n_programs = 2}, "module"}, /* gtx480 has one */
		{{.program = two, .n_programs = 2, .machine.name = "ndp4", .plan = "tafe"}, "of one program"},
	};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct err e = {""};
		struct session s;

		cr_assert_eq(play(&s, &known[i].o, &e), -1, "case %u", i);
		cr_assert_not_null(strstr(e.text, known[i].says), "case %u: %s", i, e.text);
		session_close(&s);
	}
}
