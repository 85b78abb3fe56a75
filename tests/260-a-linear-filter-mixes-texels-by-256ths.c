/* The formulas of the CUDA C++ Programming Guide, appendix "Texture Fetching", worked out by hand. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/texture.h"

#define R4 "{%r4, %r5, %r6, %r7}"

static const float ramp[] = {0, 256, 512, 1024}; /* T[0] to T[3] */

Test(texture_filter, one_dimension_is_between_the_centres_of_texels)
{
	/* x - 0.5 = i + a: (1 - a) T[i] + a T[i + 1]; a texel's centre is the texel itself */
	static const struct fetch f[] = {
		{{{0.5f}}, {{0, 0, 0, 1}}},    {{{1.5f}}, {{256, 0, 0, 1}}},
		{{{1}}, {{128, 0, 0, 1}}},     {{{2.75f}}, {{640, 0, 0, 1}}}, /* i = 2, a = 1/4: 3/4 512 + 1/4 1024 */
		{{{3.5f}}, {{1024, 0, 0, 1}}}, {{{0}}, {{0, 0, 0, 1}}},	      /* half of T[-1], which clamps to T[0] */
		{{{4}}, {{1024, 0, 0, 1}}},    {{{-100}}, {{0, 0, 0, 1}}},
		{{{1e9f}}, {{1024, 0, 0, 1}}}, {{{NAN}}, {{0, 0, 0, 1}}},
	};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1, .linear = true};

	texture_fetches("tex.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}];", v, ramp, sizeof ramp, f, sizeof f / sizeof f[0]);
	texture_fetches("tex.1d.v4.f32.f32 " R4 ", [image, %f10];", v, ramp, sizeof ramp, f, sizeof f / sizeof f[0]);
}

Test(texture_filter, a_weight_has_eight_bits_of_fraction)
{
	/* T[1] - T[0] is 256: the result is 256 a, so that each 256th is 1 */
	static const struct fetch f[] = {
		{{{0.5f + 1 / 256.0f}}, {{1, 0, 0, 1}}},    {{{0.5f + 77 / 256.0f}}, {{77, 0, 0, 1}}},
		{{{0.5f + 77.25f / 256}}, {{77, 0, 0, 1}}}, {{{0.5f + 77.75f / 256}}, {{78, 0, 0, 1}}},
		{{{0.5f + 1 / 1024.0f}}, {{0, 0, 0, 1}}},   {{{1.5f - 1 / 256.0f}}, {{255, 0, 0, 1}}},
		{{{1.5f - 1 / 1024.0f}}, {{256, 0, 0, 1}}}, /* 1.0 is exactly represented */
	};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1, .linear = true};

	texture_fetches("tex.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}];", v, ramp, sizeof ramp, f, sizeof f / sizeof f[0]);
}

Test(texture_filter, two_and_three_dimensions_multiply_weights)
{
	static const float square[2][2] = {{0, 16}, {32, 64}}, cube[2][2][2] = {{{0, 64}, {128, 192}}, {{256, 320}, {384, 512}}};
	/* a quarter each; (0.75, 0.75): 9/16 0 + 3/16 16 + 3/16 32 + 1/16 64 */
	static const struct fetch flat[] = {
		{{{1, 1}}, {{28, 0, 0, 1}}}, /* (0 + 16 + 32 + 64) / 4 */
		{{{0.75f, 0.5f}}, {{4, 0, 0, 1}}}, {{{0.75f, 0.75f}}, {{13, 0, 0, 1}}},
		{{{1.5f, 1.5f}}, {{64, 0, 0, 1}}}, {{{9, 1}}, {{40, 0, 0, 1}}}, /* (16 + 64) / 2 */
	};
	static const struct fetch deep[] = {
		{{{1, 1, 1}}, {{232, 0, 0, 1}}}, /* the sum, 1856, by 8 */
		{{{0.5f, 0.5f, 1}}, {{128, 0, 0, 1}}},
		{{{0.75f, 0.75f, 0.75f}}, {{113, 0, 0, 1}}}, /* weights 27, 9, 9, 3, 9, 3, 3, 1 of 64 */
	};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 2, .linear = true};

	texture_fetches("tex.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, square, sizeof square, flat,
			sizeof flat / sizeof flat[0]);
	v.shape = TEXTURE_3D;
	v.depth = 2;
	/* at 1/4 in each: (27*0 + 9*64 + 9*128 + 3*192 + 9*256 + 3*320 + 3*384 + 1*512) / 64 = 7232 / 64 */
	texture_fetches("tex.3d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}];", v, cube, sizeof cube, deep,
			sizeof deep / sizeof deep[0]);
}

Test(texture_filter, fractions_of_integers_are_mixed_as_floats)
{
	static const uint8_t bytes[][4] = {{0, 255, 51, 0}, {255, 0, 51, 255}};
	static const int16_t words[] = {-32768, 32767};
	static const uint16_t halves[] = {0x3c00, 0xc000}; /* 1, -2 */
	static const struct fetch f8[] = {{{{1}}, {{0.5f, 0.5f, 0.2f, 0.5f}}}, {{{0.75f}}, {{0.25f, 0.75f, 0.2f, 0.25f}}}};
	static const struct fetch f16[] = {{{{1}}, {{0, 0, 0, 1}}}, {{{1.25f}}, {{0.5f, 0, 0, 1}}}};
	static const struct fetch half[] = {{{{1}}, {{-0.5f, 0, 0, 1}}}, {{{0.5f}}, {{1, 0, 0, 1}}}};
	struct texture_view v = {.format = TEXTURE_U8, .channels = 4, .width = 2, .height = 1, .linear = true};
	static const char insn[] = "tex.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}];";

	texture_fetches(insn, v, bytes, sizeof bytes, f8, 2);
	v.channels = 1;
	v.format = TEXTURE_S16;
	texture_fetches(insn, v, words, sizeof words, f16, 2);
	v.format = TEXTURE_F16;
	texture_fetches(insn, v, halves, sizeof halves, half, 2);
}

Test(texture_filter, a_texel_without_weight_may_be_infinite)
{
	static const float row[] = {1, INFINITY};
	static const struct fetch f[] = {{{{0.5f}}, {{1, 0, 0, 1}}}, {{{1}}, {{INFINITY, 0, 0, 1}}}};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 1, .linear = true};

	texture_fetches("tex.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}];", v, row, sizeof row, f, 2);
}

Test(texture_filter, srgb_is_made_linear_but_alpha_is_not)
{
	/* IEC 61966-2-1: 255 is 1; below 0.04045 division by 12.92; else ((c + 0.055) / 1.055) ^ 2.4 */
	static const uint8_t texel[] = {255, 10, 188, 51};
	struct texture_view v = {.format = TEXTURE_U8, .channels = 4, .width = 1, .height = 1, .srgb = true};
	struct fetch f = {{{0}}, {{1, (float)(10 / 255.0 / 12.92), (float)pow((188 / 255.0 + 0.055) / 1.055, 2.4), 0.2f}}};

	texture_fetches("tex.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, texel, sizeof texel, &f, 1);
}

Test(texture_filter, integer_coordinates_are_not_filtered)
{
	static const struct fetch f[] = {
		{{.i = {1}}, {{256, 0, 0, 1}}}, {{.i = {-3}}, {{0, 0, 0, 1}}}, {{.i = {9}}, {{1024, 0, 0, 1}}}};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1, .linear = true};

	texture_fetches("tex.1d.v4.f32.s32 " R4 ", [%rd3, {%r10}];", v, ramp, sizeof ramp, f, 3);
}
