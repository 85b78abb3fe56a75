#include "api.h"

#include <stdint.h>
#include <stdlib.h>

static const char ptx[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
			  ".visible .global .align 4 .u32 counters[4] = {1, 2, 3, 4};\n"
			  ".visible .entry fill(.param .u64 to, .param .u32 value)\n{\n"
			  ".reg .u32 %r<5>;\n.reg .u64 %rd<4>;\n"
			  "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [value];\ncvta.to.global.u64 %rd1, %rd1;\n"
			  "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
			  "mad.lo.u32 %r2, %r2, %r3, %r4;\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
			  "st.global.u32 [%rd3], %r1;\nret;\n}\n"
			  ".visible .entry shared()\n{\n.shared .align 4 .b8 room[40000];\n.reg .u32 %r<2>;\n"
			  "mov.u32 %r1, room;\nst.shared.u32 [%r1], %r1;\nret;\n}\n"
			  ".visible .entry bounded()\n.maxntid 64, 2, 1\n{\nret;\n}\n";

/* What a compiler puts into a program: the CUDA toolkit has no name for it. */
static struct {
	uint32_t magic, version;
	const void *data;
	void *more;
} wrapper = {0x466243b1, 1, ptx, NULL};

char api_fill[1], api_shared[1], api_bounded[1], api_missing[1], api_counters[1];

static void register_kernel(void **module, char *key, char *name)
{
	__cudaRegisterFunction(module, key, name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static bool wrong;

void api_expect(const char *file, int line, const char *what, cudaError_t is, cudaError_t expected)
{
	if (is == expected)
		return;
	printf("%s:%d: %s: %s, not %s\n", file, line, what, cudaGetErrorName(is), cudaGetErrorName(expected));
	wrong = true;
}

void api_holds(const char *file, int line, const char *what, bool is)
{
	if (!is)
		printf("%s:%d: not so: %s\n", file, line, what);
	wrong |= !is;
}

cudaError_t api_launch_fill(int *to, int value, dim3 grid, dim3 block, size_t shared)
{
	void *args[] = {&to, &value};

	return cudaLaunchKernel(api_fill, grid, block, args, shared, NULL);
}

/* A program without a launch has nothing for the model. */
static void launch_once(void)
{
	int *p, value = 0;

	WORKS(cudaMalloc((void **)&p, 32 * sizeof *p));
	WORKS(api_launch_fill(p, 7, (dim3){1, 1, 1}, (dim3){32, 1, 1}, 0));
	WORKS(cudaMemcpy(&value, p + 31, sizeof value, cudaMemcpyDeviceToHost));
	HOLDS(value == 7);
	WORKS(cudaFree(p));
}

static const struct {
	const char *name;
	void (*walk)(void);
} subjects[] = {
	{"memory", api_memory},
	{"pointers", api_pointers},
	{"copies", api_copies},
	{"boxes", api_boxes},
	{"symbols", api_symbols},
	{"launches", api_launches},
	{"bounds", api_bounds},
	{"events", api_events},
	{"elapsed", api_elapsed},
	{"devices", api_devices},
	{"small", api_small},
	{"churn", api_churn},
	{"fork", api_fork},
	{"threads", api_threads},
	{"touch-device", api_touch_device},
	{"host-pointer", api_host_pointer},
	{"cut", api_cut},
	{"die", api_die},
	{"three", api_three_launches},
};

int main(int argc, char **argv)
{
	void **module = __cudaRegisterFatBinary(&wrapper);

	register_kernel(module, api_fill, "fill");
	register_kernel(module, api_shared, "shared");
	register_kernel(module, api_bounded, "bounded");
	register_kernel(module, api_missing, "missing");
	__cudaRegisterVar(module, api_counters, "counters", "counters", 0, 16, 0, 0);
	__cudaRegisterFatBinaryEnd(module);
	launch_once();
	for (unsigned i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
		if (argc > 1 && !strcmp(argv[1], subjects[i].name))
			subjects[i].walk();
	__cudaUnregisterFatBinary(module);
	return wrong;
}
