/* PTX: parsing, lowering (of every other input, by its length, in an assembler's order), control flow and registers,
 * printing, and the module's own variables; all that comes before a launch. */
#include "fuzz/fuzz.h"
#include "ptx/ptx.h"
#include "trace/trace_impl.h"

static void check_kernel(const struct ptx_kernel *k, bool whole)
{
	const struct trace_kernel *t = ptx_trace_kernel(k);

	for (unsigned i = 0; i < ptx_n_params(k); i++) {
		struct ptx_param p = ptx_param_at(k, i);

		REQUIRE(p.align && p.offset % p.align == 0 && p.bytes <= ptx_param_bytes(k) &&
			p.offset <= ptx_param_bytes(k) - p.bytes);
	}
	if (whole)
		REQUIRE(!trace_check_kernel(t));
}

void fuzz_ptx(const uint8_t *data, size_t n)
{
	struct memory mem = {0};
	struct err e = {""};
	struct ptx_module *m = ptx_parse_in(n % 2 ? PTX_ASSEMBLER_ORDER : PTX_TEXT_ORDER, (const char *)data, n, "k.ptx", &e);
	bool whole;

	if (!m) {
		fuzz_told(&e);
		return;
	}
	whole = ptx_print(m, fuzz_sink()) == 0;
	for (unsigned i = 0; i < ptx_n_kernels(m); i++)
		check_kernel(ptx_kernel_at(m, i), whole);
	if (ptx_bind(m, &mem, &e))
		fuzz_told(&e);
	memory_free(&mem);
	ptx_close(m);
}
