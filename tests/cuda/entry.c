/* A program that is linked to the runtime alone and gets the driver's functions by name; with them it copies and fills
 * boxes of bytes. Exits 1 with a line if an answer is not the CUDA documentation's. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(int line, int is, int expected)
{
	if (is == expected)
		return;
	printf("entry.c:%d: %d, not %d\n", line, is, expected);
	wrong = 1;
}
#define EXPECT(is, expected) expect(__LINE__, (int)(is), (int)(expected))

static CUresult (*mem_alloc)(CUdeviceptr *p, size_t bytes);
static CUresult (*copy_2d)(const CUDA_MEMCPY2D *c);
static CUresult (*copy_3d)(const CUDA_MEMCPY3D *c);
static CUresult (*fill_2d)(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height);
static CUresult (*find)(const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *status);

static void names(void)
{
	enum cudaDriverEntryPointQueryResult status;
	CUdriverProcAddressQueryResult found;
	CUresult (*old)(const char *symbol, void **function, int version, cuuint64_t flags);
	void *f = NULL, *newest = NULL;

	EXPECT(cudaGetDriverEntryPoint("cuGetProcAddress", (void **)&find, cudaEnableDefault, &status), cudaSuccess);
	EXPECT(status, cudaDriverEntryPointSuccess);
	EXPECT(cudaGetDriverEntryPointByVersion("cuMemAlloc", (void **)&mem_alloc, 12000, cudaEnableDefault, NULL), cudaSuccess);
	EXPECT(cudaGetDriverEntryPoint("cuNoSuchThing", &f, cudaEnableDefault, &status), cudaSuccess);
	EXPECT(status, cudaDriverEntryPointSymbolNotFound);
	EXPECT(f == NULL, 1);
	EXPECT(cudaGetDriverEntryPoint(NULL, &f, cudaEnableDefault, &status), cudaErrorInvalidValue);
	EXPECT(find("cuMemcpy2D", (void **)&copy_2d, 12000, 0, &found), CUDA_SUCCESS);
	EXPECT(found, CU_GET_PROC_ADDRESS_SUCCESS);
	EXPECT(find("cuMemcpy3D", (void **)&copy_3d, 12000, 0, NULL), CUDA_SUCCESS);
	EXPECT(find("cuMemsetD2D32", (void **)&fill_2d, 12000, 0, NULL), CUDA_SUCCESS);
	EXPECT(find("malloc", &f, 12000, 0, &found), CUDA_ERROR_NOT_FOUND);
	EXPECT(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	EXPECT(find("cuInit", &f, 12000, 64, NULL), CUDA_ERROR_INVALID_VALUE);
	/* Of CUDA 11 it has four parameters; of contexts, CUDA 13's have four and those before three. */
	EXPECT(find("cuGetProcAddress", (void **)&old, 11030, 0, NULL), CUDA_SUCCESS);
	EXPECT(old("cuCtxCreate", &f, 13000, 0), CUDA_SUCCESS);
	EXPECT(old("cuCtxCreate", &newest, 11000, 0), CUDA_SUCCESS);
	EXPECT(f != newest, 1);
}

/* Rows of 4 x 3 words in a picture of 8 x 6, at (2, 1): value 10 * row + column. */
static void boxes(void)
{
	unsigned int from[6][8], to[6][8] = {{0}}, cut[2][2][2] = {{{0}}};
	CUDA_MEMCPY2D c = {.srcXInBytes = 8,
			   .srcY = 1,
			   .srcMemoryType = CU_MEMORYTYPE_HOST,
			   .srcHost = from,
			   .srcPitch = sizeof from[0],
			   .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			   .dstPitch = 64,
			   .WidthInBytes = 16,
			   .Height = 3};
	CUDA_MEMCPY3D d = {.srcXInBytes = 4,
			   .srcY = 1,
			   .srcMemoryType = CU_MEMORYTYPE_DEVICE,
			   .srcPitch = 64,
			   .srcHeight = 3,
			   .dstMemoryType = CU_MEMORYTYPE_HOST,
			   .dstHost = cut,
			   .dstPitch = 8,
			   .dstHeight = 2,
			   .WidthInBytes = 8,
			   .Height = 2,
			   .Depth = 2};

	for (unsigned int i = 0; i < 48; i++)
		from[i / 8][i % 8] = 10 * (i / 8) + i % 8;
	EXPECT(mem_alloc(&c.dstDevice, 6 * 64), CUDA_SUCCESS);
	EXPECT(fill_2d(c.dstDevice, 64, 77, 16, 6), CUDA_SUCCESS);
	EXPECT(copy_2d(&c), CUDA_SUCCESS);
	EXPECT(cudaMemcpy2D(to, sizeof to[0], (void *)(size_t)c.dstDevice, 64, sizeof to[0], 6, cudaMemcpyDeviceToHost),
	       cudaSuccess);
	EXPECT(to[0][0], 12);
	EXPECT(to[2][3], 35);
	EXPECT(to[2][4], 77);
	EXPECT(to[3][0], 77);
	/* Slices of three rows; the second one's are the fill alone. */
	d.srcDevice = c.dstDevice;
	EXPECT(copy_3d(&d), CUDA_SUCCESS);
	EXPECT(cut[0][0][0], 23);
	EXPECT(cut[0][1][1], 34);
	EXPECT(cut[1][1][1], 77);
	c.srcMemoryType = CU_MEMORYTYPE_ARRAY; /* which there is none of */
	EXPECT(copy_2d(&c), CUDA_ERROR_INVALID_VALUE);
	c.srcMemoryType = CU_MEMORYTYPE_HOST;
	c.Height = 7;
	EXPECT(copy_2d(&c), CUDA_ERROR_INVALID_VALUE); /* the last row is behind the buffer */
}

int main(void)
{
	names();
	if (!wrong)
		boxes();
	puts(wrong ? "entry: wrong" : "entry: passed");
	return wrong;
}
