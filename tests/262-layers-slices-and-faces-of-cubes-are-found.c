/* Textures of three dimensions, of layers and of cubes: PTX ISA, tex; the table of faces in the CUDA C++ Programming
 * Guide, section "Cubemap Textures". */
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

/* Texel (x, y, z) is x + 10 y + 100 z. */
static void numbers(float *to, unsigned width, unsigned height, unsigned depth, unsigned pitch, unsigned slice)
{
	for (unsigned z = 0; z < depth; z++)
		for (unsigned y = 0; y < height; y++)
			for (unsigned x = 0; x < width; x++)
				to[z * slice + y * pitch + x] = (float)(x + 10 * y + 100 * z);
}

Test(texture_shape, slices_are_a_pitch_apart)
{
	static const struct fetch cells[] = {{{.i = {2, 1, 3}}, V(312)}, {{.i = {9, 9, 9}}, V(312)}, {{.i = {-1, 0, 2}}, V(200)}};
	static const struct fetch places[] = {{{{1.5f, 0.5f, 2.9f}}, V(201)}, {{{0, 1, 3.999f}}, V(310)}};
	float texels[100] = {0};
	struct texture_view v = {.format = TEXTURE_F32,
				 .channels = 1,
				 .width = 3,
				 .height = 2,
				 .depth = 4,
				 .shape = TEXTURE_3D,
				 .pitch = 40,
				 .slice_pitch = 92}; /* 10 and 23 floats */

	numbers(texels, 3, 2, 4, 10, 23);
	texture_fetches("tex.3d.v4.f32.s32 " R4 ", [%rd3, {%r10, %r11, %r12, %r12}];", v, texels, sizeof texels, cells,
			ROWS(cells));
	texture_fetches("tex.3d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}];", v, texels, sizeof texels, places,
			ROWS(places));
}

Test(texture_shape, a_layer_is_chosen_and_not_filtered)
{
	/* the layer is the first element, an unsigned number; beyond the last one it is the last. 0x3f800000 is 1.0f */
	static const struct fetch row[] = {{.at = {.i = {2, 0x3fc00000}}, .want = V(201)}, /* 1.5f */
					   {.at = {.i = {-1, 0}}, .want = V(200)},
					   {.at = {.i = {0, 0x40000000}}, .want = V(1.5f)}}; /* 2.0f */
	static const struct fetch flat[] = {{.at = {.i = {1, 0x3f800000, 0x3f800000}}, .want = V(105.5f)},
					    {.at = {.i = {7, 0x3f000000, 0x3fc00000}}, .want = V(210)}};
	static const struct fetch cells[] = {{{.i = {1, 2, 1}}, V(112)}};
	float texels[18];
	struct texture_view v = {.format = TEXTURE_F32,
				 .channels = 1,
				 .width = 3,
				 .height = 1,
				 .depth = 3,
				 .shape = TEXTURE_A1D,
				 .slice_pitch = 24,
				 .linear = true};

	numbers(texels, 3, 2, 3, 3, 6);
	texture_fetches("tex.a1d.v4.f32.f32 " R4 ", [%rd3, {%r10, %f11}];", v, texels, sizeof texels, row, ROWS(row));
	v.shape = TEXTURE_A2D;
	v.height = 2;
	texture_fetches("tex.a2d.v4.f32.f32 " R4 ", [%rd3, {%r10, %f11, %f12, %f12}];", v, texels, sizeof texels, flat, ROWS(flat));
	texture_fetches("tex.a2d.v4.f32.s32 " R4 ", [%rd3, {%r10, %r11, %r12, %r12}];", v, texels, sizeof texels, cells,
			ROWS(cells));
}

/* Faces of 2 x 2. */
static const struct fetch directions[] = {
	/* m = x, s = -z, t = -y */
	{{{1, 0.5f, 0.5f}}, V(0)},
	{{{1, -0.5f, 0.5f}}, V(10)},
	{{{2, 1, -1}}, V(1)},
	/* m = -x, s = z, t = -y */
	{{{-1, 0.5f, 0.5f}}, V(101)},
	{{{-1, -0.5f, -0.5f}}, V(110)},
	/* m = y, s = x, t = z */
	{{{0.5f, 1, -0.5f}}, V(201)},
	{{{-0.5f, 1, 0.5f}}, V(210)},
	/* m = -y, s = x, t = -z */
	{{{0.5f, -1, -0.5f}}, V(311)},
	{{{-0.5f, -1, 0.5f}}, V(300)},
	/* m = z, s = x, t = -y */
	{{{0.5f, 0.5f, 1}}, V(401)},
	{{{-0.5f, -0.5f, 1}}, V(410)},
	/* m = -z, s = -x, t = -y */
	{{{0.5f, 0.5f, -1}}, V(500)},
	{{{-0.5f, -0.5f, -1}}, V(511)},
};

Test(texture_shape, a_direction_meets_one_face_of_the_cube)
{
	float texels[24];
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 2, .shape = TEXTURE_CUBE};

	numbers(texels, 2, 2, 6, 2, 4);
	texture_fetches("tex.cube.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}];", v, texels, sizeof texels, directions,
			ROWS(directions));
}

Test(texture_shape, a_cube_is_filtered_within_a_face)
{
	/* the middle of +z: a quarter of each texel; (s / m + 1) / 2 = 0.625, so 1.25 in x: 1/4 and 3/4 */
	static const struct fetch f[] = {{{{0, 0, 5}}, V(405.5f)}, {{{0.25f, 0, 1}}, V(405.75f)}, {{{1, 0.999f, 0}}, V(0.5f)}};
	float texels[24];
	struct texture_view v = {
		.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 2, .shape = TEXTURE_CUBE, .linear = true};

	numbers(texels, 2, 2, 6, 2, 4);
	texture_fetches("tex.cube.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11, %f12, %f12}];", v, texels, sizeof texels, f, ROWS(f));
}

Test(texture_shape, layers_of_cubes_have_six_faces_each)
{
	/* layer 1, towards -y: face 9 */
	static const struct fetch f[] = {{.at = {.i = {1, 0x3f000000, (int32_t)0xbf800000, (int32_t)0xbf000000}}, .want = V(911)},
					 {.at = {.i = {0, 0x3f000000, (int32_t)0xbf800000, (int32_t)0xbf000000}}, .want = V(311)},
					 {.at = {.i = {9, 0x3f000000, (int32_t)0xbf800000, (int32_t)0xbf000000}}, .want = V(911)}};
	float texels[48];
	struct texture_view v = {
		.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 2, .depth = 12, .shape = TEXTURE_ACUBE};

	numbers(texels, 2, 2, 12, 2, 4);
	texture_fetches("tex.acube.v4.f32.f32 " R4 ", [%rd3, {%r10, %f11, %f12, %f13}];", v, texels, sizeof texels, f, ROWS(f));
}
