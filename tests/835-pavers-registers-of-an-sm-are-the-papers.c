/* 835: the storage of PAVER's dispatcher against the closed form of the paper's section 5.1: next, tail and nextTB of
 * each SM, with the valid and the pending bit that an overtaken fetch needs. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/blocks.h"
#include "hw/twins/paver.h"

/* Bits of the registers whose names begin so. */
static uint32_t bits(const struct paver_params *p, const char *prefix)
{
	struct hw_field field[HW_MAX_FIELDS];
	unsigned n = paver_block.fields(p, HW_REG, field);
	uint32_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		if (!strncmp(field[i].name, prefix, strlen(prefix)))
			sum += field[i].count * field[i].width;
	return sum;
}

/* The paper: 64 + 64 + 16 bits, 18 bytes: 270 bytes on Fermi's 15 SMs, 504 on Pascal's 28, 1440 on Volta's 80. Here
 * next and tail are positions in a list of CTAs, of 16 bits each. */
Test(paver_storage, of_an_sm_is_next_tail_and_next_tb)
{
	static const struct {
		uint32_t sms, printed; /* bytes */
	} machine[] = {{15, 270}, {28, 504}, {80, 1440}};

	for (unsigned i = 0; i < sizeof machine / sizeof machine[0]; i++) {
		struct paver_params p;
		uint32_t sms = machine[i].sms, wider = 2 * (64 - 16), two = 2;

		hw_params_default(&paver_block, &p);
		p.sms = sms;
		cr_expect_eq(bits(&p, "sm__"), sms * (16 + 16 + 16 + two));
		cr_expect_eq(bits(&p, "sm__") + sms * (wider - two), 8 * machine[i].printed, "with pointers of 64 bits");
	}
}

/* The paper: MaxWaitingTB, AverageWaitingTB and the count, 16 bits each, 6 bytes. The count takes the place of the
 * maximum here. */
Test(paver_storage, of_the_stealer_is_a_maximum_and_an_average)
{
	struct paver_params p;

	hw_params_default(&paver_block, &p);
	cr_expect_eq(bits(&p, "steal__max") + bits(&p, "steal__sum"), 8 * 6 - 16);
}
