/* Address modes at and beyond the edges: CUDA C++ Programming Guide, "Texture Fetching" and "Texture Memory", worked
 * out by hand for four texels. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/texture.h"

#define R4	"{%r4, %r5, %r6, %r7}"
#define ROWS(f) sizeof(f) / sizeof(f)[0]

static const float row[] = {0, 256, 512, 1024};
static const char one[] = "tex.1d.v4.f32.f32 " R4 ", [%rd3, {%f10}];";

static struct texture_view of(enum texture_address mode, bool linear, bool normalized)
{
	return (struct texture_view){.format = TEXTURE_F32,
				     .channels = 1,
				     .width = 4,
				     .height = 1,
				     .at = {mode, mode, mode},
				     .linear = linear,
				     .normalized = normalized,
				     .border = {2048, 1, 1, 7}};
}

#define V(x)                                                                                                                       \
	{                                                                                                                          \
		{                                                                                                                  \
			(x), 0, 0, 1                                                                                               \
		}                                                                                                                  \
	}

Test(texture_address, wrap_repeats_the_texture)
{
	static const struct fetch nearest[] = {{{{0}}, V(0)},	     {{{0.25f}}, V(256)}, {{{0.999f}}, V(1024)},
					       {{{1}}, V(0)},	     {{{1.25f}}, V(256)}, {{{-0.25f}}, V(1024)},
					       {{{-0.26f}}, V(512)}, {{{-3}}, V(0)},	  {{{5.6f}}, V(512)},
					       {{{INFINITY}}, V(0)}, {{{NAN}}, V(0)},	  {{{-1e-30f}}, V(1024)}};
	/* at x = 0 half of texel 3 and half of texel 0 */
	static const struct fetch linear[] = {{{{0}}, V(512)},	  {{{1}}, V(512)},	 {{{-2}}, V(512)},
					      {{{0.125f}}, V(0)}, {{{0.9375f}}, V(768)}, {{{-0.0625f}}, V(768)}};

	texture_fetches(one, of(TEXTURE_WRAP, false, true), row, sizeof row, nearest, ROWS(nearest));
	texture_fetches(one, of(TEXTURE_WRAP, true, true), row, sizeof row, linear, ROWS(linear));
}

Test(texture_address, mirror_turns_back_at_every_whole_number)
{
	static const struct fetch nearest[] = {{{{0}}, V(0)},	    {{{0.9f}}, V(1024)},  {{{1}}, V(1024)},	{{{1.1f}}, V(1024)},
					       {{{1.9f}}, V(0)},    {{{2.1f}}, V(0)},	  {{{2.3f}}, V(256)},	{{{-0.1f}}, V(0)},
					       {{{-0.3f}}, V(256)}, {{{-0.9f}}, V(1024)}, {{{-1.1f}}, V(1024)}, {{{3.7f}}, V(256)}};
	/* 1.25 is 0.75: half of texel 2, half of texel 3; at the edge a texel meets itself */
	static const struct fetch linear[] = {{{{0}}, V(0)},	   {{{1}}, V(1024)},	   {{{1.25f}}, V(768)},
					      {{{-0.125f}}, V(0)}, {{{1.0625f}}, V(1024)}, {{{-0.25f}}, V(128)},
					      {{{-1.75f}}, V(128)}};

	texture_fetches(one, of(TEXTURE_MIRROR, false, true), row, sizeof row, nearest, ROWS(nearest));
	texture_fetches(one, of(TEXTURE_MIRROR, true, true), row, sizeof row, linear, ROWS(linear));
}

Test(texture_address, clamp_keeps_the_edge)
{
	static const struct fetch nearest[] = {
		{{{-3}}, V(0)}, {{{0.5f}}, V(512)}, {{{1}}, V(1024)}, {{{7}}, V(1024)}, {{{-INFINITY}}, V(0)}};
	static const struct fetch linear[] = {{{{-3}}, V(0)}, {{{0.5f}}, V(384)}, {{{1}}, V(1024)}, {{{7}}, V(1024)}};

	texture_fetches(one, of(TEXTURE_CLAMP, false, true), row, sizeof row, nearest, ROWS(nearest));
	texture_fetches(one, of(TEXTURE_CLAMP, true, true), row, sizeof row, linear, ROWS(linear));
}

Test(texture_address, border_has_a_colour_that_the_filter_mixes_in)
{
	static const struct fetch nearest[] = {
		{{{-0.01f}}, V(2048)}, {{{0}}, V(0)}, {{{0.99f}}, V(1024)}, {{{1}}, V(2048)}, {{{-100}}, V(2048)}};
	static const struct fetch linear[] = {{{{0}}, V(1024)},	      {{{1}}, V(1536)},
					      {{{-0.125f}}, V(2048)}, {{{-1}}, V(2048)},
					      {{{0.125f}}, V(0)},     {{{1.0625f}}, V(1792)}, /* 1/4 1024 + 3/4 2048 */
					      {{{1.125f}}, V(2048)},  {{{1e30f}}, V(2048)}};
	static const struct fetch cells[] = {{{.i = {-1}}, V(2048)}, {{.i = {0}}, V(0)}, {{.i = {4}}, V(2048)}};

	texture_fetches(one, of(TEXTURE_BORDER, false, true), row, sizeof row, nearest, ROWS(nearest));
	texture_fetches(one, of(TEXTURE_BORDER, true, true), row, sizeof row, linear, ROWS(linear));
	texture_fetches("tex.1d.v4.f32.s32 " R4 ", [%rd3, {%r10}];", of(TEXTURE_BORDER, false, false), row, sizeof row, cells,
			ROWS(cells));
}

Test(texture_address, wrap_and_mirror_clamp_without_normalised_coordinates)
{
	static const struct fetch f[] = {{{{-1}}, V(0)}, {{{1.5f}}, V(256)}, {{{4.5f}}, V(1024)}};
	static const struct fetch cells[] = {{{.i = {-1}}, V(0)}, {{.i = {5}}, V(1024)}};

	texture_fetches(one, of(TEXTURE_WRAP, false, false), row, sizeof row, f, ROWS(f));
	texture_fetches(one, of(TEXTURE_MIRROR, false, false), row, sizeof row, f, ROWS(f));
	texture_fetches("tex.1d.v4.f32.s32 " R4 ", [%rd3, {%r10}];", of(TEXTURE_WRAP, false, true), row, sizeof row, cells,
			ROWS(cells));
}

Test(texture_address, each_dimension_has_a_mode_of_its_own)
{
	static const float image[2][2] = {{1, 2}, {3, 4}};
	static const struct fetch f[] = {{{{0.25f, 0.25f}}, V(1)},
					 {{{1.75f, 0.75f}}, V(4)},
					 {{{1.25f, -0.1f}}, V(2048)},
					 {{{-0.25f, 1.1f}}, V(2048)},
					 {{{-0.25f, 0.9f}}, V(4)}};
	struct texture_view v = of(TEXTURE_WRAP, false, true);

	v.width = v.height = 2;
	v.at[1] = TEXTURE_BORDER;
	texture_fetches("tex.2d.v4.f32.f32 " R4 ", [%rd3, {%f10, %f11}];", v, image, sizeof image, f, ROWS(f));
}

Test(texture_address, a_borders_channels_are_as_many_as_the_textures)
{
	static const uint8_t texel[] = {1, 2};
	static const struct fetch integers = {{.i = {-1}}, {.u = {3, 200, 0, 1}}}, floats = {{.i = {-1}}, {{3, 200.5f, 0, 1}}};
	struct texture_view v = of(TEXTURE_BORDER, false, false);

	v = (struct texture_view){
		.format = TEXTURE_U8, .channels = 2, .width = 1, .height = 1, .at = {TEXTURE_BORDER}, .border = {3, 200.5f, 9, 9}};
	texture_fetches("tex.1d.v4.u32.s32 " R4 ", [%rd3, {%r10}];", v, texel, sizeof texel, &integers, 1);
	texture_fetches("tex.1d.v4.f32.s32 " R4 ", [%rd3, {%r10}];", v, texel, sizeof texel, &floats, 1);
}

Test(texture_address, beyond_linear_memory_there_are_zeroes)
{
	/* tex1Dfetch: filter, address mode and normalisation do not apply */
	static const struct fetch f[] = {{{.i = {0}}, V(0)},	       {{.i = {3}}, V(1024)},
					 {{.i = {4}}, {{0, 0, 0, 0}}}, {{.i = {-1}}, {{0, 0, 0, 0}}},
					 {{.i = {INT32_MIN}}, {{0}}},  {{.i = {INT32_MAX}}, {{0}}}};
	static const struct fetch places[] = {{{{1.5f}}, V(256)}, {{{-0.5f}}, {{0}}}, {{{4}}, {{0}}}};
	struct texture_view v = of(TEXTURE_WRAP, true, true);

	v.shape = TEXTURE_LINEAR;
	texture_fetches("tex.1d.v4.f32.s32 " R4 ", [%rd3, {%r10}];", v, row, sizeof row, f, ROWS(f));
	texture_fetches(one, v, row, sizeof row, places, ROWS(places));
}
