MemcpyHtoD,0x00007f5a20000000,512
MemcpyHtoD,0x00007f5a20000200,512
kernel-1.traceg
kernel-2.traceg
