/* How long the kernels of a CUDA program take on the GPU at which it runs: a library to preload (LD_PRELOAD), ahead
 * of a shared CUDA runtime. It stands before the runtime's launches, records an event ahead of each and one behind
 * it, waits for the second, and adds up the time between them. When the program ends it writes a line into the file
 * that LAUNCH_TIMES names:
 *
 *     launches 12 ms 3.456000 khz 1530000 gpu Tesla V100-SXM2-16GB
 *
 * or, if some launch could not be timed, "failed" and the call that failed. khz: the highest clock of the SMs
 * (cudaDevAttrClockRate). Launches do not overlap, since each is waited for, as under a profiler; what is between the
 * events beside the kernel, a few microseconds of each launch, is in the time.
 *
 * Seen are cudaLaunchKernel, cudaLaunchKernelExC, cudaLaunchCooperativeKernel, and CUDA 13's __cudaLaunchKernel, into
 * which compilers make <<<>>>; not launches through the driver's interface, of graphs, or on streams per thread.
 *
 * The declarations are those of the CUDA Runtime API's manual, as far as they are used: no toolkit is needed to build
 * this. scripts/correlate-hw builds it; test 938 runs it against a runtime of its own.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid { /* dim3 */
	unsigned x, y, z;
};
struct launch_config { /* the beginning of cudaLaunchConfig_t */
	struct grid grid, block;
	size_t shared;
	void *stream;
};

enum {
	ATTR_CLOCK_RATE = 13 /* cudaDevAttrClockRate, kHz */,
	ROOM_FOR_PROPERTIES = 1 << 16 /* cudaDeviceProp begins with the name */
};

/* A library has no one to hand its state to. */
static struct {
	pthread_mutex_t lock;
	unsigned long launches;
	double ms;
	const char *failed; /* the first call that did not succeed */
	int khz;
	char gpu[256];
} times = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool timing; /* a launch that the runtime makes of another one is not a second launch */

/* What is called of the runtime. */
static struct {
	int (*get_device)(int *);
	int (*attribute)(int *, int, int);
	int (*properties)(void *, int);
	int (*event_new)(void **);
	int (*event_free)(void *);
	int (*record)(void *, void *);
	int (*synchronize)(void *);
	int (*elapsed)(float *, void *, void *);
} cuda;

/* Of the runtime behind this library; into *function. */
static void find(void *function, const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f) {
		fprintf(stderr, "launch-times: the CUDA runtime has no %s: is it linked statically?\n", name);
		abort();
	}
	memcpy(function, &f, sizeof f);
}

static void find_all(void)
{
	find(&cuda.get_device, "cudaGetDevice");
	find(&cuda.attribute, "cudaDeviceGetAttribute");
	find(&cuda.properties, "cudaGetDeviceProperties");
	find(&cuda.event_new, "cudaEventCreate");
	find(&cuda.event_free, "cudaEventDestroy");
	find(&cuda.record, "cudaEventRecord");
	find(&cuda.synchronize, "cudaEventSynchronize");
	find(&cuda.elapsed, "cudaEventElapsedTime");
}

static bool succeeds(const char *call, int status)
{
	if (status && !times.failed)
		times.failed = call;
	return !status;
}

static void ask_for_gpu(void)
{
	char *properties = calloc(1, ROOM_FOR_PROPERTIES);
	int device = 0;

	if (properties && succeeds("cudaGetDevice", cuda.get_device(&device)) &&
	    succeeds("cudaDeviceGetAttribute", cuda.attribute(&times.khz, ATTR_CLOCK_RATE, device)) &&
	    succeeds("cudaGetDeviceProperties", cuda.properties(properties, device)))
		memcpy(times.gpu, properties, sizeof times.gpu - 1);
	free(properties);
}

/* Ahead of the first launch. */
static void set_up(void)
{
	find_all();
	ask_for_gpu();
}

struct span {
	void *begin, *end, *stream;
	bool timed;
};

static void begin(struct span *s, void *stream)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	*s = (struct span){.stream = stream, .timed = !timing};
	if (!s->timed)
		return;
	timing = true;
	pthread_once(&once, set_up);
	pthread_mutex_lock(&times.lock);
	s->timed = succeeds("cudaEventCreate", cuda.event_new(&s->begin)) && succeeds("cudaEventCreate", cuda.event_new(&s->end)) &&
		   succeeds("cudaEventRecord", cuda.record(s->begin, stream));
	pthread_mutex_unlock(&times.lock);
	timing = s->timed;
}

static void add_up(const struct span *s)
{
	float ms = 0;

	if (!succeeds("cudaEventRecord", cuda.record(s->end, s->stream)) ||
	    !succeeds("cudaEventSynchronize", cuda.synchronize(s->end)) ||
	    !succeeds("cudaEventElapsedTime", cuda.elapsed(&ms, s->begin, s->end)))
		return;
	times.launches++;
	times.ms += (double)ms;
}

/* status: of the launch; one that was refused took no time. */
static int end(const struct span *s, int status)
{
	if (!s->timed)
		return status;
	pthread_mutex_lock(&times.lock);
	if (!status)
		add_up(s);
	cuda.event_free(s->begin);
	cuda.event_free(s->end);
	pthread_mutex_unlock(&times.lock);
	timing = false;
	return status;
}

static int launch(const char *name, const void *kernel, struct grid grid, struct grid block, void **args, size_t shared,
		  void *stream)
{
	int (*runtimes)(const void *, struct grid, struct grid, void **, size_t, void *);
	struct span s;

	find(&runtimes, name);
	begin(&s, stream);
	return end(&s, runtimes(kernel, grid, block, args, shared, stream));
}

/* ---- in the runtime's place ---- */

int cudaLaunchKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream)
{
	return launch("cudaLaunchKernel", kernel, grid, block, args, shared, stream);
}

int cudaLaunchCooperativeKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream)
{
	return launch("cudaLaunchCooperativeKernel", kernel, grid, block, args, shared, stream);
}

int __cudaLaunchKernel(const void *kernel, struct grid grid, struct grid block, void **args, size_t shared, void *stream)
{
	return launch("__cudaLaunchKernel", kernel, grid, block, args, shared, stream);
}

int cudaLaunchKernelExC(const struct launch_config *config, const void *kernel, void **args)
{
	int (*runtimes)(const struct launch_config *, const void *, void **);
	struct span s;

	find(&runtimes, "cudaLaunchKernelExC");
	begin(&s, config->stream);
	return end(&s, runtimes(config, kernel, args));
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("LAUNCH_TIMES");
	FILE *f = path ? fopen(path, "w") : NULL;

	if (!f)
		return;
	if (times.failed)
		fprintf(f, "failed %s\n", times.failed);
	else
		fprintf(f, "launches %lu ms %.6f khz %d gpu %s\n", times.launches, times.ms, times.khz, times.gpu);
	fclose(f);
}
