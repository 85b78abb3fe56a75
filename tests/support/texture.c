#include "support/texture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static const char before[] = ".version 6.0\n.target sm_60\n.address_size 64\n.global .texref image;\n.global .surfref canvas;\n"
			     ".visible .entry k(.param .u64 out, .param .u64 at, .param .u64 t)\n{\n"
			     ".reg .b16 %h<8>; .reg .b32 %r<32>; .reg .f32 %f<32>; .reg .b64 %rd<16>; .reg .pred %p<4>;\n"
			     "mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 32; ld.param.u64 %rd2, [at]; add.u64 %rd2, %rd2, %rd1;\n"
			     "ld.param.u64 %rd3, [t]; ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd2];\n"
			     "ld.global.v4.u32 {%r14, %r15, %r16, %r17}, [%rd2+16];\n"
			     "mov.b32 %f10, %r10; mov.b32 %f11, %r11; mov.b32 %f12, %r12; mov.b32 %f13, %r13;\n"
			     "mov.b32 %f14, %r14; mov.b32 %f15, %r15; mov.b32 %f16, %r16; mov.b32 %f17, %r17;\n"
			     "mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;\n";
static const char after[] = "\nmul.wide.u32 %rd1, %r1, 16; ld.param.u64 %rd2, [out]; add.u64 %rd2, %rd2, %rd1;\n"
			    "st.global.v4.u32 [%rd2], {%r4, %r5, %r6, %r7}; ret;\n}\n";

void texture_rig_new(struct texture_rig *r, const char *insn, const void *texels, size_t bytes)
{
	struct err e = {""};
	char path[4096], text[4096];

	cr_assert_lt((size_t)snprintf(text, sizeof text, "%s%s%s", before, insn, after), sizeof text);
	program_file("t.ptx", text);
	snprintf(path, sizeof path, "%s/t.ptx", program_tmp());
	*r = (struct texture_rig){.h = host_new(&(struct host_options){.ptx_path = path}, &e)};
	cr_assert(r->h, "%s", e.text);
	cr_assert_eq(host_args_done(r->h, &e), 0);
	r->address = host_alloc(r->h, "texels", bytes, &e);
	cr_assert(r->address, "%s", e.text);
	memcpy(host_bytes(r->h, r->address, bytes), texels, bytes);
}

void texture_rig_free(struct texture_rig *r)
{
	host_free(r->h);
}

int texture_rig_run(struct texture_rig *r, uint64_t handle, const void *words, unsigned threads, void *out, struct err *e)
{
	static const char *const names[][2] = {{"in 0", "out 0"}, {"in 1", "out 1"}, {"in 2", "out 2"}, {"in 3", "out 3"}};
	unsigned n = r->runs++;
	uint64_t to, from;

	cr_assert_lt(n, sizeof names / sizeof names[0]);
	from = host_alloc(r->h, names[n][0], (uint64_t)4 * TEXTURE_RIG_WORDS * threads, e);
	to = host_alloc(r->h, names[n][1], UINT64_C(16) * threads, e);
	memcpy(host_bytes(r->h, from, (uint64_t)4 * TEXTURE_RIG_WORDS * threads), words, (size_t)4 * TEXTURE_RIG_WORDS * threads);
	if (host_launch(r->h, "k", (struct host_dim){1, 1, 1}, (struct host_dim){threads, 1, 1}, 0, 3,
			(struct host_arg[]){host_u64(to), host_u64(from), host_u64(handle)}, e))
		return -1;
	memcpy(out, host_bytes(r->h, to, UINT64_C(16) * threads), (size_t)16 * threads);
	return 0;
}

static void place_levels(struct texture_view *v, uint64_t address)
{
	v->address = address;
	for (unsigned n = 1; n < v->levels; n++)
		v->level[n - 1].address += address;
}

void texture_fetches(const char *insn, struct texture_view v, const void *texels, size_t bytes, const struct fetch *f, unsigned n)
{
	uint32_t words[TEXTURE_RIG_THREADS][TEXTURE_RIG_WORDS], out[TEXTURE_RIG_THREADS][4];
	struct texture_rig r;
	struct err e = {""};

	cr_assert_leq(n, TEXTURE_RIG_THREADS);
	for (unsigned i = 0; i < n; i++)
		memcpy(words[i], &f[i].at, sizeof words[i]);
	texture_rig_new(&r, insn, texels, bytes);
	place_levels(&v, r.address);
	cr_assert_eq(host_bind_texture(r.h, "image", &v, &e), 0, "%s", e.text);
	cr_assert_eq(texture_rig_run(&r, host_texture(r.h, &v, &e), words, n, out, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < 4; k++) {
			float got;

			memcpy(&got, &out[i][k], sizeof got);
			cr_assert_eq(out[i][k], f[i].want.u[k], "fetch %u, channel %u: 0x%x (%.9g), not 0x%x (%.9g)", i, k,
				     out[i][k], (double)got, f[i].want.u[k], (double)f[i].want.f[k]);
		}
	}
	texture_rig_free(&r);
}

void texture_fails(const char *insn, struct texture_view v, const void *texels, size_t bytes, const char *want)
{
	uint32_t words[TEXTURE_RIG_WORDS] = {0}, out[4];
	struct texture_rig r;
	struct err e = {""};

	texture_rig_new(&r, insn, texels, bytes);
	place_levels(&v, r.address);
	cr_assert_eq(host_bind_texture(r.h, "image", &v, &e), 0, "%s", e.text);
	cr_assert_eq(texture_rig_run(&r, host_texture(r.h, &v, &e), words, 1, out, &e), -1, "%s", insn);
	cr_assert(strstr(e.text, want), "%s: %s", insn, e.text);
	cr_assert_not(strchr(e.text, '\n'));
	texture_rig_free(&r);
}
