/* The machine in the words of cudaDeviceProp and cudaDeviceAttr.
 *
 * What the machine's description has is told from it; what is the same for all GPUs of the time (sizes of textures, of
 * grids) is CUDA's documented figure; what is not modelled (ECC, peers) is told as absent.
 *
 * Source: CUDA Runtime API, cudaDeviceProp and cudaDeviceAttr; CUDA C++ Programming Guide, "Compute Capabilities".
 */
#ifndef HARNESS_CUDA_RUNTIME_PROPERTIES_H
#define HARNESS_CUDA_RUNTIME_PROPERTIES_H

#include "cuda/include/driver_types.h"
#include "cuda/wire.h"

void properties_of_11(void *prop, const struct wire_device *d); /* 728 bytes: the first ones of CUDA 12's structure */
void properties_of_12(struct cudaDeviceProp *prop, const struct wire_device *d);
/* prop: the structure of CUDA 13, which is shorter by the members that it dropped. */
void properties_of_13(void *prop, const struct wire_device *d);
/* The value of an attribute; 0 for one that is not known. */
int properties_attribute(const struct wire_device *d, enum cudaDeviceAttr attr);

#endif
