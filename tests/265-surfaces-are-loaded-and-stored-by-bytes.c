/* suld and sust: PTX ISA; x counts bytes, .trap .clamp and .zero say what is outside. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"
#include "support/texture.h"

enum { MOST = 16 };

/* Runs n threads over a surface; the bytes afterwards are in `texels`, the results in out. */
static void run(const char *insn, struct texture_view v, void *texels, size_t bytes, const int32_t at[][TEXTURE_RIG_WORDS],
		unsigned n, uint32_t out[][4])
{
	struct texture_rig r;
	struct err e = {""};

	texture_rig_new(&r, insn, texels, bytes);
	v.address = r.address;
	cr_assert_eq(host_bind_surface(r.h, "canvas", &v, &e), 0, "%s", e.text);
	cr_assert_eq(texture_rig_run(&r, host_surface(r.h, &v, &e), at, n, out, &e), 0, "%s: %s", insn, e.text);
	memcpy(texels, host_bytes(r.h, r.address, bytes), bytes);
	texture_rig_free(&r);
}

static const struct texture_view bytes_4x2 = {.format = TEXTURE_U8, .channels = 1, .width = 4, .height = 2, .pitch = 8};

Test(surface, every_size_and_vector_is_loaded)
{
	static const struct {
		const char *insn;
		uint32_t want[4];
	} cases[] = {
		{"suld.b.1d.b8.trap {%h1}, [%rd3, {%r10}]; cvt.u32.u16 %r4, %h1;", {0x08}},
		{"suld.b.1d.b16.trap %h1, [%rd3, %r10]; cvt.u32.u16 %r4, %h1;", {0x0908}},
		{"suld.b.1d.b32.trap {%r4}, [canvas, {%r10}];", {0x0b0a0908}},
		{"suld.b.1d.b64.trap {%rd4}, [%rd3, {%r10}]; mov.b64 {%r4, %r5}, %rd4;", {0x0b0a0908, 0x0f0e0d0c}},
		{"suld.b.1d.v2.b8.trap {%h1, %h2}, [%rd3, {%r10}]; mov.b32 %r4, {%h1, %h2};", {0x00090008}},
		{"suld.b.1d.v4.b16.trap {%h1, %h2, %h3, %h4}, [%rd3, {%r10}]; mov.b32 %r4, {%h1, %h2}; mov.b32 %r5, {%h3, %h4};",
		 {0x0b0a0908, 0x0f0e0d0c}},
		{"suld.b.1d.v2.b32.trap {%r4, %r5}, [%rd3, {%r10}];", {0x0b0a0908, 0x0f0e0d0c}},
	};
	static const int32_t at[1][TEXTURE_RIG_WORDS] = {{8}};
	struct texture_view v = {.format = TEXTURE_U8, .channels = 1, .width = 32, .height = 1};
	uint8_t texels[32];
	uint32_t out[1][4];

	for (unsigned i = 0; i < 32; i++)
		texels[i] = (uint8_t)i;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		run(cases[i].insn, v, texels, sizeof texels, at, 1, out);
		for (unsigned k = 0; k < 4; k++)
			cr_assert_eq(out[0][k], cases[i].want[k], "%s: %u: 0x%x", cases[i].insn, k, out[0][k]);
	}
}

Test(surface, every_size_and_vector_is_stored)
{
	static const struct {
		const char *insn;
		unsigned bytes; /* that change, from byte 16 on */
	} cases[] = {
		{"cvt.u16.u32 %h1, %r11; sust.b.1d.b8.trap [%rd3, {%r10}], {%h1};", 1},
		{"cvt.u16.u32 %h1, %r11; sust.b.1d.b16.trap [%rd3, {%r10}], %h1;", 2},
		{"sust.b.1d.b32.trap [canvas, {%r10}], {%r11};", 4},
		{"mov.b64 %rd4, {%r11, %r12}; sust.b.1d.b64.trap [%rd3, {%r10}], {%rd4};", 8},
		{"sust.b.1d.v2.b32.trap [%rd3, {%r10}], {%r11, %r12};", 8},
		{"sust.b.1d.v4.b32.trap [%rd3, {%r10}], {%r11, %r12, %r13, %r14};", 16},
		{"mov.b64 %rd4, {%r11, %r12}; mov.b64 %rd5, {%r13, %r14}; sust.b.1d.v2.b64.trap [%rd3, {%r10}], {%rd4, %rd5};", 16},
	};
	static const int32_t at[1][TEXTURE_RIG_WORDS] = {{16, 0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d}};
	struct texture_view v = {.format = TEXTURE_U32, .channels = 4, .width = 3, .height = 1};
	uint32_t out[1][4];

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint8_t texels[48] = {0};

		run(cases[i].insn, v, texels, sizeof texels, at, 1, out);
		for (unsigned b = 0; b < 48; b++)
			cr_assert_eq(texels[b], b >= 16 && b < 16 + cases[i].bytes ? b - 15 : 0, "%s: byte %u", cases[i].insn, b);
	}
}

Test(surface, rows_slices_and_layers_are_a_pitch_apart)
{
	static const char *const insns[] = {
		"sust.b.2d.b8.trap [%rd3, {%r10, %r11}], {%h1};", "sust.b.3d.b8.trap [%rd3, {%r10, %r11, %r12, %r12}], {%h1};",
		"sust.b.a1d.b8.trap [%rd3, {%r10, %r11}], {%h1};", "sust.b.a2d.b8.trap [%rd3, {%r10, %r11, %r12, %r12}], {%h1};"};
	static const int32_t at[4][1][TEXTURE_RIG_WORDS] = {{{3, 1}}, {{2, 1, 2}}, {{2, 1}}, {{1, 3, 1}}};
	/* of a1d and a2d, the layer is first */
	static const unsigned want[] = {3 + 8, 2 + 8 + 2 * 20, 1 + 2 * 20, 3 + 8 + 20};
	static const enum texture_shape shapes[] = {TEXTURE_2D, TEXTURE_3D, TEXTURE_A1D, TEXTURE_A2D};

	for (unsigned i = 0; i < 4; i++) {
		struct texture_view v = bytes_4x2;
		uint8_t texels[64] = {0};
		char insn[200];
		uint32_t out[1][4];

		v.shape = shapes[i];
		v.height = i == 2 ? 1 : 2;
		v.depth = i ? 3 : 1;
		v.slice_pitch = 20;
		snprintf(insn, sizeof insn, "mov.u16 %%h1, 7; %s", insns[i]);
		run(insn, v, texels, sizeof texels, at[i], 1, out);
		for (unsigned b = 0; b < 64; b++)
			cr_assert_eq(texels[b], b == want[i] ? 7 : 0, "%s: byte %u", insn, b);
	}
}

Test(surface, faces_of_cubes_are_layers)
{
	static const int32_t at[1][TEXTURE_RIG_WORDS] = {{4, 1, 1}};
	struct texture_view v = {.format = TEXTURE_U8, .channels = 1, .width = 2, .height = 2, .shape = TEXTURE_CUBE};
	uint8_t texels[24] = {0};
	uint32_t out[1][4];

	texels[4 * 4 + 3] = 9;
	run("suld.b.a2d.b8.trap {%h1}, [%rd3, {%r10, %r11, %r12, %r12}]; cvt.u32.u16 %r4, %h1;", v, texels, sizeof texels, at, 1,
	    out);
	cr_assert_eq(out[0][0], 9);
}

Test(surface, clamp_loads_the_nearest_element_and_zero_loads_nothing)
{
	static const int32_t at[6][TEXTURE_RIG_WORDS] = {{0, 0}, {-5, 0}, {4, 0}, {99, 1}, {2, -1}, {2, 7}};
	static const uint32_t clamped[] = {0x0100, 0x0100, 0x0302, 0x1312, 0x0302, 0x1312}, zero[] = {0x0100, 0, 0, 0, 0, 0};
	uint8_t texels[16];
	uint32_t out[6][4];

	for (unsigned i = 0; i < 16; i++)
		texels[i] = (uint8_t)(i / 8 * 16 + i % 8);
	run("suld.b.2d.b16.clamp {%h1}, [%rd3, {%r10, %r11}]; cvt.u32.u16 %r4, %h1;", bytes_4x2, texels, sizeof texels, at, 6, out);
	for (unsigned i = 0; i < 6; i++)
		cr_assert_eq(out[i][0], clamped[i], "clamp %u: 0x%x", i, out[i][0]);
	run("mov.u16 %h1, 77; suld.b.2d.b16.zero {%h1}, [%rd3, {%r10, %r11}]; cvt.u32.u16 %r4, %h1;", bytes_4x2, texels,
	    sizeof texels, at, 6, out);
	for (unsigned i = 0; i < 6; i++)
		cr_assert_eq(out[i][0], zero[i], "zero %u: 0x%x", i, out[i][0]);
}

Test(surface, clamp_stores_to_the_nearest_element_and_zero_drops)
{
	static const int32_t at[2][TEXTURE_RIG_WORDS] = {{-1, 5, 0xaa}, {9, 0, 0xbb}};
	uint8_t texels[16] = {0}, clamped[16] = {[8] = 0xaa, [3] = 0xbb}, dropped[16] = {0};
	uint32_t out[2][4];

	run("cvt.u16.u32 %h1, %r12; sust.b.2d.b8.zero [%rd3, {%r10, %r11}], {%h1};", bytes_4x2, texels, sizeof texels, at, 2, out);
	cr_assert_arr_eq(texels, dropped, 16);
	run("cvt.u16.u32 %h1, %r12; sust.b.2d.b8.clamp [%rd3, {%r10, %r11}], {%h1};", bytes_4x2, texels, sizeof texels, at, 2, out);
	cr_assert_arr_eq(texels, clamped, 16);
}

static void fails(const char *insn, const int32_t at[TEXTURE_RIG_WORDS], const char *want)
{
	static const uint8_t texels[16];
	struct texture_view v = bytes_4x2;
	struct texture_rig r;
	struct err e = {""};
	uint32_t out[4];

	texture_rig_new(&r, insn, texels, sizeof texels);
	v.address = r.address;
	cr_assert_eq(texture_rig_run(&r, host_surface(r.h, &v, &e), at, 1, out, &e), -1, "%s", insn);
	cr_assert(strstr(e.text, want), "%s: %s", insn, e.text);
	cr_assert_not(strchr(e.text, '\n'));
	texture_rig_free(&r);
}

Test(surface, what_does_not_fit_ends_the_run)
{
	static const int32_t zero[TEXTURE_RIG_WORDS], edge[TEXTURE_RIG_WORDS] = {4, 0}, below[TEXTURE_RIG_WORDS] = {0, 2},
						      odd[TEXTURE_RIG_WORDS] = {1, 0};
	static const char load[] = "suld.b.2d.b16.trap {%h1}, [%rd3, {%r10, %r11}];";

	fails(load, edge, "reads 2 bytes outside the surface of 4 x 2 x 1 texels of 1 bytes");
	fails(load, below, "reads 2 bytes outside the surface");
	fails(load, odd, "not a multiple of them");
	fails("sust.b.2d.b64.trap [%rd3, {%r10, %r11}], {%rd1};", zero, "writes 8 bytes outside the surface");
	fails("suld.b.3d.b8.trap {%h1}, [%rd3, {%r10, %r11, %r12, %r12}];", zero, "a 3d access to a surface of rows");
	fails("suld.b.1d.b8.trap {%h1}, [%rd3, {%r10}];", zero, "a 1d access to a surface of 2 rows");
	fails("suld.b.2d.b8.trap {%h1}, [canvas, {%r10, %r11}];", zero, "nothing is bound to the surface canvas");
	fails("tex.2d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%rd3, {%r10, %r11}];", zero, "is not a texture");
	fails("mov.u64 %rd3, image; suld.b.2d.b8.trap {%h1}, [%rd3, {%r10, %r11}];", zero, "is not a surface");
}

Test(surface, a_texture_sees_what_a_surface_has_stored)
{
	static const float texels[4];
	static const char insn[] =
		"sust.b.1d.b32.trap [canvas, {%r10}], {%r11}; tex.1d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%rd3, {%r12}];";
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1};
	int32_t first[1][TEXTURE_RIG_WORDS] = {{8, 0x40490fdb, 0}}, second[1][TEXTURE_RIG_WORDS] = {{0, 0, 2}};
	struct texture_rig r;
	struct err e = {""};
	uint32_t out[4];
	uint64_t t;

	texture_rig_new(&r, insn, texels, sizeof texels);
	v.address = r.address;
	cr_assert_eq(host_bind_surface(r.h, "canvas", &v, &e), 0, "%s", e.text);
	t = host_texture(r.h, &v, &e);
	cr_assert_eq(texture_rig_run(&r, t, first, 1, out, &e), 0, "%s", e.text);
	cr_assert_eq(texture_rig_run(&r, t, second, 1, out, &e), 0, "%s", e.text);
	cr_assert_eq(out[0], 0x40490fdb);
	texture_rig_free(&r);
}

Test(surface, a_query_tells_its_shape)
{
	static const int32_t at[1][TEXTURE_RIG_WORDS];
	struct texture_view v = {.format = TEXTURE_S16, .channels = 2, .width = 3, .height = 2, .depth = 2, .shape = TEXTURE_3D};
	uint8_t texels[48] = {0};
	uint32_t out[1][4];

	run("suq.width.b32 %r4, [canvas]; suq.height.b32 %r5, [%rd3]; suq.depth.b32 %r6, [%rd3]; suq.channel_order.b32 %r7, "
	    "[%rd3];",
	    v, texels, sizeof texels, at, 1, out);
	cr_assert(out[0][0] == 3 && out[0][1] == 2 && out[0][2] == 2 && out[0][3] == 0x10b2);
}

Test(surface, the_trace_has_loads_and_stores_of_global_memory)
{
	static const char head[] = ".global .surfref canvas;\n";
	static const char body[] = "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; sust.b.2d.b32.clamp [canvas, {%r2, 1}], {%r1};\n"
				   "suld.b.2d.v2.b32.zero {%r3, %r4}, [canvas, {%r5, %r6}]; ret;";
	struct ptx_try t;
	const struct trace_kernel *k;

	ptx_try_parse(&t, head, body);
	cr_assert(t.m, "%s", t.e.text);
	k = ptx_trace_kernel(ptx_kernel_at(t.m, 0));
	cr_assert(k->inst[2].op == OP_STORE && k->inst[2].space == SPACE_GLOBAL && k->inst[2].width == 4);
	cr_assert(k->inst[3].op == OP_LOAD && k->inst[3].space == SPACE_GLOBAL && k->inst[3].width == 8);
	ptx_try_free(&t);
}

Test(surface, what_is_not_supported_is_said)
{
	static const char *const insns[] = {"sust.p.2d.b32.trap [%rd3, {%r10, %r11}], {%r12};",
					    "sured.b.add.1d.u32.trap [canvas, {%r1}], %r2;",
					    "suld.b.cube.b32.trap %r1, [canvas, {%r1, %r2}];",
					    "suld.b.2d.f32.trap %f1, [canvas, {%r1, %r2}];",
					    "suld.b.2d.v4.b64.trap {%rd1, %rd2, %rd3, %rd4}, [canvas, {%r1, %r2}];",
					    "suld.b.2d.b32.trap %r1, [canvas, {%r1}];",
					    "suld.b.2d.b32.trap %r1, [image, {%r1, %r2}];",
					    "suq.num_mipmap_levels.b32 %r1, [canvas];"};
	FILE *nowhere = fopen("/dev/null", "w");

	for (unsigned i = 0; i < sizeof insns / sizeof insns[0]; i++) {
		struct ptx_try t;
		char body[300];

		snprintf(body, sizeof body, "%s ret;", insns[i]);
		ptx_try_parse(&t, ".global .surfref canvas;\n.global .texref image;\n", body);
		cr_assert(t.m, "%s", t.e.text);
		cr_assert_eq(ptx_print(t.m, nowhere), 1, "%s", insns[i]);
		ptx_try_free(&t);
	}
	fclose(nowhere);
}
