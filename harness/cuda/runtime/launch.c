/* Kernels: their figures, and launches.
 *
 * Whether a launch can be made at all depends on its shape, and the device says so: the first of a shape is waited for.
 * If the device answers that others of its shape may go ahead, they are sent, and the program goes on while the device
 * executes them, as with a GPU. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/order.h"
#include "cuda/runtime/registration.h"

enum { MAX_CONFIGURATIONS = 64, MAX_PARAM_BYTES = 32768 };

/* ---- <<<>>>: the compiler pushes a configuration, the kernel's stub pops it ---- */

struct configuration {
	dim3 grid, block;
	size_t shared;
	void *stream;
};
struct configurations {
	unsigned n;
	struct configuration of[MAX_CONFIGURATIONS];
};

static struct configurations *pushed(void)
{
	static _Thread_local struct configurations c;

	return &c;
}

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
	struct configurations *c = pushed();

	if (c->n == MAX_CONFIGURATIONS)
		return errors_note(cudaErrorInvalidConfiguration);
	c->of[c->n++] = (struct configuration){grid, block, shared, stream};
	return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	struct configurations *c = pushed();
	const struct configuration *top;

	if (!c->n)
		return errors_note(cudaErrorMissingConfiguration);
	top = &c->of[--c->n];
	*grid = top->grid;
	*block = top->block;
	*shared = top->shared;
	*(void **)stream = top->stream;
	return cudaSuccess;
}

/* ---- launches ---- */

/* args: where each parameter is; the kernel says how long it is and where in the block. */
static cudaError_t gather(const struct registered_kernel *k, void **args, unsigned char block[MAX_PARAM_BYTES])
{
	if (k->is.param_bytes > MAX_PARAM_BYTES || (k->is.n_params && !args))
		return cudaErrorInvalidValue;
	memset(block, 0, k->is.param_bytes);
	for (uint32_t i = 0; i < k->is.n_params; i++) {
		if (!args[i])
			return cudaErrorInvalidValue;
		memcpy(block + k->param[i].offset, args[i], k->param[i].bytes);
	}
	return cudaSuccess;
}

/* The last shapes that the device has let go ahead. A program that uses more in turns waits for some. */
struct shapes {
	pthread_mutex_t lock;
	struct shape {
		uint64_t word[WIRE_SHAPE_WORDS];
	} of[64];
};

static struct shapes *shapes(void)
{
	static struct shapes s = {.lock = PTHREAD_MUTEX_INITIALIZER};

	return &s;
}

/* Where a shape is kept, if it is. */
static struct shape *place(const struct shape *of)
{
	uint64_t mix = 0;

	for (unsigned i = 0; i < WIRE_SHAPE_WORDS; i++)
		mix = hash_multiply(mix ^ of->word[i]);
	return &shapes()->of[mix >> 58];
}

static bool may_go_ahead(const struct shape *s)
{
	bool may;

	pthread_mutex_lock(&shapes()->lock);
	may = !connection_in_step() && memcmp(place(s), s, sizeof *s) == 0;
	pthread_mutex_unlock(&shapes()->lock);
	return may;
}

static void let_go_ahead(const struct shape *s)
{
	pthread_mutex_lock(&shapes()->lock);
	*place(s) = *s;
	pthread_mutex_unlock(&shapes()->lock);
}

/* A launch of a shape on the call's stream. */
struct launch {
	uint64_t word[WIRE_LAUNCH_WORDS];
};

static struct launch launch_of(const struct shape *s)
{
	struct launch l = {.word = {[WIRE_SHAPE_WORDS] = order_now().stream}};

	memcpy(l.word, s->word, sizeof s->word);
	return l;
}

static cudaError_t launch_and_wait(const struct shape *s, const void *params, size_t bytes)
{
	struct message m = {.out = params, .out_bytes = bytes, .take_all = true};
	struct launch l = launch_of(s);
	struct wire_answer answer;
	cudaError_t error = connection_call(WIRE_LAUNCH, WIRE_LAUNCH_WORDS, l.word, &m, &answer);

	/* What the kernel printed is the program's own output, in its place among it. */
	fwrite(m.in ? m.in : "", 1, m.in_bytes, stdout);
	free(m.in);
	if (!error && answer.r[0])
		let_go_ahead(s);
	return error;
}

static cudaError_t launch(const struct registered_kernel *k, dim3 grid, dim3 block, const void *params, size_t shared,
			  bool cooperative)
{
	struct shape s = {{k->key, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, cooperative}};

	struct launch l = launch_of(&s);

	if (may_go_ahead(&s) && connection_go_ahead(WIRE_LAUNCH_WORDS, l.word, params, k->is.param_bytes))
		return cudaSuccess;
	return launch_and_wait(&s, params, k->is.param_bytes);
}

cudaError_t launch_args(const void *function, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative)
{
	unsigned char params[MAX_PARAM_BYTES];
	cudaError_t error;
	const struct registered_kernel *k = registration_kernel(function, &error);

	if (k)
		error = gather(k, args, params);
	return error ? error : launch(k, grid, block, params, shared, cooperative);
}

cudaError_t launch_block(const void *function, dim3 grid, dim3 block, const void *params, size_t bytes, size_t shared)
{
	unsigned char whole[MAX_PARAM_BYTES] = {0};
	cudaError_t error;
	const struct registered_kernel *k = registration_kernel(function, &error);

	if (!k)
		return error;
	if (k->is.param_bytes > MAX_PARAM_BYTES)
		return cudaErrorInvalidValue;
	memcpy(whole, params, bytes < k->is.param_bytes ? bytes : k->is.param_bytes);
	return launch(k, grid, block, whole, shared, false);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
	return errors_note(ORDER_ON(stream, launch_args(function, grid, block, args, shared, false)));
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
					cudaStream_t stream)
{
	return errors_note(ORDER_ON(stream, launch_args(function, grid, block, args, shared, true)));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *function, void **args)
{
	bool cooperative = false;

	if (!c || (c->numAttrs && !c->attrs))
		return errors_note(cudaErrorInvalidValue);
	for (unsigned i = 0; i < c->numAttrs; i++) {
		const cudaLaunchAttribute *a = &c->attrs[i];

		if (a->id == cudaLaunchAttributeCooperative)
			cooperative = a->val.cooperative != 0;
		if (a->id == cudaLaunchAttributeClusterDimension &&
		    a->val.clusterDim.x * a->val.clusterDim.y * a->val.clusterDim.z > 1) {
			fprintf(stderr, "locus: clusters of CTAs are not supported\n");
			return errors_note(cudaErrorNotSupported);
		}
	}
	return errors_note(
		ORDER_ON(c->stream, launch_args(function, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, cooperative)));
}

/* CUDA 13's compiler makes a kernel's handle of the host function once, and launches by it. It is the same address. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
	*kernel = (cudaKernel_t)(uintptr_t)function;
	return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
	return cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}

/* ---- what a kernel is ---- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *function)
{
	cudaError_t error = cudaErrorInvalidValue;
	const struct registered_kernel *k = a ? registration_kernel(function, &error) : NULL;
	const struct wire_device *d = connection_device();

	if (!k || !d)
		return errors_note(error);
	*a = (struct cudaFuncAttributes){.sharedSizeBytes = k->is.shared_bytes,
					 .constSizeBytes = k->is.const_bytes,
					 .localSizeBytes = k->is.local_bytes,
					 .maxThreadsPerBlock = (int)k->is.max_threads,
					 .numRegs = (int)k->is.registers,
					 .ptxVersion = (int)(k->is.ptx_version ? k->is.ptx_version : d->capability),
					 .binaryVersion = (int)d->capability,
					 .maxDynamicSharedSizeBytes = (int)d->shared_bytes - (int)k->is.shared_bytes,
					 .preferredShmemCarveout = cudaSharedmemCarveoutDefault};
	return cudaSuccess;
}

/* A launch may have all of an SM's shared memory in any case. */
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
	cudaError_t error;
	const struct registered_kernel *k = registration_kernel(function, &error);
	const struct wire_device *d = connection_device();

	if (!k || !d)
		return errors_note(error);
	if (attribute < cudaFuncAttributeMaxDynamicSharedMemorySize || attribute >= cudaFuncAttributeMax)
		return errors_note(cudaErrorInvalidValue);
	if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize &&
	    (value < 0 || (uint64_t)value + k->is.shared_bytes > d->shared_bytes))
		return errors_note(cudaErrorInvalidValue);
	return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
	cudaError_t error;

	(void)config;
	registration_kernel(function, &error);
	return errors_note(error);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
	cudaError_t error;

	(void)config;
	registration_kernel(function, &error);
	return errors_note(error);
}

static cudaError_t resident(int *ctas, const void *function, int threads, size_t shared)
{
	struct wire_answer answer;
	cudaError_t error;

	if (!ctas || threads <= 0)
		return cudaErrorInvalidValue;
	if (!registration_kernel(function, &error))
		return error;
	error = connection_call(WIRE_RESIDENT, 3, (uint64_t[]){(uintptr_t)function, (uint64_t)threads, shared}, NULL, &answer);
	*ctas = (int)answer.r[0];
	return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *ctas, const void *function, int threads, size_t shared)
{
	return errors_note(resident(ctas, function, threads, shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *ctas, const void *function, int threads, size_t shared,
								   unsigned int flags)
{
	(void)flags;
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(ctas, function, threads, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int ctas, int threads)
{
	cudaError_t error;
	const struct registered_kernel *k = registration_kernel(function, &error);
	const struct wire_device *d = connection_device();

	(void)threads;
	if (!k || !d)
		return errors_note(error);
	if (!bytes || ctas <= 0)
		return errors_note(cudaErrorInvalidValue);
	*bytes = d->shared_bytes / (unsigned)ctas < k->is.shared_bytes ? 0 : d->shared_bytes / (unsigned)ctas - k->is.shared_bytes;
	return cudaSuccess;
}
