/* Textures: coordinates are floored and clamped, formats converted; by .texref and by handle; what does not fit is
 * reported. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/program.h"
#include "ptx/ptx.h"
#include "support/program.h"

/* fetch: texel (at[2 t], at[2 t + 1]) of the texture to out[4 t ..], by thread t; `FETCH` is the instruction. */
#define MODULE(param, fetch)                                                                                                       \
	".version 6.0\n.target sm_60\n.address_size 64\n.global .texref image;\n.tex .u64 old;\n"                                  \
	".visible .entry k(.param .u64 out, .param .u64 at" param ")\n{\n"                                                         \
	".reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %rd<8>; .reg .pred %p<2>;\n"                                                  \
	"mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 8; ld.param.u64 %rd2, [at]; add.u64 %rd2, %rd2, %rd1;\n"                     \
	"ld.global.v2.u32 {%r2, %r3}, [%rd2]; mov.b32 %f2, %r2; mov.b32 %f3, %r3;\n" fetch                                         \
	"mul.wide.u32 %rd1, %r1, 16; ld.param.u64 %rd2, [out]; add.u64 %rd2, %rd2, %rd1;\n"                                        \
	"st.global.v4.u32 [%rd2], {%r4, %r5, %r6, %r7}; ret;\n}\n"
#define BY_NAME(types, at) MODULE("", "tex." types " {%r4, %r5, %r6, %r7}, [image, {" at "}];\n")
#define BY_HANDLE(types, at)                                                                                                       \
	MODULE(", .param .u64 t", "ld.param.u64 %rd3, [t]; tex." types " {%r4, %r5, %r6, %r7}, [%rd3, {" at "}];\n")

static struct host *host_of(const char *ptx)
{
	struct err e = {""};
	char path[4096];
	struct host *h;
	FILE *f;

	snprintf(path, sizeof path, "%s/t.ptx", program_tmp());
	f = fopen(path, "w");
	fputs(ptx, f);
	fclose(f);
	h = host_new(&(struct host_options){.ptx_path = path}, &e);
	cr_assert(h, "%s", e.text);
	cr_assert_eq(host_args_done(h, &e), 0);
	return h;
}

enum { MOST = 64 };

/* Fetches n texels; out[4 n]. handle 0: by name. */
static int fetch(struct host *h, uint64_t handle, const void *at, unsigned n, void *out, struct err *e)
{
	uint64_t to = host_alloc(h, "to", 16u * n, e), from = host_alloc(h, "from", 8u * n, e);
	struct host_arg args[] = {host_u64(to), host_u64(from), host_u64(handle)};
	struct host_dim one = {1, 1, 1}, threads = {n, 1, 1};

	memcpy(host_bytes(h, from, 8u * n), at, 8u * n);
	if (host_launch(h, "k", one, threads, 0, handle ? 3 : 2, args, e))
		return -1;
	memcpy(out, host_bytes(h, to, 16u * n), 16u * n);
	return 0;
}

static void set(struct host *h, uint64_t *address, const void *bytes, size_t n)
{
	struct err e = {""};

	*address = host_alloc(h, "texels", n, &e);
	cr_assert(*address, "%s", e.text);
	memcpy(host_bytes(h, *address, n), bytes, n);
}

static int clamp(int v, int size)
{
	return v < 0 ? 0 : v < size ? v : size - 1;
}

Test(ptx_texture, integer_coordinates_are_clamped_to_the_edges)
{
	static const int at[][2] = {{0, 0}, {4, 2}, {5, 3}, {-1, 1}, {2, -7}, {INT32_MIN, INT32_MAX}, {INT32_MAX, INT32_MIN},
				    {3, 1}};
	static const char *const ptx[] = {BY_NAME("2d.v4.f32.s32", "%r2, %r3"), BY_HANDLE("2d.v4.f32.s32", "%r2, %r3")};
	float image[3][8], out[8][4]; /* 5 x 3 texels in rows of 8 */

	for (unsigned i = 0; i < 24; i++)
		image[i / 8][i % 8] = (float)i;
	for (unsigned form = 0; form < 2; form++) {
		struct host *h = host_of(ptx[form]);
		struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 5, .height = 3, .pitch = 32};
		struct err e = {""};
		uint64_t handle = 0;

		set(h, &v.address, image, sizeof image);
		if (form)
			cr_assert(handle = host_texture(h, &v, &e), "%s", e.text);
		else
			cr_assert_eq(host_bind_texture(h, "image", &v, &e), 0, "%s", e.text);
		cr_assert_eq(fetch(h, handle, at, 8, out, &e), 0, "%s", e.text);
		for (unsigned i = 0; i < 8; i++) {
			cr_assert_eq(out[i][0], image[clamp(at[i][1], 3)][clamp(at[i][0], 5)], "form %u, fetch %u", form, i);
			cr_assert(out[i][1] == 0 && out[i][2] == 0 && out[i][3] == 1, "missing channels are 0, 0, 1");
		}
		host_free(h);
	}
}

Test(ptx_texture, float_coordinates_go_to_the_floor)
{
	static const struct {
		float x, y;
		int want_x, want_y;
	} cases[] = {
		{0, 0, 0, 0},
		{0.5f, 0.5f, 0, 0},
		{0.99999994f, 1, 0, 1},
		{1.999f, 1.999f, 1, 1},
		{-0.0f, -0.5f, 0, 0},
		{-1e30f, 1e30f, 0, 2},
		{5, 3, 4, 2},
		{4.9999995f, 2.5f, 4, 2},
		{NAN, NAN, 0, 0},
		{INFINITY, -INFINITY, 4, 0},
		{0x1p-149f, 3.5f, 0, 2},
	};
	enum { N = sizeof cases / sizeof cases[0] };
	struct host *h = host_of(BY_NAME("2d.v4.f32.f32", "%f2, %f3"));
	struct texture_view v = {.format = TEXTURE_F32, .channels = 2, .width = 5, .height = 3};
	float image[3][5][2], at[N][2], out[N][4];
	struct err e = {""};

	for (unsigned i = 0; i < 30; i++)
		((float *)image)[i] = (float)i;
	for (unsigned i = 0; i < N; i++) {
		at[i][0] = cases[i].x;
		at[i][1] = cases[i].y;
	}
	set(h, &v.address, image, sizeof image);
	cr_assert_eq(host_bind_texture(h, "image", &v, &e), 0, "%s", e.text);
	cr_assert_eq(fetch(h, 0, at, N, out, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < N; i++) {
		const float *want = image[cases[i].want_y][cases[i].want_x];

		cr_assert(out[i][0] == want[0] && out[i][1] == want[1] && out[i][2] == 0 && out[i][3] == 1, "fetch %u", i);
	}
	host_free(h);
}

/* One row of texels, whose bytes are those of `row`; the fetch of texel 1. */
static void channels(const char *ptx, enum texture_format format, unsigned n, const void *row, size_t bytes, const uint32_t want[4])
{
	static const int one[2] = {1, 0};
	struct host *h = host_of(ptx);
	struct texture_view v = {.format = format, .channels = n, .width = 2, .height = 1};
	struct err e = {""};
	uint32_t out[4];

	set(h, &v.address, row, bytes);
	cr_assert_eq(host_bind_texture(h, "image", &v, &e), 0, "%s", e.text);
	cr_assert_eq(fetch(h, 0, one, 1, out, &e), 0, "%s", e.text);
	for (unsigned k = 0; k < 4; k++)
		cr_assert_eq(out[k], want[k], "format %d, channel %u: 0x%x, not 0x%x", (int)format, k, out[k], want[k]);
	host_free(h);
}

static uint32_t bits(float f)
{
	uint32_t b;

	memcpy(&b, &f, sizeof b);
	return b;
}

Test(ptx_texture, channels_become_32_bits_as_the_types_say)
{
	static const char unsigned_ptx[] = BY_NAME("1d.v4.u32.s32", "%r2"), signed_ptx[] = BY_NAME("1d.v4.s32.s32", "%r2"),
			  float_ptx[] = BY_NAME("1d.v4.f32.s32", "%r2");
	static const uint8_t u8[] = {9, 9, 9, 9, 0, 51, 255, 128};
	static const int8_t s8[] = {9, 9, 127, -128}, low[] = {0, -127};
	static const uint16_t u16[] = {9, 65535};
	static const int32_t s32[] = {9, 9, 9, 9, INT32_MIN, -1, 0, 7};

	channels(unsigned_ptx, TEXTURE_U8, 4, u8, sizeof u8, (uint32_t[]){0, 51, 255, 128});
	channels(signed_ptx, TEXTURE_S8, 2, s8, sizeof s8, (uint32_t[]){127, (uint32_t)-128, 0, 1});
	channels(unsigned_ptx, TEXTURE_U16, 1, u16, sizeof u16, (uint32_t[]){65535, 0, 0, 1});
	channels(signed_ptx, TEXTURE_S16, 1, u16, sizeof u16, (uint32_t[]){UINT32_MAX, 0, 0, 1});
	channels(signed_ptx, TEXTURE_S32, 4, s32, sizeof s32, (uint32_t[]){0x80000000, UINT32_MAX, 0, 7});
	/* as fractions of the largest value: 51/255 is 0.2; -128 and -127 are both -1 */
	channels(float_ptx, TEXTURE_U8, 4, u8, sizeof u8, (uint32_t[]){0, bits(0.2f), bits(1), bits(128.0f / 255.0f)});
	channels(float_ptx, TEXTURE_S8, 2, s8, sizeof s8, (uint32_t[]){bits(1), bits(-1), 0, bits(1)});
	channels(float_ptx, TEXTURE_S8, 1, low, sizeof low, (uint32_t[]){bits(-1), 0, 0, bits(1)});
	channels(float_ptx, TEXTURE_U16, 1, u16, sizeof u16, (uint32_t[]){bits(1), 0, 0, bits(1)});
}

Test(ptx_texture, the_destination_may_be_the_coordinates)
{
	static const float row[] = {10, 20, 30, 40};
	static const int at[2] = {2, 0};
	struct host *h =
		host_of(MODULE("", "mov.u32 %r4, %r2; tex.1d.v4.f32.s32 {%r4, _, %r6, %r7}, [image, {%r4}]; mov.u32 %r5, 7;\n"));
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 1};
	struct err e = {""};
	uint32_t out[4];

	set(h, &v.address, row, sizeof row);
	cr_assert_eq(host_bind_texture(h, "image", &v, &e), 0, "%s", e.text);
	cr_assert_eq(fetch(h, 0, at, 1, out, &e), 0, "%s", e.text);
	cr_assert(out[0] == bits(30) && out[1] == 7 && out[2] == 0 && out[3] == bits(1));
	host_free(h);
}

Test(ptx_texture, old_compilers_give_four_coordinates)
{
	static const float rows[] = {10, 20, 30, 40};
	static const int at[2] = {1, 1};
	struct host *h = host_of(BY_NAME("2d.v4.f32.s32", "%r2, %r3, %r2, %r2"));
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 2};
	struct err e = {""};
	float out[4];

	set(h, &v.address, rows, sizeof rows);
	cr_assert_eq(host_bind_texture(h, "image", &v, &e), 0, "%s", e.text);
	cr_assert_eq(fetch(h, 0, at, 1, out, &e), 0, "%s", e.text);
	cr_assert_eq(out[0], 40);
	host_free(h);
}

Test(ptx_texture, the_name_of_a_texref_is_its_handle)
{
	static const float row[] = {10, 20};
	static const int at[2] = {1, 0};
	struct host *h = host_of(MODULE("", "mov.u64 %rd4, image; @%p1 tex.1d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [old, {%r2}];\n"
					    "tex.1d.v4.f32.s32 {%r4, %r5, %r6, %r7}, [%rd4, %r2];\n"));
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 2, .height = 1};
	struct err e = {""};
	float out[4];

	set(h, &v.address, row, sizeof row);
	cr_assert_eq(host_bind_texture(h, "image", &v, &e), 0, "%s", e.text);
	cr_assert_eq(fetch(h, 0, at, 1, out, &e), 0, "%s", e.text);
	cr_assert_eq(out[0], 20);
	host_free(h);
}

static void fails(const char *ptx, struct texture_view v, uint64_t handle, const char *want)
{
	static const float row[64];
	static const int at[2];
	struct host *h = host_of(ptx);
	struct err e = {""};
	uint32_t out[4];

	set(h, &v.address, row, sizeof row);
	cr_assert(v.width == 0 || host_bind_texture(h, "image", &v, &e) == 0, "%s", e.text);
	cr_assert_eq(fetch(h, handle, at, 1, out, &e), -1);
	cr_assert(strstr(e.text, want), "%s", e.text);
	host_free(h);
}

Test(ptx_texture, a_fetch_that_fits_no_texture_ends_the_run)
{
	struct texture_view f = {.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 4}, s = f;

	s.format = TEXTURE_S32;
	fails(BY_NAME("1d.v4.f32.s32", "%r2"), (struct texture_view){0}, 0, "nothing is bound to the texture image");
	fails(BY_NAME("1d.v4.f32.s32", "%r2"), f, 0, "a 1d fetch from a texture of 4 rows");
	fails(BY_NAME("2d.v4.s32.s32", "%r2, %r3"), f, 0, "fetches integers from a texture of floats");
	fails(BY_NAME("2d.v4.f32.s32", "%r2, %r3"), s, 0, "fetches floats from a texture of 32-bit integers");
	fails(BY_HANDLE("2d.v4.f32.s32", "%r2, %r3"), f, 0x10000000, "0x10000000 is not a texture");
}

Test(ptx_texture, a_texture_is_in_one_buffer)
{
	static const float row[64];
	static const struct {
		struct texture_view v;
		uint64_t beyond; /* of the buffer's begin */
		const char *want;
	} cases[] = {
		{{.format = TEXTURE_F32, .channels = 3, .width = 4, .height = 4}, 0, "1, 2 or 4 channels"},
		{{.format = TEXTURE_F32, .channels = 1, .width = 0, .height = 4}, 0, "0 x 4 texels"},
		{{.format = TEXTURE_F32, .channels = 1, .width = 4, .height = 4, .pitch = 12}, 0, "a pitch of 12 bytes"},
		{{.format = TEXTURE_F32, .channels = 2, .width = 4, .height = 4, .pitch = 36}, 0, "a pitch of 36 bytes"},
		{{.format = TEXTURE_F32, .channels = 1, .width = 16, .height = 4}, 4, "are not in one buffer"},
		{{.format = TEXTURE_F32, .channels = 1, .width = 16, .height = 5}, 0, "are not in one buffer"},
		{{.format = TEXTURE_F32, .channels = 1, .width = UINT32_MAX, .height = UINT32_MAX}, 0, "more than 2^40 bytes"},
		{{.format = TEXTURE_F32, .channels = 2, .width = 4, .height = 4}, 4, "not a multiple of its texels' 8 bytes"},
	};
	struct host *h = host_of(BY_NAME("1d.v4.f32.s32", "%r2"));
	struct texture_view v = {.format = TEXTURE_F32, .channels = 1, .width = 16, .height = 4};
	struct err e = {""};
	uint64_t base;

	set(h, &base, row, sizeof row);
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct texture_view bad = cases[i].v;

		bad.address = base + cases[i].beyond;
		e.text[0] = 0;
		cr_assert_eq(host_texture(h, &bad, &e), 0);
		cr_assert(strstr(e.text, cases[i].want), "%u: %s", i, e.text);
	}
	v.address = base;
	e.text[0] = 0;
	cr_assert(host_texture(h, &v, &e)); /* the whole of the buffer is well */
	cr_assert_eq(host_bind_texture(h, "nobody", &v, &e), -1);
	cr_assert(strstr(e.text, "no .texref \"nobody\""), "%s", e.text);
	host_free(h);
}

Test(ptx_texture, the_trace_has_the_texels_addresses)
{
	static const int at[][2] = {{0, 0}, {1, 2}, {-5, 1}, {99, 99}};
	static const uint64_t want[] = {0, 2 * 64 + 8, 64, 3 * 64 + 7 * 8};
	struct trace_options o = {.name = "t"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);
	struct ptx_module *m =
		ptx_parse(BY_NAME("2d.v4.f32.s32", "%r2, %r3"), strlen(BY_NAME("2d.v4.f32.s32", "%r2, %r3")), "t.ptx", &e);
	struct memory mem = {0};
	struct texture_view v = {.format = TEXTURE_F32, .channels = 2, .width = 8, .height = 4, .pitch = 64};
	struct {
		uint64_t out, at;
	} params;
	struct ptx_launch l = {{1, 1, 1}, {4, 1, 1}, 0, &params};
	struct trace_cta c = {0};
	struct trace *t;
	uint64_t addr[32];

	cr_assert(m, "%s", e.text);
	for (unsigned i = 0; i < 3; i++)
		cr_assert_geq(memory_add(&mem, "b", 256, &e), 0);
	params.out = mem.buffer[0].base;
	params.at = mem.buffer[1].base;
	v.address = mem.buffer[2].base;
	memcpy(mem.buffer[1].bytes, at, sizeof at);
	cr_assert_eq(ptx_bind(m, &mem, &e), 0);
	cr_assert_eq(texture_bind(&mem, "image", false, &v, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < 3; i++)
		cr_assert_eq(trace_add_buffer(w, "b", mem.buffer[i].base, 256, &e), 0);
	trace_add_kernel(w, ptx_trace_kernel(ptx_kernel_at(m, 0)));
	cr_assert_eq(ptx_run(ptx_kernel_at(m, 0), &l, &mem, w, 0, &e), 0, "%s", e.text);
	t = trace_writer_finish(w, &e);
	cr_assert(t && trace_read_cta(t, 0, 0, &c, &e) == 0, "%s", e.text);
	cr_assert_eq(c.n_addrs, 3); /* coordinates, fetch, results */
	trace_addr_expand(&c, 1, 0xf, addr);
	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(addr[i], v.address + want[i], "lane %u", i);
	trace_cta_free(&c);
	trace_close(t);
	ptx_close(m);
	memory_free(&mem);
}
