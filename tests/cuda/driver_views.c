/* CUDA's driver interface from C: arrays, textures and surfaces, linked modules and what is said of bad ones, streams'
 * callbacks, addresses. Exits 1 with a line if an answer is not the CUDA Driver API's. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#define HEAD ".version 7.0\n.target sm_50\n.address_size 64\n"

static const char views[] =
	HEAD ".global .texref picture;\n.global .surfref canvas;\n"
	     ".visible .entry fetch(.param .u64 to, .param .u64 object, .param .f32 x, .param .f32 y)\n{\n"
	     ".reg .u64 %rd<3>;\n.reg .f32 %f<7>;\n"
	     "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [object];\nld.param.f32 %f5, [x];\nld.param.f32 %f6, [y];\n"
	     "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}];\nst.global.f32 [%rd1], %f1;\nret;\n}\n"
	     ".visible .entry fetch_whole(.param .u64 to, .param .u64 object, .param .f32 x, .param .f32 y)\n{\n"
	     ".reg .u64 %rd<3>;\n.reg .f32 %f<3>;\n.reg .u32 %r<5>;\n"
	     "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [object];\nld.param.f32 %f1, [x];\nld.param.f32 %f2, [y];\n"
	     "tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd2, {%f1, %f2}];\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
	     ".visible .entry fetch_picture(.param .u64 to, .param .f32 x, .param .f32 y)\n{\n"
	     ".reg .u64 %rd<2>;\n.reg .f32 %f<7>;\n"
	     "ld.param.u64 %rd1, [to];\nld.param.f32 %f5, [x];\nld.param.f32 %f6, [y];\n"
	     "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%f5, %f6}];\nst.global.f32 [%rd1], %f1;\nret;\n}\n"
	     ".visible .entry draw(.param .u64 object, .param .f32 value)\n{\n"
	     ".reg .u64 %rd<2>;\n.reg .u32 %r<4>;\n"
	     "ld.param.u64 %rd1, [object];\nld.param.b32 %r3, [value];\nmov.u32 %r1, 12;\nmov.u32 %r2, 1;\n"
	     "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};\nmov.u32 %r1, 0;\n"
	     "sust.b.2d.b32.trap [canvas, {%r1, %r2}], {%r3};\nret;\n}\n";
static const char caller[] = HEAD ".extern .func (.param .b32 r) twice(.param .b32 v);\n.extern .global .u32 level;\n"
				  ".visible .entry call_twice(.param .u64 to)\n{\n.reg .u64 %rd<3>;\n.reg .u32 %r<3>;\n"
				  "ld.param.u64 %rd1, [to];\nld.global.u32 %r1, [level];\n{\n.param .b32 a;\n.param .b32 b;\n"
				  "st.param.b32 [a], %r1;\ncall.uni (b), twice, (a);\nld.param.b32 %r2, [b];\n}\n"
				  "st.global.u32 [%rd1], %r2;\nret;\n}\n";
static char callee[] = HEAD ".visible .global .u32 level = 21;\n"
			    ".visible .func (.param .b32 r) twice(.param .b32 v)\n{\n.reg .u32 %r<3>;\n"
			    "ld.param.b32 %r1, [v];\nadd.u32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n";
static const char bad[] = HEAD "this is no PTX\n";

static int wrong;

static void expect(int line, int is, int expected)
{
	if (is == expected)
		return;
	printf("driver_views.c:%d: %d, not %d\n", line, is, expected);
	wrong = 1;
}
#define EXPECT(is, expected) expect(__LINE__, (int)(is), (int)(expected))
#define WORKS(call)	     EXPECT(call, CUDA_SUCCESS)

static CUdeviceptr result;
static CUmodule module;

static CUfunction function(const char *name)
{
	CUfunction f = NULL;

	WORKS(cuModuleGetFunction(&f, module, name));
	return f;
}

static void run(const char *name, void **args)
{
	WORKS(cuLaunchKernel(function(name), 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
}

/* A thousandth of what a fetch gave. */
static int fetched(const char *name, CUtexObject object, float x, float y)
{
	void *with_object[] = {&result, &object, &x, &y}, *without[] = {&result, &x, &y};
	float is = -1;

	run(name, object ? with_object : without);
	WORKS(cuMemcpyDtoH(&is, result, sizeof is));
	return (int)(is * 1000 + 0.5f);
}

/* 10 * row + column, 4 wide and 2 high, in the middle of a larger picture of the host's. */
static CUarray array_of_floats(void)
{
	CUDA_ARRAY_DESCRIPTOR d = {.Width = 4, .Height = 2, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, got;
	float picture[4][6] = {{0}};
	CUDA_MEMCPY2D c = {.srcXInBytes = 4,
			   .srcY = 1,
			   .srcMemoryType = CU_MEMORYTYPE_HOST,
			   .srcHost = picture,
			   .srcPitch = sizeof picture[0],
			   .dstMemoryType = CU_MEMORYTYPE_ARRAY,
			   .WidthInBytes = 16,
			   .Height = 2};
	float row[4], last[2];

	for (int y = 0; y < 2; y++)
		for (int x = 0; x < 4; x++)
			picture[y + 1][x + 1] = (float)(10 * y + x);
	WORKS(cuArrayCreate(&c.dstArray, &d));
	WORKS(cuMemcpy2D(&c));
	WORKS(cuArrayGetDescriptor(&got, c.dstArray));
	EXPECT(got.Width == 4 && got.Height == 2 && got.Format == CU_AD_FORMAT_FLOAT && got.NumChannels == 1, 1);
	WORKS(cuMemcpyAtoH(row, c.dstArray, 16, sizeof row)); /* the second row */
	EXPECT(row[0] + row[3], 23);
	WORKS(cuMemcpyAtoH(last, c.dstArray, 12, sizeof last)); /* from one row into the next */
	EXPECT(last[0] * 100 + last[1], 310);
	c.Height = 3;
	EXPECT(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
	d.NumChannels = 3;
	EXPECT(cuArrayCreate(&c.dstArray, &d), CUDA_ERROR_INVALID_VALUE);
	return c.dstArray;
}

static void objects(CUarray array)
{
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
	CUDA_TEXTURE_DESC t = {.filterMode = CU_TR_FILTER_MODE_LINEAR};
	unsigned char bytes[512] = {0, 51};
	CUtexObject object;
	CUdeviceptr p;
	unsigned int is = 0;
	float x = 1.5f, y = 0.5f;
	void *args[] = {&result, &object, &x, &y};

	for (int i = 0; i < 3; i++)
		t.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
	WORKS(cuTexObjectCreate(&object, &r, &t, NULL));
	EXPECT(fetched("fetch", object, 2, 1), 6500); /* of 1, 2, 11 and 12 */
	WORKS(cuTexObjectDestroy(object));
	t.filterMode = CU_TR_FILTER_MODE_POINT;
	t.flags = CU_TRSF_NORMALIZED_COORDINATES;
	WORKS(cuTexObjectCreate(&object, &r, &t, NULL));
	EXPECT(fetched("fetch", object, 0.7f, 0.6f), 12000); /* 0.7 * 4, 0.6 * 2 */
	WORKS(cuTexObjectDestroy(object));

	/* Bytes are fractions of 255, unless they are to be read as integers. */
	WORKS(cuMemAlloc(&p, sizeof bytes));
	WORKS(cuMemcpyHtoD(p, bytes, sizeof bytes));
	r = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D, .res.pitch2D = {p, CU_AD_FORMAT_UNSIGNED_INT8, 1, 4, 1, 512}};
	t.flags = 0;
	WORKS(cuTexObjectCreate(&object, &r, &t, NULL));
	EXPECT(fetched("fetch", object, 1.5f, 0.5f), 200);
	WORKS(cuTexObjectDestroy(object));
	t.flags = CU_TRSF_READ_AS_INTEGER;
	WORKS(cuTexObjectCreate(&object, &r, &t, NULL));
	run("fetch_whole", args);
	WORKS(cuMemcpyDtoH(&is, result, sizeof is));
	EXPECT(is, 51);
	WORKS(cuTexObjectDestroy(object));
	WORKS(cuMemFree(p));
}

static void references(CUarray array)
{
	CUDA_ARRAY_DESCRIPTOR d = {.Width = 4, .Height = 2, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
	CUtexref ref;
	CUdeviceptr p;
	size_t offset = 1;
	const float one = 77;

	EXPECT(cuModuleGetTexRef(&ref, module, "none"), CUDA_ERROR_NOT_FOUND);
	WORKS(cuModuleGetTexRef(&ref, module, "picture"));
	WORKS(cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
	WORKS(cuTexRefSetAddressMode(ref, 0, CU_TR_ADDRESS_MODE_WRAP));
	WORKS(cuTexRefSetAddressMode(ref, 1, CU_TR_ADDRESS_MODE_WRAP));
	WORKS(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_POINT));
	WORKS(cuTexRefSetFlags(ref, CU_TRSF_NORMALIZED_COORDINATES));
	WORKS(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 1));
	EXPECT(cuTexRefSetAddressMode(ref, 3, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_VALUE);
	EXPECT(fetched("fetch_picture", 0, 1.3f, -0.4f), 11000); /* 0.3 * 4 and 0.6 * 2 */
	WORKS(cuMemAlloc(&p, 1024));
	WORKS(cuMemsetD32(p, 0, 256));
	WORKS(cuMemcpyHtoD(p + 512 + 8, &one, sizeof one));
	WORKS(cuTexRefSetAddress2D(ref, &d, p, 512));
	WORKS(cuTexRefSetFlags(ref, 0));
	EXPECT(fetched("fetch_picture", 0, 2.5f, 1.5f), 77000);
	WORKS(cuTexRefSetAddress(&offset, ref, p, 1024));
	EXPECT(offset, 0);
	WORKS(cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
	WORKS(cuMemFree(p));
}

static void surfaces(void)
{
	CUDA_ARRAY3D_DESCRIPTOR d = {
		.Width = 4, .Height = 2, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1, .Flags = CUDA_ARRAY3D_SURFACE_LDST};
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
	float value = 7.5f, row[4] = {0};
	CUsurfObject object;
	CUsurfref ref;
	void *args[] = {&object, &value};

	WORKS(cuArray3DCreate(&r.res.array.hArray, &d));
	WORKS(cuSurfObjectCreate(&object, &r));
	WORKS(cuModuleGetSurfRef(&ref, module, "canvas"));
	WORKS(cuSurfRefSetArray(ref, r.res.array.hArray, 0));
	run("draw", args);
	WORKS(cuMemcpyAtoH(row, r.res.array.hArray, 16, sizeof row));
	EXPECT(row[0] + row[3], 15);
	WORKS(cuSurfObjectDestroy(object));
	WORKS(cuArrayDestroy(r.res.array.hArray));
	EXPECT(cuArrayDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
}

/* Two texts become one module; a third that is none says why. */
static void links(void)
{
	char log[256] = "", info[64] = "x";
	CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
				 CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
	void *value[] = {log, (void *)sizeof log, info, (void *)sizeof info}, *image, *args[] = {&result};
	CUmodule whole = module;
	CUlinkState state;
	CUdeviceptr level;
	size_t bytes = 0;
	unsigned is = 0;

	WORKS(cuLinkCreate(4, option, value, &state));
	WORKS(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)caller, sizeof caller, "caller", 0, NULL, NULL));
	WORKS(cuLinkAddData(state, CU_JIT_INPUT_PTX, callee, sizeof callee, "callee", 0, NULL, NULL));
	EXPECT(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, callee, 8, "machine", 0, NULL, NULL), CUDA_ERROR_NO_BINARY_FOR_GPU);
	EXPECT(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/nonexistent/k.ptx", 0, NULL, NULL), CUDA_ERROR_FILE_NOT_FOUND);
	WORKS(cuLinkComplete(state, &image, &bytes));
	EXPECT(bytes > 0, 1);
	WORKS(cuModuleLoadData(&module, image));
	WORKS(cuLinkDestroy(state));
	run("call_twice", args);
	WORKS(cuMemcpyDtoH(&is, result, sizeof is));
	EXPECT(is, 42);
	WORKS(cuModuleGetGlobal(&level, &bytes, module, "level"));
	EXPECT(bytes, 4);
	WORKS(cuModuleUnload(module));
	module = whole;

	value[1] = (void *)sizeof log;
	EXPECT(cuModuleLoadDataEx(&module, bad, 4, option, value), CUDA_ERROR_INVALID_PTX);
	EXPECT((size_t)value[1], strlen(log));
	EXPECT(strstr(log, ":4:") != NULL, 1); /* the line */
	EXPECT(*info, 0);
}

static void CUDA_CB called(CUstream stream, CUresult status, void *data)
{
	(void)stream;
	*(int *)data += status == CUDA_SUCCESS;
}

static void CUDA_CB called_plainly(void *data)
{
	++*(int *)data;
}

static void streams_and_addresses(void)
{
	int calls = 0, grid = 0, block = 0;
	unsigned int managed = 9;
	CUmemorytype type = CU_MEMORYTYPE_UNIFIED;
	CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
	CUlaunchConfig c = {1, 1, 1, 1, 1, 1, 0, NULL, &cooperative, 1};
	float x = 0.5f, y = 0.5f;
	void *args[] = {&result, &x, &y};
	CUdeviceptr base = 0, p;
	size_t bytes = 0, heap = 0;
	CUstream stream;
	void *host;

	WORKS(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
	WORKS(cuStreamAddCallback(stream, called, &calls, 0));
	WORKS(cuLaunchHostFunc(stream, called_plainly, &calls));
	EXPECT(calls, 2);
	WORKS(cuStreamDestroy(stream));
	WORKS(cuLaunchKernelEx(&c, function("fetch_picture"), args, NULL));
	/* 2,048 threads an SM of titanv, of which a block has at most 1,024; 80 SMs. */
	WORKS(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("fetch_picture"), NULL, 0, 0));
	EXPECT(block, 1024);
	EXPECT(grid, 160);
	WORKS(cuMemAlloc(&p, 4096));
	WORKS(cuMemGetAddressRange(&base, &bytes, p + 100));
	EXPECT(base == p && bytes == 4096, 1);
	WORKS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
	EXPECT(type, CU_MEMORYTYPE_DEVICE);
	WORKS(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
	EXPECT(managed, 0);
	EXPECT(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, p), CUDA_ERROR_INVALID_VALUE);
	EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (size_t)&type), CUDA_ERROR_INVALID_VALUE);
	WORKS(cuMemFree(p));
	WORKS(cuCtxGetLimit(&heap, CU_LIMIT_MALLOC_HEAP_SIZE));
	EXPECT(heap, 8 << 20);
}

int main(void)
{
	CUcontext context;
	CUarray array;

	WORKS(cuInit(0));
	WORKS(cuCtxCreate(&context, 0, 0));
	WORKS(cuModuleLoadData(&module, views));
	WORKS(cuMemAlloc(&result, 64));
	array = array_of_floats();
	objects(array);
	references(array);
	surfaces();
	links();
	streams_and_addresses();
	WORKS(cuArrayDestroy(array));
	puts(wrong ? "views: wrong" : "views: passed");
	return wrong;
}
