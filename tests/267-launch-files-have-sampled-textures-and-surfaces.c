/* The keys of textures and surfaces in launch files, and a run from one end to the other. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"
#include "workload/launchfile.h"
#include "workload/program.h"

/* A thread stores the texture at (x + 1) / 4, y = layer = 0, to the surface's texel x. */
static const char ptx[] =
	".version 6.0\n.target sm_60\n.address_size 64\n.global .texref byname;\n.global .surfref canvas;\n"
	".visible .entry k(.param .u64 t, .param .u64 s)\n{\n.reg .b32 %r<4>; .reg .f32 %f<8>; .reg .b64 %rd<3>;\n"
	"ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [s]; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; shl.b32 %r3, %r1, 2;\n"
	"cvt.rn.f32.u32 %f1, %r2; mul.f32 %f1, %f1, 0f3E800000; tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1}];\n"
	"sust.b.1d.b32.trap [%rd2, {%r3}], {%f2}; ret;\n}\n"
	".visible .entry named()\n{\n.reg .b32 %r<4>; .reg .f32 %f<8>;\n"
	"mov.u32 %r1, 0; mov.f32 %f1, 0fBF800000; tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [byname, {%f1, %f1}];\n"
	"sust.b.2d.b32.trap [canvas, {%r1, 1}], {%f2}; ret;\n}\n";
#define HEAD	"ptx: view.ptx\nbuffers:\n  texels: {count: 16, type: f32, fill: iota, start: 1}\n  out: {count: 16, type: f32}\n"
#define K	"launches: [{kernel: k, grid: 1, block: 4, args: [image, drawing]}]\n"
#define DRAWING "surfaces:\n  drawing: {buffer: out, format: f32, width: 4, offset: 4}\n"

static int run(const char *text, struct host **h, struct err *e)
{
	char path[4096];
	bool expects;

	program_file("view.ptx", ptx);
	program_file("view.yaml", text);
	snprintf(path, sizeof path, "%s/view.yaml", program_tmp());
	*h = host_new(&(struct host_options){0}, e);
	cr_assert(*h, "%s", e->text);
	return launchfile_run(*h, path, &expects, e);
}

static void out_is(const char *text, const float *want, unsigned first, unsigned n)
{
	struct err e = {""};
	struct host *h;
	const float *out;

	cr_assert_eq(run(text, &h, &e), 0, "%s", e.text);
	out = (const float *)host_memory(h)->buffer[memory_named(host_memory(h), "out")].bytes;
	for (unsigned i = 0; i < n; i++)
		cr_assert_eq(out[first + i], want[i], "%s: %u: %g", text, i, (double)out[first + i]);
	host_free(h);
}

Test(launch_file_views, filter_and_address_modes_are_read)
{
	/* texels 1 2 3 4 at 0.25, 0.5, 0.75 and 1 of the extent */
	out_is(HEAD K DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, filter: linear, normalized: true}}\n",
	       (float[]){1.5f, 2.5f, 3.5f, 4}, 1, 4);
	out_is(HEAD K DRAWING "textures:\n  image: {buffer: texels, format: f32, width: 4, normalized: true, address: wrap}\n",
	       (float[]){2, 3, 4, 1}, 1, 4);
	out_is(HEAD K DRAWING "textures:\n  image: {buffer: texels, format: f32, width: 4, normalized: true, filter: linear,\n"
			      "    address: [border, clamp], border: [-4]}\n",
	       (float[]){1.5f, 2.5f, 3.5f, 0}, 1, 4);
	/* places in texels, of linear memory: 0.25, 0.5, 0.75, 1 */
	out_is(HEAD K DRAWING "textures: {image: {buffer: texels, format: f32, width: 1, shape: linear}}\n", (float[]){1, 1, 1, 0},
	       1, 4);
}

Test(launch_file_views, references_are_bound_by_name)
{
	out_is(HEAD "launches: [{kernel: named, grid: 1, block: 1}]\n"
		    "textures: {byname: {buffer: texels, format: f32, width: 2, height: 2, pitch: 16, address: [border, clamp],\n"
		    "  border: [77]}}\n"
		    "surfaces: {canvas: {buffer: out, format: f32, width: 2, height: 2, pitch: 32}}\n",
	       (float[]){77}, 8, 1);
}

Test(launch_file_views, what_cannot_be_is_reported)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, filter: cubic}}\n",
		 "textures.image.filter: \"cubic\" is not one of nearest, linear"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, address: [clamp, edge]}}\n",
		 "textures.image.address: \"edge\" is not one of clamp, wrap, mirror, border"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, address: [wrap, wrap, wrap, wrap]}}\n",
		 "textures.image.address: more than three dimensions"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, border: [1]}}\n", "no address mode is border"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, address: border, border: 1}}\n",
		 "textures.image.border: must be a list"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, address: border, border: [1, 2]}}\n",
		 "more values than the texture's 1 channels"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, shape: linear, filter: linear}}\n",
		 "linear memory has no filter"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, shape: round}}\n", "not one of 2d, linear, 3d"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, normalized: perhaps}}\n",
		 "textures.image.normalized"},
		{DRAWING "textures: {image: {buffer: texels, format: f32, width: 2, depth: 5, shape: 3d, slice_pitch: 16}}\n",
		 "textures.image: the texture needs 72 bytes"},
		{DRAWING "textures: {drawing: {buffer: texels, format: f32, width: 4}}\n", "has this name"},
		{"textures: {image: {buffer: texels, format: f32, width: 4}}\nsurfaces: {drawing: {buffer: out, format: f32, "
		 "width: 4, "
		 "filter: linear}}\n",
		 "surfaces.drawing.filter: unknown key"},
		{"textures: {image: {buffer: texels, format: f32, width: 4}}\nsurfaces: {canvas: {buffer: out, format: f32, width: "
		 "17}}\n",
		 "surfaces: surface canvas: the surface needs 68 bytes"},
		{"textures: {image: {buffer: texels, format: f32, width: 4}}\n" DRAWING
		 "  more: {buffer: out, format: f32, width: 1}\n",
		 "surfaces.more: neither a .surfref of the PTX nor an argument of a launch"},
		{"textures: {image: {buffer: texels, format: f32, width: 4}}\nsurfaces: 3\n",
		 "surfaces: must be a mapping of names"},
		{"textures: {image: {buffer: texels, format: f32, width: 4}}\nsurfaces: {drawing: {buffer: out, format: f32, "
		 "width: 3}}\n",
		 "writes 4 bytes outside the surface of 3 x 1 x 1 texels of 4 bytes"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct err e = {""};
		char text[1000];
		struct host *h;

		snprintf(text, sizeof text, HEAD K "%s", cases[i].text);
		cr_assert_eq(run(text, &h, &e), -1, "%u", i);
		cr_assert(strstr(e.text, cases[i].want), "%u: %s", i, e.text);
		cr_assert_not(strchr(e.text, '\n'));
		host_free(h);
	}
}

Test(launch_file_views, textures_and_surfaces_run_on_the_model)
{
	struct program p;

	program_file("view.ptx", ptx);
	program_file("view.yaml",
		     HEAD K DRAWING "textures: {image: {buffer: texels, format: f32, width: 4, filter: linear, normalized: true}}\n"
				    "expect: {out: {type: f32, values: [0, 1.5, 2.5, 3.5, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}}\n");
	p = program_run("locus run %s/view.yaml", program_tmp());
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}
