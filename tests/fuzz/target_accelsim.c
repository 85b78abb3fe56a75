/* Accel-Sim traces, as five parts between lines of "%%%%": options (the words unknown, memcpy and map are looked for),
 * kernelslist.g, kernel-1.traceg, kernel-2.traceg, an opcode table. What is imported is recorded in a file and read
 * back. */
#include <string.h>

#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "support/trace_sound.h"
#include "trace/accelsim.h"

static bool has(const uint8_t *text, size_t n, const char *word)
{
	return memmem(text, n, word, strlen(word)) != NULL;
}

static void read_back(struct trace *t, uint64_t warp_insts)
{
	struct trace_cta c = {0};
	struct err e = {""};
	uint64_t insts = 0;

	for (uint32_t l = 0; l < trace_n_launches(t); l++) {
		for (uint32_t i = 0; i < trace_launch(t, l)->n_ctas; i++) {
			REQUIRE(trace_read_cta(t, l, i, &c, &e) == 0 && !trace_unsound(t, l, &c));
			for (uint32_t w = 0; w < c.n_warps; w++)
				insts += c.warp[w].insts;
		}
	}
	REQUIRE(insts == warp_insts);
	trace_cta_free(&c);
}

void fuzz_accelsim(const uint8_t *data, size_t n)
{
	const struct trace_options to = {.name = "t", .path = "t.ltrace"};
	struct accelsim_options o = {0};
	struct err e = {""};
	const uint8_t *part[5];
	struct trace_writer *w;
	uint64_t warp_insts = 0;
	size_t size[5];

	fuzz_parts(data, n, 5, part, size);
	o.unknown_alu = has(part[0], size[0], "unknown");
	o.memcpy = has(part[0], size[0], "memcpy");
	o.opcode_map = has(part[0], size[0], "map") ? "opcodes" : NULL;
	files_put("kernelslist.g", part[1], size[1]);
	files_put("kernel-1.traceg", part[2], size[2]);
	files_put("kernel-2.traceg", part[3], size[3]);
	files_put("opcodes", part[4], size[4]);
	w = trace_writer_new(&to, &e);
	REQUIRE(w);
	if (accelsim_import("kernelslist.g", &o, w, &warp_insts, &e)) {
		fuzz_told(&e);
		trace_writer_drop(w);
	} else {
		struct trace *written = trace_writer_finish(w, &e), *t = trace_open("t.ltrace", &e);

		REQUIRE(written && t && trace_hash(t) == trace_hash(written));
		read_back(t, warp_insts);
		trace_close(written);
		trace_close(t);
	}
}
