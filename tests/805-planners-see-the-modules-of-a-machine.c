/* 805: modules and stacks of machines of several modules, and where fine-grained pages are. */
#include <criterion/criterion.h>

#include "base/files/root.h"
#include "plan/topology_view.h"
#include "support/program.h"

static void view_of(const char *yaml, struct topology_view *s, struct arena *a)
{
	char path[256], machines[ROOT_PATH_MAX];
	struct machine m;
	struct err e = {""};

	program_file("modules.yaml", yaml);
	snprintf(path, sizeof path, "%s/modules.yaml", program_tmp());
	cr_assert_eq(machine_load(&m, path, root_path("csim/machines", machines), &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	topology_view_of(s, &m, a);
}

Test(topology_view, of_equal_modules)
{
	struct arena a = {0};
	struct topology_view s;

	view_of("base: gtx480\nmodule: {count: 4}\nsm: {count: 3}\ndram: {channels: 2, stacks: 2}\n"
		"link: {topology: ring, gbps: 64, latency: 20}\n",
		&s, &a);
	cr_expect(s.n_modules == 4 && s.n_sms == 12 && s.n_stacks == 8 && s.page == 4096);
	for (uint32_t i = 0; i < 12; i++)
		cr_expect_eq(s.module_of_sm[i], i / 3);
	for (uint32_t k = 0; k < 8; k++)
		cr_expect_eq(s.module_of_stack[k], k / 2);
	/* The second module's stacks are 2 and 3, in turn. */
	cr_expect(topology_view_stack(&s, 1, 0) == 2 && topology_view_stack(&s, 1, 1) == 3 && topology_view_stack(&s, 1, 2) == 2);
	/* Eight stacks: the three highest bits of a page's offset, 512 bytes each; page after page. */
	cr_expect(topology_view_fgp(&s, 0x1000) == 0 && topology_view_fgp(&s, 0x11ff) == 0 && topology_view_fgp(&s, 0x1200) == 1);
	cr_expect(topology_view_fgp(&s, 0x1fff) == 7);
	cr_expect(topology_view_cgp(&s, 0x1fff) == 1 && topology_view_cgp(&s, 0x8000) == 0);
	arena_free(&a);
}

/* As exascale25 in small: one module with more SMs and stacks than the others. */
Test(topology_view, of_modules_of_several_kinds)
{
	static const uint16_t module_of_stack[8] = {0, 0, 0, 0, 0, 1, 2, 3};
	struct arena a = {0};
	struct topology_view s;

	view_of("base: gtx480\nmodule: {count: 4}\nsm: {count: [4, 1]}\ndram: {channels: 2, stacks: [5, 1]}\n"
		"map: {fgp_lsb: 8}\nlink: {topology: ring, gbps: 64, latency: 20}\n",
		&s, &a);
	cr_expect(s.n_modules == 4 && s.n_sms == 7 && s.n_stacks == 8);
	cr_expect(s.sms[0] == 4 && s.sms[1] == 1 && s.sms[3] == 1);
	for (uint32_t i = 0; i < 7; i++)
		cr_expect_eq(s.module_of_sm[i], i < 4 ? 0 : i - 3);
	for (uint32_t k = 0; k < 8; k++)
		cr_expect_eq(s.module_of_stack[k], module_of_stack[k]);
	cr_expect(topology_view_stack(&s, 0, 6) == 1 && topology_view_stack(&s, 3, 6) == 7);
	cr_expect(topology_view_fgp(&s, 0xff) == 0 && topology_view_fgp(&s, 0x100) == 1 && topology_view_fgp(&s, 0x7ff) == 7);
	arena_free(&a);
}
