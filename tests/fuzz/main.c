/* A libFuzzer program of one target: -DTARGET=fuzz_ptx, and -DMUTATE=fuzz_ltrace_mutate for a target with a mutator of its own. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	TARGET(data, n);
	return 0;
}

#ifdef MUTATE
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	return MUTATE(data, n, max, seed, LLVMFuzzerMutate);
}
#endif
