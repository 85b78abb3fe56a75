/* libstdc++'s file of this name writes __attribute__((__noinline__)), a word that is a keyword of CUDA. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
