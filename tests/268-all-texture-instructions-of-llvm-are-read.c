/* Every texture and surface intrinsic that LLVM has for PTX, as clang-14 writes it, so that no form is missed because
 * nobody thought of it. Skipped where clang-14 is not installed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "support/program.h"

struct ir { /* LLVM assembly: declarations, and the body of a kernel */
	FILE *declarations, *body;
	unsigned n; /* calls */
};

static const struct {
	const char *name;
	unsigned layered, coordinates;
} shapes[] = {{"1d", 0, 1}, {"1d.array", 1, 1}, {"2d", 0, 2},	     {"2d.array", 1, 2},
	      {"3d", 0, 3}, {"cube", 0, 3},	{"cube.array", 1, 3}};
enum { SHAPES = sizeof shapes / sizeof shapes[0], SURFACE_SHAPES = SHAPES - 2 };

static const char *value_of(const char *type)
{
	return !strcmp(type, "float") ? "%f" : !strcmp(type, "i16") ? "%h" : !strcmp(type, "i32") ? "%i" : "%t";
}

/* args: types, with a space between. */
static void call(struct ir *x, const char *name, const char *result, const char *args)
{
	char types[256] = "", values[512] = "", *copy = strdup(args), *rest = copy;

	for (char *t; (t = strtok_r(rest, " ", &rest));) {
		size_t a = strlen(types), b = strlen(values);

		snprintf(types + a, sizeof types - a, "%s%s", a ? ", " : "", t);
		snprintf(values + b, sizeof values - b, "%s%s %s", b ? ", " : "", t, value_of(t));
	}
	fprintf(x->declarations, "declare %s @llvm.nvvm.%s(%s)\n", result, name, types);
	x->n++;
	if (strcmp(result, "void") != 0)
		fprintf(x->body, "  %%v%u = ", x->n);
	fprintf(x->body, "call %s @llvm.nvvm.%s(%s)\n", result, name, values);
	free(copy);
}

/* n types, each with a space in front. */
static const char *repeated(const char *type, unsigned n, char to[128])
{
	*to = 0;
	for (unsigned i = 0; i < n; i++) {
		strcat(to, " ");
		strcat(to, type);
	}
	return to;
}

static void fetches(struct ir *x)
{
	static const char *const types[] = {"f32", "s32", "u32"}, *const results[] = {"float", "i32", "i32"};
	static const char *const forms[] = {"s32", "f32", "level", "grad"};
	char name[128], args[256], result[128], at[128], more[128];

	for (unsigned s = 0; s < SHAPES; s++) {
		for (unsigned t = 0; t < 3; t++) {
			for (unsigned f = 0; f < 4; f++) {
				if (s >= SURFACE_SHAPES && (f == 0 || f == 3)) /* cubes have neither */
					continue;
				snprintf(name, sizeof name, "tex.unified.%s.%s%sv4%s.%s", shapes[s].name, f > 1 ? forms[f] : "",
					 f > 1 ? "." : "", types[t], f ? "f32" : "s32");
				snprintf(args, sizeof args, "i64%s%s%s", shapes[s].layered ? " i32" : "",
					 repeated(f ? "float" : "i32", shapes[s].coordinates, at),
					 repeated("float",
						  f == 2   ? 1
						  : f == 3 ? 2 * shapes[s].coordinates
							   : 0,
						  more));
				snprintf(result, sizeof result, "{ %s, %s, %s, %s }", results[t], results[t], results[t],
					 results[t]);
				call(x, name, result, args);
			}
		}
	}
	for (unsigned t = 0; t < 12; t++) {
		const char *r = results[t % 3];

		snprintf(name, sizeof name, "tld4.unified.%c.2d.v4%s.f32", "rgba"[t / 3], types[t % 3]);
		snprintf(result, sizeof result, "{ %s, %s, %s, %s }", r, r, r, r);
		call(x, name, result, "i64 float float");
	}
}

static void surfaces(struct ir *x)
{
	static const char *const types[] = {"i8", "i16", "i32", "i64"}, *const registers[] = {"i16", "i16", "i32", "i64"};
	static const char *const modes[] = {"clamp", "trap", "zero"};
	char name[128], store[160], args[512], result[128], at[128], data[128];

	for (unsigned s = 0; s < SURFACE_SHAPES; s++) {
		for (unsigned k = 0; k < 4 * 3 * 3; k++) {
			unsigned t = k % 4, n = 1u << k / 4 % 3;
			const char *r = registers[t], *mode = modes[k / 12];

			if (t == 3 && n == 4)
				continue;
			snprintf(result, sizeof result, n == 4 ? "{ %s, %s, %s, %s }" : n == 2 ? "{ %s, %s }" : "%s", r, r, r, r);
			snprintf(args, sizeof args, "i64%s", repeated("i32", shapes[s].layered + shapes[s].coordinates, at));
			snprintf(name, sizeof name, "suld.%s.%s%s.%s", shapes[s].name,
				 n == 4	  ? "v4"
				 : n == 2 ? "v2"
					  : "",
				 types[t], mode);
			call(x, name, result, args);
			snprintf(store, sizeof store, "sust.b.%s", name + strlen("suld."));
			strcat(args, repeated(r, n, data));
			call(x, store, "void", args);
		}
	}
}

static void queries(struct ir *x)
{
	static const char *const names[] = {"txq.channel.order",
					    "txq.channel.data.type",
					    "txq.width",
					    "txq.height",
					    "txq.depth",
					    "txq.array.size",
					    "txq.num.mipmap.levels",
					    "suq.width",
					    "suq.height",
					    "suq.depth",
					    "suq.array.size",
					    "suq.channel.order",
					    "suq.channel.data.type"};

	for (unsigned q = 0; q < sizeof names / sizeof names[0]; q++) {
		call(x, names[q], "i32", "i64");
		fprintf(x->body, "  store volatile i32 %%v%u, i32 addrspace(1)* %%p\n", x->n);
	}
}

Test(texture_forms, all_of_llvms_are_read)
{
	static const char frame[] =
		"target triple = \"nvptx64-nvidia-cuda\"\n%s"
		"define void @k(i64 %%t, i32 %%i, float %%f, i16 %%h, i32 addrspace(1)* %%p) {\n%s  ret void\n}\n"
		"!nvvm.annotations = !{!0}\n"
		"!0 = !{void (i64, i32, float, i16, i32 addrspace(1)*)* @k, !\"kernel\", i32 1}\n";
	char *text[2], *all = NULL;
	size_t bytes[2];
	struct ir x = {open_memstream(&text[0], &bytes[0]), open_memstream(&text[1], &bytes[1]), 0};
	struct program p = program_run("command -v clang-14");

	if (p.status)
		cr_skip_test("clang-14 is not installed");
	program_free(&p);
	fetches(&x);
	surfaces(&x);
	queries(&x);
	fclose(x.declarations);
	fclose(x.body);
	cr_assert(asprintf(&all, frame, text[0], text[1]) > 0);
	program_file("forms.ll", all);
	p = program_run("clang-14 -S --target=nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_70 %s/forms.ll -o %s/forms.ptx",
			program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("grep -cE '^\\s(tex|tld4|txq|suld|sust|suq)\\.' %s/forms.ptx", program_tmp());
	cr_assert_eq(atoi(p.out), (int)x.n, "clang leaves no call out: %s of %u", p.out, x.n);
	program_free(&p);
	p = program_run("locus ptx %s/forms.ptx", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.out);
	cr_assert_null(strstr(p.out, "not supported"), "%s", p.out);
	program_free(&p);
	free(text[0]);
	free(text[1]);
	free(all);
}
