/* Views, handles and instructions that do not fit one another. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"
#include "support/texture.h"

#define R4	 "{%r4, %r5, %r6, %r7}"
#define CASES(c) sizeof(c) / sizeof(c)[0]

static const float texels[64];

Test(texture_refusal, a_fetch_that_fits_no_texture_ends_the_run)
{
	static const struct {
		const char *insn;
		struct texture_view v;
		const char *want;
	} cases[] = {
		{"tex.3d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}];", {0}, "a 3d fetch from a texture of rows"},
		{"tex.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];",
		 {.shape = TEXTURE_LINEAR},
		 "a 2d fetch from a texture of linear memory"},
		{"tex.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];", {.shape = TEXTURE_A2D}, "a 2d fetch from a texture of layers"},
		{"tex.cube.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}];", {.shape = TEXTURE_ACUBE}, "of layers of cubes"},
		{"tex.a1d.v4.f32.f32 " R4 ", [%rd3, {%r10, %f11}];",
		 {.shape = TEXTURE_CUBE},
		 "an a1d fetch from a texture of a cube's faces"},
		{"tex.1d.v4.u32.f32 " R4 ", [%rd3, {%f10}];", {.format = TEXTURE_U8, .linear = true}, "with a linear filter"},
		{"tex.1d.v4.s32.f32 " R4 ", [%rd3, {%f10}];", {.format = TEXTURE_F16}, "fetches integers from a texture of floats"},
		{"tld4.r.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];",
		 {.format = TEXTURE_U32},
		 "floats from a texture of 32-bit integers"},
		{"tex.1d.v4.f32.f32 " R4 ", [7, {%f10}];", {0}, "0x7 is not a texture"},
		{"mov.u64 %rd3, canvas; tex.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}];", {0}, "is not a texture"},
		{"txq.width.b32 %r4, [1];", {0}, "0x1 is not a texture"},
	};

	for (unsigned i = 0; i < CASES(cases); i++) {
		struct texture_view v = cases[i].v;

		v.format = v.format ? v.format : v.linear ? TEXTURE_U8 : TEXTURE_F32;
		v.channels = v.width = v.height = 1;
		texture_fails(cases[i].insn, v, texels, sizeof texels, cases[i].want);
	}
}

Test(texture_refusal, a_view_has_a_shape_that_its_buffer_holds)
{
	static const struct {
		struct texture_view v; /* .width, .height 4 if 0 */
		const char *want;
	} cases[] = {
		{{.shape = TEXTURE_LINEAR}, "one dimension has 4 rows"},
		{{.shape = TEXTURE_A1D, .depth = 2}, "one dimension has 4 rows"},
		{{.depth = 2}, "without slices or layers has 2 of them"},
		{{.shape = TEXTURE_CUBE, .height = 2}, "faces of 4 x 2 texels are not square"},
		{{.shape = TEXTURE_CUBE, .width = 1, .height = 1, .depth = 5}, "a cube has 6 faces, not 5"},
		{{.shape = TEXTURE_ACUBE, .width = 1, .height = 1, .depth = 13}, "must have 6 faces for each cube, not 13 in all"},
		{{.shape = TEXTURE_3D, .depth = 5}, "320 bytes from"},
		{{.shape = TEXTURE_A2D, .depth = 2, .slice_pitch = 60}, "a slice pitch of 60 bytes for 4 rows of 16"},
		{{.shape = TEXTURE_3D, .depth = 2, .slice_pitch = 66}, "a slice pitch of 66"},
		{{.shape = TEXTURE_3D, .width = 1u << 20, .height = 1u << 20, .depth = 1u << 20}, "more than 2^40 bytes"},
		{{.levels = 17}, "17 levels, more than 16"},
		{{.levels = 2, .level = {{.address = 7}}}, "not a multiple of its texels' 4 bytes"},
		{{.levels = 2, .level = {{.address = 64}}}, "16 bytes from 0x40 on, which are not in one buffer"},
		{{.shape = TEXTURE_SHAPES}, "unknown format, shape or address mode"},
		{{.at = {TEXTURE_CLAMP, TEXTURE_ADDRESSES}}, "unknown format, shape or address mode"},
		{{.srgb = true}, "sRGB must have channels of u8"},
	};
	struct texture_rig r;

	texture_rig_new(&r, "", texels, sizeof texels);
	for (unsigned i = 0; i < CASES(cases); i++) {
		struct texture_view v = cases[i].v;
		struct err e = {""};

		v.format = TEXTURE_F32;
		v.channels = 1;
		v.width = v.width ? v.width : 4;
		v.height = v.height ? v.height : 4;
		v.address = r.address;
		cr_assert_eq(host_texture(r.h, &v, &e), 0, "%u", i);
		cr_assert(strstr(e.text, cases[i].want), "%u: %s", i, e.text);
	}
	texture_rig_free(&r);
}

Test(texture_refusal, a_destroyed_handle_is_none_even_when_its_place_is_taken)
{
	static const uint32_t words[TEXTURE_RIG_WORDS];
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1};
	struct texture_rig r;
	struct err e = {""};
	uint64_t old, next;
	uint32_t out[4];

	texture_rig_new(&r, "tex.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}];", texels, sizeof texels);
	v.address = r.address;
	old = host_texture(r.h, &v, &e);
	cr_assert_eq(texture_rig_run(&r, old, words, 1, out, &e), 0, "%s", e.text);
	cr_assert_eq(host_destroy_view(r.h, old, &e), 0, "%s", e.text);
	cr_assert_eq(texture_rig_run(&r, old, words, 1, out, &e), -1);
	cr_assert(strstr(e.text, "is not a texture"), "%s", e.text);
	e.text[0] = 0;
	next = host_texture(r.h, &v, &e);
	cr_assert(next && next != old);
	cr_assert_eq(texture_rig_run(&r, next, words, 1, out, &e), 0, "%s", e.text);
	cr_assert_eq(texture_rig_run(&r, old, words, 1, out, &e), -1);
	e.text[0] = 0;
	cr_assert_eq(host_destroy_view(r.h, old, &e), -1, "twice");
	cr_assert(strstr(e.text, "is not a texture or surface that can be destroyed"), "%s", e.text);
	cr_assert_eq(host_destroy_view(r.h, 5, &e), -1);
	texture_rig_free(&r);
}

Test(texture_refusal, a_million_textures_come_and_go)
{
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1};
	struct texture_rig r;
	struct err e = {""};

	texture_rig_new(&r, "", texels, sizeof texels);
	v.address = r.address;
	for (unsigned i = 0; i < 1000000; i++)
		cr_assert_eq(host_destroy_view(r.h, i & 1 ? host_texture(r.h, &v, &e) : host_surface(r.h, &v, &e), &e), 0);
	cr_assert_leq(host_memory(r.h)->n_textures, 3); /* the two references, and one */
	texture_rig_free(&r);
}

Test(texture_refusal, two_modules_have_a_reference_of_one_name_each)
{
	static const char text[] =
		".version 6.0\n.target sm_60\n.address_size 64\n.global .texref image;\n.global .surfref canvas;\n";
	struct memory mem = {0};
	struct err e = {""};
	struct ptx_module *m[2];
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1};
	uint64_t handle[2];

	cr_assert_geq(memory_add(&mem, "b", 64, &e), 0);
	v.address = mem.buffer[0].base;
	for (unsigned i = 0; i < 2; i++) {
		cr_assert(m[i] = ptx_parse(text, strlen(text), "t.ptx", &e), "%s", e.text);
		cr_assert_eq(ptx_bind(m[i], &mem, &e), 0, "%s", e.text);
		handle[i] = ptx_reference(m[i], "image");
	}
	cr_assert(handle[0] && handle[1] && handle[0] != handle[1]);
	cr_assert_eq(texture_rebind(&mem, handle[1], &v, &e), 0, "%s", e.text);
	cr_assert(!texture_of(&mem, handle[0])->bound && texture_of(&mem, handle[1])->bound);
	cr_assert_eq(texture_bind(&mem, "image", false, &v, &e), 0, "%s", e.text); /* by name: both */
	cr_assert(texture_of(&mem, handle[0])->bound);
	cr_assert(!texture_of(&mem, ptx_reference(m[0], "canvas"))->bound);
	cr_assert_eq(texture_rebind(&mem, 99, &v, &e), -1);
	cr_assert(strstr(e.text, "0x63 is not a .texref or .surfref"), "%s", e.text);
	cr_assert_eq(texture_destroy(&mem, handle[0], &e), -1, "a reference stays");
	cr_assert_eq(ptx_reference(m[0], "nobody"), 0);
	for (unsigned i = 0; i < 2; i++)
		ptx_close(m[i]);
	memory_free(&mem);
}

Test(texture_refusal, what_is_not_supported_is_said)
{
	static const char *const insns[] = {
		"tex.1d.v4.f16.f32 {%h1, %h2, %h3, %h4}, [image, {%f1}];",
		"tex.1d.v2.f16x2.f32 {%r1, %r2}, [image, {%f1}];",
		"tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1, %r2, %r3, %r3}];",
		"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, sampler, {%f1}];",
		"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1}], {%r1};", /* an offset */
		"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1}];",
		"tex.cube.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1, %r1, %r1, %r1}];",
		"tex.level.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1}];",
		"tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1, %f2}], {%f1}, {%f2};",
		"tld4.r.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1}];",
		"tld4.x.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1, %f2}];",
		"txq.filter_mode.b32 %r1, [image];",
		"txq.level.array_size.b32 %r1, [image], %r2;",
		"txq.width.b32 %r1, [canvas];",
		"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [canvas, {%f1}];",
	};
	FILE *nowhere = fopen("/dev/null", "w");

	for (unsigned i = 0; i < CASES(insns); i++) {
		struct ptx_try t;
		char body[300];

		snprintf(body, sizeof body, "%s ret;", insns[i]);
		ptx_try_parse(&t, ".global .texref image;\n.global .surfref canvas;\n.global .samplerref sampler;\n", body);
		cr_assert(t.m, "%s: %s", insns[i], t.e.text);
		cr_assert_eq(ptx_print(t.m, nowhere), 1, "%s", insns[i]);
		ptx_try_free(&t);
	}
	fclose(nowhere);
}
