/* Four launches, by each call and on each stream, of 2, 4, 8 and 16 blocks, and one that is refused; time passes
 * between them. The argument is the status that the program ends with. */
#include <stddef.h>
#include <stdlib.h>

struct grid {
	unsigned x, y, z;
};
struct config {
	struct grid grid, block;
	size_t shared;
	void *stream;
};

int cudaDeviceSynchronize(void);
int cudaLaunchKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream);
int __cudaLaunchKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream);
int cudaLaunchCooperativeKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream);
int cudaLaunchKernelExC(const struct config *config, const void *kernel, void **args);

int main(int argc, char **argv)
{
	static const struct grid block = {32, 1, 1};
	struct config config = {.grid = {8, 1, 1}, .block = block, .stream = (void *)2};
	void *args[1] = {NULL};

	if (argc != 2 || cudaLaunchKernel(main, (struct grid){2, 1, 1}, block, args, 64, NULL) || cudaDeviceSynchronize() ||
	    __cudaLaunchKernel(main, (struct grid){4, 1, 1}, block, args, 64, (void *)1) || cudaDeviceSynchronize() ||
	    cudaLaunchKernelExC(&config, main, args) || cudaDeviceSynchronize() ||
	    cudaLaunchCooperativeKernel(main, (struct grid){16, 1, 1}, block, args, 64, (void *)3) ||
	    cudaLaunchKernel(main, (struct grid){0, 1, 1}, block, args, 64, NULL) != 9)
		return 1;
	return atoi(argv[1]);
}
