/* tld4 and txq, suq: PTX ISA. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/texture.h"

#define R4	"{%r4, %r5, %r6, %r7}"
#define ROWS(f) sizeof(f) / sizeof(f)[0]

Test(texture_gather, four_texels_come_counter_clockwise_from_the_lower_left)
{
	/* rows count downwards: (i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j) */
	static const float image[3][3] = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}};
	static const struct fetch f[] = {{{{1, 1}}, {{10, 11, 1, 0}}},
					 {{{1.7f, 1.2f}}, {{11, 12, 2, 1}}},
					 {{{0, 0}}, {{0, 0, 0, 0}}},
					 {{{3, 2.5f}}, {{22, 22, 22, 22}}}};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 3, .height = 3};

	texture_fetches("tld4.r.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, image, sizeof image, f, ROWS(f));
	v.linear = true; /* is for others */
	texture_fetches("tld4.r.2d.v4.f32.f32 " R4 ", [image, {%f10, %f11}];", v, image, sizeof image, f, ROWS(f));
}

Test(texture_gather, any_channel_and_the_address_mode_apply)
{
	static const uint8_t image[2][2][4] = {{{1, 2, 3, 4}, {5, 6, 7, 8}}, {{9, 10, 11, 12}, {13, 14, 15, 16}}};
	static const struct fetch b = {{{1, 1}}, {.u = {11, 15, 7, 3}}}, a = {{{2, 1}}, {.u = {16, 99, 99, 8}}};
	static const struct fetch missing = {{{1, 1}}, {.u = {1, 1, 1, 1}}};
	struct texture_view v = {
		.format = TEXTURE_U8, .channels = 4, .width = 2, .height = 2, .at = {TEXTURE_BORDER}, .border = {0, 0, 0, 99}};

	texture_fetches("tld4.b.2d.v4.u32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, image, sizeof image, &b, 1);
	texture_fetches("tld4.a.2d.v4.s32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, image, sizeof image, &a, 1);
	v.channels = 1;
	texture_fetches("tld4.a.2d.v4.u32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, image, sizeof image, &missing, 1);
}

Test(texture_gather, all_of_a_texture_is_resident)
{
	static const float image[4] = {1, 2, 3, 4};
	static const struct fetch f[] = {{{{1, 1}}, {{3, 4, 77, 1}}}, {{{0, 0}}, {{1, 1, 77, 1}}}};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 2};

	texture_fetches("setp.ne.u32 %p1, %r10, %r10; tld4.r.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}|%p1, [%rd3, {%f10, %f11}];\n"
			"@%p1 mov.b32 %r6, 0f429A0000; mov.b32 %r7, 0f3F800000;",
			v, image, sizeof image, f, 2);
	texture_fetches("setp.ne.u32 %p1, %r10, %r10;\n"
			"@!%p1 tex.2d.v4.f32.f32 {%r4, _, _, _}|%p1, [%rd3, {%f10, %f11}]; selp.b32 %r5, 0f42280000, 0, %p1;",
			v, image, sizeof image, (struct fetch[]){{{{1, 1}}, {{4, 42, 0, 0}}}}, 1);
}

Test(texture_gather, layers_and_faces_too)
{
	static const float texels[] = {0,   1,	 10,  11,  100, 101, 110, 111, 200, 201, 210, 211,
				       300, 301, 310, 311, 400, 401, 410, 411, 500, 501, 510, 511};
	static const struct fetch layer = {.at = {.i = {2, 0x3f800000, 0x3f800000}}, .want = {{210, 211, 201, 200}}};
	static const struct fetch face = {{{0, 0, -1}}, {{510, 511, 501, 500}}};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 2, .depth = 6, .shape = TEXTURE_A2D};

	texture_fetches("tld4.r.a2d.v4.f32.f32 " R4 ", [%rd3, {%r10, %f11, %f12, %f12}];", v, texels, sizeof texels, &layer, 1);
	v.shape = TEXTURE_CUBE;
	texture_fetches("tld4.r.cube.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}];", v, texels, sizeof texels, &face, 1);
}

#define QUERY(a, b, c, d)                                                                                                          \
	"txq." a ".b32 %r4, [%rd3]; txq." b ".b32 %r5, [image]; txq." c ".b32 %r6, [%rd3]; txq." d ".b32 %r7, [%rd3];"

Test(texture_query, extents_layers_and_levels_are_told)
{
	static const uint16_t texels[6 * 5 * 4];
	static const struct fetch extents = {{{0}}, {.u = {6, 5, 4, 1}}}, layers = {{{0}}, {.u = {1, 4, 1, 1}}};
	static const struct fetch second = {{.i = {1}}, {.u = {3, 2, 2, 2}}};
	struct texture_view v = {
		.format = TEXTURE_U16, .channels = 1, .width = 6, .height = 5, .depth = 4, .shape = TEXTURE_3D, .normalized = true};

	texture_fetches(QUERY("width", "height", "depth", "array_size"), v, texels, sizeof texels, &extents, 1);
	v.levels = 2;
	v.level[0].address = 0;
	texture_fetches("txq.level.width.b32 %r4, [%rd3], %r10; txq.level.height.b32 %r5, [%rd3], 1;\n"
			"txq.level.depth.b32 %r6, [%rd3], %r10; txq.num_mipmap_levels.b32 %r7, [%rd3];",
			v, texels, sizeof texels, &second, 1);
	v.levels = 1;
	v.shape = TEXTURE_A2D;
	texture_fetches(QUERY("depth", "array_size", "num_mipmap_levels", "normalized_coords"), v, texels, sizeof texels, &layers,
			1);
}

Test(texture_query, formats_have_opencls_numbers)
{
	/* CL/cl.h: CL_SIGNED_INT8 0x10D7 to CL_FLOAT 0x10DE; CL_R 0x10B0, CL_RG 0x10B2, CL_RGBA 0x10B5 */
	static const uint32_t type[TEXTURE_FORMATS] = {
		[TEXTURE_S8] = 0x10d7,	[TEXTURE_S16] = 0x10d8, [TEXTURE_S32] = 0x10d9, [TEXTURE_U8] = 0x10da,
		[TEXTURE_U16] = 0x10db, [TEXTURE_U32] = 0x10dc, [TEXTURE_F16] = 0x10dd, [TEXTURE_F32] = 0x10de};
	static const uint32_t order[] = {[1] = 0x10b0, [2] = 0x10b2, [4] = 0x10b5};
	static const uint32_t texels[4];

	for (unsigned f = 0; f < TEXTURE_FORMATS; f++) {
		unsigned channels = 1u << f % 3;
		struct texture_view v = {.format = (enum texture_format)f, .channels = channels, .width = 1, .height = 1};
		struct fetch want = {{{0}}, {.u = {type[f], order[channels], 1, 0}}};

		texture_fetches(QUERY("channel_data_type", "channel_order", "height", "normalized_coords"), v, texels,
				sizeof texels, &want, 1);
	}
}
