# The CUDA libraries of users' programs: libcudart under the names of CUDA 11, 12 and 13, libcuda.
# docs/how-to/run-cuda-programs.md. One for all builds of the program (build/, build/san/), as the root has it
# (csim/base/files/root.h).
CUDA_OUT   := build/cuda
CUDART_SRC := harness/cuda/wire_io.c harness/cuda/wire_queue.c harness/cuda/ldesc_words.c csim/ldesc/ldesc_shapes.c $(sort $(wildcard harness/cuda/runtime/*.c))
CUDART_OBJ := $(CUDART_SRC:%.c=$(CUDA_OUT)/obj/%.o)
CUDRV_OBJ  := $(patsubst %.c,$(CUDA_OUT)/obj/%.o,$(sort $(wildcard harness/cuda/driver/*.c)) csim/base/err.c csim/base/files/infile.c)
CUDART     := $(CUDA_OUT)/libcudart.so.11.0 $(CUDA_OUT)/libcudart.so.12 $(CUDA_OUT)/libcudart.so.13 $(CUDA_OUT)/libcuda.so.1

# With --default-stream per-thread, compilers call these under names of their own; streams are all alike here.
PER_THREAD := cudaGetDriverEntryPoint_ptsz cudaGetDriverEntryPointByVersion_ptsz cudaEventRecord_ptsz cudaEventRecordWithFlags_ptsz cudaFreeAsync_ptsz cudaLaunchCooperativeKernel_ptsz cudaLaunchHostFunc_ptsz \
	cudaLaunchKernel_ptsz cudaLaunchKernelExC_ptsz __cudaLaunchKernel_ptsz cudaMallocAsync_ptsz cudaMemPrefetchAsync_ptsz cudaMemcpy_ptds \
	cudaMemcpy2D_ptds cudaMemcpy2DArrayToArray_ptds cudaMemcpy2DAsync_ptsz cudaMemcpy2DFromArray_ptds cudaMemcpy2DToArray_ptds \
	cudaMemcpy3D_ptds cudaMemcpy3DAsync_ptsz cudaMemcpyAsync_ptsz cudaMemcpyFromSymbol_ptds cudaMemcpyFromSymbolAsync_ptsz \
	cudaMemcpyToSymbol_ptds cudaMemcpyToSymbolAsync_ptsz cudaMemset_ptds cudaMemset2D_ptds cudaMemset2DAsync_ptsz cudaMemset3D_ptds \
	cudaMemset3DAsync_ptsz cudaMemsetAsync_ptsz cudaStreamAddCallback_ptsz cudaStreamAttachMemAsync_ptsz cudaStreamGetFlags_ptsz \
	cudaStreamGetPriority_ptsz cudaStreamIsCapturing_ptsz cudaStreamQuery_ptsz cudaStreamSynchronize_ptsz cudaStreamWaitEvent_ptsz

# A library in other people's programs: any processor of this kind, no sanitizer.
$(CUDA_OUT)/obj/%.o: %.c harness/cuda/cuda.mk | $(SETUP)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -D_GNU_SOURCE -Icsim -Iharness -std=c11 -g -O2 $(WARN) -fPIC -fvisibility=default -MMD -MP -c $< -o $@
# The functions that differ by version, though their name does not.
cudart_names = --defsym,cudaGetDeviceProperties=cudaGetDeviceProperties_$(if $(filter 11.0,$1),11,13),--defsym,cudaRuntimeGetVersion=cudaRuntimeGetVersion_$(if $(filter 11.0,$1),11,12)
$(CUDA_OUT)/libcudart.so.%: $(CUDART_OBJ) harness/cuda/runtime/cudart.map
	$(call say,LINK,$@)
	@sed 's/VERSION/$*/' harness/cuda/runtime/cudart.map >$(CUDA_OUT)/cudart.$*.map
	$(Q)$(CC) -shared -Wl,-soname,libcudart.so.$* -Wl,--version-script,$(CUDA_OUT)/cudart.$*.map -Wl,-z,defs $(foreach f,$(PER_THREAD),-Wl,--defsym,$f=$(basename $(subst _pt,.pt,$f))) -Wl,$(call cudart_names,$*) -o $@ $(CUDART_OBJ) -lpthread
	@ln -sf libcudart.so.12 $(CUDA_OUT)/libcudart.so
# The driver interface is upon the runtime's objects, which it keeps to itself.
$(CUDA_OUT)/libcuda.so.1: $(CUDART_OBJ) $(CUDRV_OBJ) harness/cuda/driver/cuda.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-soname,libcuda.so.1 -Wl,--version-script,harness/cuda/driver/cuda.map -Wl,-z,defs -o $@ $(CUDART_OBJ) $(CUDRV_OBJ) -lpthread
	@ln -sf libcuda.so.1 $(CUDA_OUT)/libcuda.so
# All link the same objects.
.SECONDARY: $(CUDART_OBJ) $(CUDRV_OBJ)
-include $(CUDART_OBJ:.o=.d) $(CUDRV_OBJ:.o=.d)
$(O)/locus: $(CUDART)
