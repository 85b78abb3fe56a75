/* A CUDA runtime without a GPU, for test 938: a launch of a grid of n blocks takes n quarters of a millisecond of its
 * stream's time, of which there are four, and an event has the time of its stream. */
#include <stdlib.h>
#include <string.h>

struct grid {
	unsigned x, y, z;
};
struct config {
	struct grid grid, block;
	size_t shared;
	void *stream;
};

static float clock_of[4]; /* by stream, ms */

static float *stream_clock(void *stream)
{
	return &clock_of[(size_t)stream % 4];
}

int cudaGetDevice(int *device)
{
	*device = 3;
	return 0;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	*value = attribute == 13 && device == 3 ? 1230000 : 0;
	return 0;
}

int cudaGetDeviceProperties(void *properties, int device)
{
	strcpy(properties, device == 3 ? "A GPU of no kind" : "");
	return 0;
}

int cudaEventCreate(void **event)
{
	*event = calloc(1, sizeof(float));
	return !*event;
}

int cudaEventDestroy(void *event)
{
	free(event);
	return 0;
}

int cudaEventRecord(void *event, void *stream)
{
	*(float *)event = *stream_clock(stream);
	return 0;
}

int cudaEventSynchronize(void *event)
{
	return !event;
}

int cudaEventElapsedTime(float *ms, void *from, void *to)
{
	*ms = *(float *)to - *(float *)from;
	return getenv("NO_TIMES") != NULL;
}

int cudaDeviceSynchronize(void)
{
	for (int i = 0; i < 4; i++)
		clock_of[i] += 100;
	return 0;
}

static int launch(struct grid grid, void *stream)
{
	*stream_clock(stream) += grid.x ? (float)grid.x / 4 : 50;
	return grid.x ? 0 : 9;
}

int cudaLaunchKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream)
{
	return !kernel || block.z != 1 || !args || shared != 64 ? 1 : launch(grid, stream);
}

int __cudaLaunchKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream)
{
	return !kernel || block.z != 1 || !args || shared != 64 ? 1 : launch(grid, stream);
}

int cudaLaunchKernelExC(const struct config *config, const void *kernel, void **args)
{
	return !kernel || !args ? 1 : launch(config->grid, config->stream);
}

/* Calls the public name, as a runtime may. */
int cudaLaunchCooperativeKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream)
{
	return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
