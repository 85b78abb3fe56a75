/* A program of three files: this one for the host's compiler, C, and CUDA. */
#include <cstdio>
#include <cuda_runtime.h>

extern "C" int expected(int i);
void squares(int *out, int n);

int main()
{
	int *out, wrong = 0;

	if (cudaMallocManaged((void **)&out, 100 * sizeof *out))
		return 1;
	squares(out, 100);
	for (int i = 0; i < 100; i++)
		wrong += out[i] != expected(i);
	puts(wrong ? "parts: wrong" : "parts: ok");
	return 0;
}
