// The files that Verilog reads with $readmemh and $readmemb: copies in the folder of the library, so that they belong
// to it as the Verilog does. all.cpp includes it ahead of the model's sources, with the list of them:
//
//   SHIM_DATA(F)    F(name in the source, name of the copy)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>

#include "verilated.h"

static std::string data_path(const std::string &name)
{
	static const struct {
		const char *name, *copy;
	} data[] = {
#define F(name, copy) {name, copy},
		SHIM_DATA(F)
#undef F
			{nullptr, nullptr}};
	Dl_info self;

	for (auto *d = data; d->name; d++)
		if (name == d->name && dladdr(reinterpret_cast<const void *>(data_path), &self)) {
			const std::string library = self.dli_fname;

			return library.substr(0, library.rfind('/') + 1) + d->copy;
		}
	fputs("locus: the Verilog reads \"", stderr);
	for (const char c : name)
		fputc(c >= ' ' && c < 0x7f ? c : '?', stderr);
	fputs("\": no string of its source names a file of that name, in one of its folders\n", stderr);
	exit(2);
}

static inline void read_data(bool hex, int bits, QData depth, int first, const std::string &name, void *to, QData from, QData end)
{
	VL_READMEM_N(hex, bits, depth, first, data_path(name), to, from, end);
}
template <class K, class V>
static inline void read_data(bool hex, int bits, const std::string &name, VlAssocArray<K, V> &to, QData from, QData end)
{
	VL_READMEM_N(hex, bits, data_path(name), to, from, end);
}
#define VL_READMEM_N read_data
