/* Levels of mipmaps: cudaTextureDesc's mipmapFilterMode, mipmapLevelBias, min- and maxMipmapLevelClamp; the level of a
 * gradient is the base-2 logarithm of its longer step in texels (OpenGL 4.6, section 8.14.1). */
#include <criterion/criterion.h>
#include <math.h>

#include "support/texture.h"

#define R4	"{%r4, %r5, %r6, %r7}"
#define ROWS(f) sizeof(f) / sizeof(f)[0]
#define V(x)                                                                                                                       \
	{                                                                                                                          \
		{                                                                                                                  \
			(x), 0, 0, 1                                                                                               \
		}                                                                                                                  \
	}

/* 8 x 4, 4 x 2, 2 x 1, 1 x 1 texels; all of a level are alike but for the first row of level 1. */
static struct texture_view pyramid(float texels[43])
{
	struct texture_view v = {.format = TEXTURE_F32,
				 .channels = 1,
				 .width = 8,
				 .height = 4,
				 .normalized = true,
				 .levels = 4,
				 .level = {{.address = 128}, {.address = 160}, {.address = 168}},
				 .level_max = 3};

	for (unsigned i = 0; i < 43; i++)
		texels[i] = i < 32 ? 0 : i < 36 ? 256 : i < 40 ? 768 : i < 42 ? 1024 : 2048;
	return v;
}

Test(texture_level, the_nearest_level_or_two_are_read)
{
	static const struct fetch nearest[] = {
		{{{0.5f, 0, 0}}, V(0)},	      {{{0.5f, 0, 0.4f}}, V(0)}, {{{0.5f, 0, 0.6f}}, V(256)}, {{{0.5f, 0.9f, 1}}, V(768)},
		{{{0.5f, 0, 2.2f}}, V(1024)}, {{{0.5f, 0, 9}}, V(2048)}, {{{0.5f, 0, -9}}, V(0)},     {{{0.5f, 0, NAN}}, V(0)}};
	static const struct fetch linear[] = {{{{0.5f, 0, 0.5f}}, V(128)},	       /* 0 and 256 */
					      {{{0.5f, 0, 1.25f}}, V(448)},	       /* 3/4 256 + 1/4 1024 */
					      {{{0.5f, 0, 2 + 77 / 256.0f}}, V(1332)}, /* 1024 + 77/256 1024 */
					      {{{0.5f, 0, 2 + 1 / 1024.0f}}, V(1024)}, /* eight bits of fraction */
					      {{{0.5f, 0, 3}}, V(2048)},
					      {{{0.5f, 0, INFINITY}}, V(2048)}};
	static const struct fetch both[] = {{{{0.5f, 0.5f, 0.5f}}, V(256)}}; /* 0, and 512 between 256 and 768 */
	static const char insn[] = "tex.level.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}], %f12;";
	float texels[43];
	struct texture_view v = pyramid(texels);

	texture_fetches(insn, v, texels, sizeof texels, nearest, ROWS(nearest));
	v.level_linear = true;
	texture_fetches(insn, v, texels, sizeof texels, linear, ROWS(linear));
	v.linear = true;
	texture_fetches(insn, v, texels, sizeof texels, both, ROWS(both));
}

Test(texture_level, bias_is_added_before_the_bounds)
{
	static const struct fetch f[] = {
		{{{0, 0, 0}}, V(256)}, {{{0, 0, 1}}, V(1024)}, {{{0, 0, 2}}, V(1024)}, {{{0, 0, -5}}, V(256)}};
	static const char insn[] = "tex.level.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}], %f12;";
	float texels[43];
	struct texture_view v = pyramid(texels);

	v.level_bias = 1;
	v.level_min = 1;
	v.level_max = 2;
	texture_fetches(insn, v, texels, sizeof texels, f, ROWS(f));
}

Test(texture_level, a_fetch_without_a_level_reads_the_largest_image)
{
	static const struct fetch f[] = {{{{0.5f, 0.5f}}, V(0)}};
	float texels[43];
	struct texture_view v = pyramid(texels);

	v.level_min = 2;
	texture_fetches("tex.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, texels, sizeof texels, f, 1);
	texture_fetches("tex.base.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, texels, sizeof texels, f, 1);
}

Test(texture_level, integer_coordinates_number_the_texels_of_their_level)
{
	static const struct fetch f[] = {
		{{.i = {3, 1, 1}}, V(768)}, {{.i = {3, 0, 1}}, V(256)}, {{.i = {9, 9, 2}}, V(1024)}, {{.i = {0, 0, 3}}, V(2048)}};
	float texels[43];
	struct texture_view v = pyramid(texels);

	texture_fetches("tex.level.2d.v4.f32.s32 " R4 ", [%rd3, {%r10, %r11}], %r12;", v, texels, sizeof texels, f, ROWS(f));
}

Test(texture_level, a_gradient_chooses_the_level_of_its_longer_step)
{
	/* steps of normalised coordinates: 1/8 in x and 1/4 in y are a texel; (0.15, 0.2) is 1.2 and 0.8 texels,
	 * 1.44 long, of which the logarithm is 0.53 */
	static const struct fetch f[] = {{{{0, 0, 0.125f, 0, 0, 0.25f}}, V(0)}, {{{0, 0, 0.25f, 0, 0, 0}}, V(256)},
					 {{{0, 0, 0, 0.25f, 0, 1}}, V(1024)},	{{{0, 0, 1, 0, 0, 0.25f}}, V(2048)},
					 {{{0, 0, 0.15f, 0.2f, 0, 0}}, V(256)}, {{{0, 0, 0, 0, 0, 0}}, V(0)}};
	static const char insn[] = "tex.grad.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}], {%f12, %f13}, {%f14, %f15};";
	float texels[43];
	struct texture_view v = pyramid(texels);

	texture_fetches(insn, v, texels, sizeof texels, f, ROWS(f));
}

Test(texture_level, with_one_level_neither_level_nor_gradient_matter)
{
	static const float row[] = {1, 2};
	static const struct fetch f[] = {{{{1.5f, 7, 3}}, V(2)}, {{{0.5f, -7, 1e9f}}, V(1)}};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 1};

	texture_fetches("tex.level.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}], %f11;", v, row, sizeof row, f, 2);
	texture_fetches("tex.grad.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}], {%f11}, {%f12};", v, row, sizeof row, f, 2);
	v.shape = TEXTURE_CUBE;
	v.width = 1;
	texture_fetches("tex.grad.cube.v4.f32.f32 " R4 ", [%rd3, {%f10, %f10, %f11, %f10}],\n"
			"{%f11, %f12, %f10, %f10}, {%f11, %f12, %f10, %f10};",
			v, (float[]){0, 1, 2, 3, 4, 5}, 24, (struct fetch[]){{{{0, 3}}, V(4)}, {{{0.5f, -9}}, V(5)}}, 2);
}

Test(texture_level, slices_are_halved_and_layers_are_not)
{
	static const float texels[] = {1, 2, 3, 4, 5, 6};
	static const struct fetch slices[] = {{{{0, 0, 0.6f, 0}}, V(2)}, {{{0, 0, 0.9f, 1}}, V(3)}};
	static const struct fetch layers[] = {{.at = {.i = {1, 0, 0, 0}}, .want = V(2)},
					      {.at = {.i = {1, 0, 0, 0x3f800000}}, .want = V(4)}};
	struct texture_view v = {.format = TEXTURE_F32,
				 .channels = 1,
				 .width = 1,
				 .height = 1,
				 .depth = 2,
				 .shape = TEXTURE_3D,
				 .normalized = true,
				 .levels = 2,
				 .level = {{.address = 8}},
				 .level_max = 1};

	texture_fetches("tex.level.3d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}], %f13;", v, texels, sizeof texels, slices,
			ROWS(slices));
	v.shape = TEXTURE_A2D;
	texture_fetches("tex.level.a2d.v4.f32.f32 " R4 ", [%rd3, {%r10, %f11, %f12, %f12}], %f13;", v, texels, sizeof texels,
			layers, ROWS(layers));
}
