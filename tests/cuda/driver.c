/* CUDA's driver interface from C: a module from text, a function by name, launches by arguments and by a parameter
 * block. Exits 1 with a line if an answer is not the CUDA Driver API's. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char ptx[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
			  ".visible .global .align 4 .u32 counters[4];\n"
			  ".visible .entry add(.param .u64 to, .param .u32 value)\n{\n"
			  ".reg .u32 %r<4>;\n.reg .u64 %rd<4>;\n"
			  "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [value];\ncvta.to.global.u64 %rd1, %rd1;\n"
			  "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
			  "ld.global.u32 %r3, [%rd3];\nadd.u32 %r3, %r3, %r1;\nst.global.u32 [%rd3], %r3;\nret;\n}\n";

static int wrong;

static void expect(int line, CUresult is, CUresult expected)
{
	const char *name = "?";

	if (is == expected)
		return;
	cuGetErrorName(is, &name);
	printf("driver.c:%d: %s (%d), not %d\n", line, name, is, expected);
	wrong = 1;
}
#define EXPECT(call, result) expect(__LINE__, call, result)
#define WORKS(call)	     EXPECT(call, CUDA_SUCCESS)

static void launches(CUfunction f, CUdeviceptr p)
{
	struct {
		CUdeviceptr to;
		unsigned value;
	} block = {p, 100};
	size_t bytes = sizeof block;
	unsigned ten = 10, got[4];
	void *args[] = {&p, &ten};
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};

	WORKS(cuMemsetD32(p, 7, 4));
	WORKS(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, NULL, args, NULL));
	WORKS(cuLaunchKernel(f, 1, 1, 1, 3, 1, 1, 0, NULL, NULL, extra));
	EXPECT(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, NULL, args, extra), CUDA_ERROR_INVALID_VALUE);
	EXPECT(cuLaunchKernel(f, 1, 1, 1, 2000, 1, 1, 0, NULL, args, NULL), CUDA_ERROR_INVALID_VALUE);
	EXPECT(cuLaunchKernel(NULL, 1, 1, 1, 4, 1, 1, 0, NULL, args, NULL), CUDA_ERROR_INVALID_HANDLE);
	WORKS(cuCtxSynchronize());
	WORKS(cuMemcpyDtoH(got, p, sizeof got));
	if (got[0] != 117 || got[2] != 117 || got[3] != 17) { /* 7 + 10, and + 100 of the first three */
		printf("driver.c: %u %u %u %u\n", got[0], got[1], got[2], got[3]);
		wrong = 1;
	}
}

int main(void)
{
	int major = 0, minor = 0, sms = 0, threads = 0;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction f;
	CUdeviceptr p, variable;
	char name[64];
	size_t bytes = 0;

	EXPECT(cuInit(1), CUDA_ERROR_INVALID_VALUE);
	WORKS(cuInit(0));
	WORKS(cuDeviceGet(&device, 0));
	EXPECT(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
	WORKS(cuDeviceGetName(name, sizeof name, device));
	WORKS(cuDeviceComputeCapability(&major, &minor, device));
	WORKS(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
	WORKS(cuCtxCreate(&context, 0, device));
	WORKS(cuModuleLoadData(&module, ptx));
	EXPECT(cuModuleLoad(&module, "/nonexistent/k.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
	EXPECT(cuModuleGetFunction(&f, module, "none"), CUDA_ERROR_NOT_FOUND);
	WORKS(cuModuleGetFunction(&f, module, "add"));
	WORKS(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
	EXPECT(cuModuleGetGlobal(&variable, &bytes, module, "none"), CUDA_ERROR_NOT_FOUND);
	WORKS(cuModuleGetGlobal(&variable, &bytes, module, "counters"));
	WORKS(cuMemAlloc(&p, 16));
	EXPECT(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
	launches(f, p);
	launches(f, variable);
	WORKS(cuMemFree(p));
	WORKS(cuModuleUnload(module));
	WORKS(cuCtxDestroy(context));
	printf("%s %d.%d %d %d %zu\n", name, major, minor, sms, threads, bytes);
	return wrong;
}
