#include "support/icarus.h"

#include <criterion/criterion.h>

FILE *icarus_vectors(char path[4096])
{
	FILE *f;

	snprintf(path, 4096, "%s/vectors", program_tmp());
	f = fopen(path, "w");
	cr_assert_not_null(f);
	return f;
}

void icarus_print_fields(FILE *f, const struct hw_block *b, const void *params, enum hw_side side, const void *data)
{
	struct hw_field field[HW_MAX_FIELDS];
	unsigned n = b->fields(params, side, field), at = 0;
	unsigned char bits[4096] = {0}; /* four a byte, as they are printed */

	for (unsigned i = 0; i < n; i++)
		for (uint32_t k = 0; k < field[i].count; k++)
			for (uint32_t bit = 0; bit < field[i].width; bit++, at++) {
				uint64_t value = hw_get(data, field[i].offset + k * field[i].size, field[i].size);

				cr_assert_lt(at / 4, sizeof bits);
				bits[at / 4] |= (unsigned char)((value >> bit & 1) << at % 4);
			}
	for (unsigned digit = (at + 3) / 4; digit > 0; digit--)
		fputc("0123456789abcdef"[bits[digit - 1]], f);
}

void icarus_print_cycle(FILE *f, const struct hw_block *b, const void *params, const void *in, const void *out)
{
	icarus_print_fields(f, b, params, HW_INPUT, in);
	fputc(' ', f);
	icarus_print_fields(f, b, params, HW_OUTPUT, out);
	fputc('\n', f);
}

struct program icarus_simulate(const char *top, const char *parameters, const char *vectors, const char *sources)
{
	struct program p = program_run("scripts/simulate %s '%s' %s %s", top, parameters, vectors, sources);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_empty(p.err);
	return p;
}
