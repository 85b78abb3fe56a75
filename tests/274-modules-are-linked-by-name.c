/* ptx_link: functions and variables that one module declares and another one defines, as programs of several files
 * (-rdc) have them. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define V ".version 6.0\n.target sm_60\n.address_size 64\n"
#define ONE(name, op)                                                                                                              \
	".func (.param .b32 r) " name "(.param .b32 n)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n" op                          \
	"st.param.b32 [r], %r1;\nret;\n}\n"
#define CALL(name)                                                                                                                 \
	"{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\ncall (b), " name ", (a);\nld.param.b32 %r1, [b];\n}\n"

/* out = twice(3 * shared_count + factors[1]), by a call in another module, which calls back into this one */
static const char caller[] =
	V ".extern .func (.param .b32 r) there(.param .b32 n);\n.extern .global .u32 count;\n.extern .const .align 4 .u32 "
	  "factors[2];\n"
	  ".visible " ONE("twice", "add.u32 %r1, %r1, %r1;\n") ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<8>;\n.reg .b64 "
							       "%rd<8>;\nld.param.u64 %rd1, [out];\n"
							       "ld.global.u32 %r1, [count];\nmul.lo.u32 %r1, %r1, 3;\nld.const.u32 "
							       "%r2, [factors+4];\nadd.u32 %r1, %r1, %r2;\n" CALL(
								       "there") "st.global.u32 [%rd1], %r1;\nret;\n}\n";
static const char callee[] = V ".extern .func (.param .b32 r) twice(.param .b32 n);\n.visible .global .u32 count = 5;\n"
			       ".visible .const .align 4 .u32 factors[2] = {10, 20};\n.visible " ONE("there", CALL("twice"));

static struct ptx_module *open_text(const char *text, const char *name)
{
	struct err e = {""};
	struct ptx_module *m = ptx_parse(text, strlen(text), name, &e);

	cr_assert_not_null(m, "%s", e.text);
	return m;
}

static int run(struct ptx_module *m, struct memory *mem, uint64_t out, struct err *e)
{
	struct ptx_launch l = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &out};

	return ptx_run(ptx_kernel_named(m, "k"), &l, mem, NULL, 0, e);
}

static void expect(struct ptx_module *m, struct memory *mem, int out, uint32_t want)
{
	struct err e = {""};
	uint32_t got;

	cr_assert_eq(run(m, mem, mem->buffer[out].base, &e), 0, "%s", e.text);
	memcpy(&got, mem->buffer[out].bytes, sizeof got);
	cr_assert_eq(got, want, "%u", got);
}

Test(ptx_link, names_are_found_in_the_other_module)
{
	struct ptx_module *m[2] = {open_text(caller, "a.ptx"), open_text(callee, "b.ptx")};
	struct memory mem = {0};
	struct err e = {""};
	int out = memory_add(&mem, "out", 64, &e);

	ptx_link(m[0], m[1]);
	ptx_link(m[1], m[0]);
	for (int i = 0; i < 2; i++)
		cr_assert_eq(ptx_bind(m[i], &mem, &e), 0, "%s", e.text);
	expect(m[0], &mem, out, 70); /* 2 * (3 * 5 + 20) */
	ptx_close(m[0]);
	ptx_close(m[1]);
	memory_free(&mem);
}

/* As a program registers its modules one after another. */
Test(ptx_link, a_bound_module_may_be_linked_to_a_bound_one)
{
	struct ptx_module *m[2] = {open_text(caller, "a.ptx"), open_text(callee, "b.ptx")};
	struct memory mem = {0};
	struct err e = {""};
	int out = memory_add(&mem, "out", 64, &e);

	cr_assert_eq(ptx_bind(m[0], &mem, &e), 0);
	cr_assert_eq(run(m[0], &mem, mem.buffer[out].base, &e), -1);
	cr_assert(strstr(e.text, "a.ptx:") && strstr(e.text, "count is declared extern and nowhere defined"), "%s", e.text);
	ptx_link(m[1], m[0]);
	e.text[0] = 0;
	cr_assert_eq(ptx_bind(m[1], &mem, &e), 0);
	ptx_link(m[0], m[1]);
	expect(m[0], &mem, out, 70);
	ptx_close(m[0]);
	ptx_close(m[1]);
	memory_free(&mem);
}

/* A function that is called through an address which the other module put into its table; one that is not .visible
 * is nobody else's. */
Test(ptx_link, an_address_may_be_of_another_modules_function)
{
	static const char table[] =
		V ".extern .func (.param .b32 r) square(.param .b32 n);\n.extern .global .u64 table[1];\n"
		  ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [out];\n"
		  "ld.global.u64 %rd2, [table];\nmov.u32 %r1, 7;\n" CALL("%rd2") "mov.u64 %rd3, square;\n" CALL(
			  "%rd3") "st.global.u32 [%rd1], %r1;\nret;\n}\n";
	static const char other[] = V ".visible " ONE("square", "mul.lo.u32 %r1, %r1, %r1;\n")
		ONE("hidden", "add.u32 %r1, %r1, 1;\n") ".visible .global .u64 table[1] = {hidden};\n";
	static const char wants[] = V ".extern .func (.param .b32 r) hidden(.param .b32 n);\n"
				      ".entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n" CALL("hidden") "ret;\n}\n";
	struct ptx_module *m[3] = {open_text(table, "a.ptx"), open_text(other, "b.ptx"), open_text(wants, "c.ptx")};
	struct memory mem = {0};
	struct err e = {""};
	int out = memory_add(&mem, "out", 64, &e);

	ptx_link(m[0], m[1]);
	ptx_link(m[2], m[1]);
	for (int i = 0; i < 3; i++)
		cr_assert_eq(ptx_bind(m[i], &mem, &e), 0, "%s", e.text);
	expect(m[0], &mem, out, 64);
	cr_assert_eq(run(m[2], &mem, mem.buffer[out].base, &e), -1);
	cr_assert(strstr(e.text, "a call of hidden, a function without a body"), "%s", e.text);
	for (int i = 0; i < 3; i++)
		ptx_close(m[i]);
	memory_free(&mem);
}

/* .alias: another name of a function. */
Test(ptx_link, an_alias_is_the_function_itself)
{
	static const char text[] = V ".func (.param .b32 r) other(.param .b32 n);\n.visible " ONE(
		"square", "mul.lo.u32 %r1, %r1, %r1;\n") ".alias other, square;\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 "
							 "%r<8>;\n.reg .b64 %rd<8>;\n"
							 "ld.param.u64 %rd1, [out];\nmov.u32 %r1, 9;\n" CALL(
								 "other") "st.global.u32 [%rd1], %r1;\nret;\n}\n";
	struct ptx_module *m = open_text(text, "a.ptx");
	struct memory mem = {0};
	struct err e = {""};
	int out = memory_add(&mem, "out", 64, &e);

	cr_assert_eq(ptx_bind(m, &mem, &e), 0, "%s", e.text);
	expect(m, &mem, out, 81);
	ptx_close(m);
	memory_free(&mem);
}
