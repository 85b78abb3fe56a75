/* 907: what a workload's kernel leaves in its buffers, compared with answers that others have published. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "workload/program.h"
#include "workload/md5.h"

/* RFC 1321, appendix A.5. */
static const struct {
	const char *text, *digest;
} vector[] = {
	{"", "d41d8cd98f00b204e9800998ecf8427e"},
	{"a", "0cc175b9c0f1b6a831c399e269772661"},
	{"abc", "900150983cd24fb0d6963f7d28e17f72"},
	{"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
	{"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
	{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"},
	{"12345678901234567890123456789012345678901234567890123456789012345678901234567890", "57edf4a22be3c955ac49da2e2107b67a"},
};
enum { VECTORS = sizeof vector / sizeof vector[0] };

static const char *hex(const uint32_t digest[4], char out[33])
{
	for (unsigned i = 0; i < 16; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i / 4] >> 8 * (i % 4) & 0xff);
	return out;
}

Test(published, storegpu_gives_the_digests_of_rfc_1321)
{
	for (unsigned i = 0; i < VECTORS; i++) {
		char text[128], out[33];
		const char *const args[] = {"ctas=1", text};
		struct host_options o = {.ptx_path = "traces/storegpu/kernel.ptx", .size = "test", .n_args = 2, .args = args};
		const struct memory_buffer *b;
		struct err e = {""};
		struct host *h;

		snprintf(text, sizeof text, "text=%s", vector[i].text);
		h = host_new(&o, &e);
		cr_assert_not_null(h, "%s", e.text);
		cr_assert_eq(workload_find("storegpu")->run(h, &e), 0, "%s", e.text);
		b = &host_memory(h)->buffer[memory_named(host_memory(h), "digest")];
		/* Every thread has hashed the same text. */
		cr_assert_eq(b->size, 128 * 16);
		for (unsigned t = 0; t < 128; t++)
			cr_expect_str_eq(hex((const uint32_t *)(b->bytes + 16 * (uint64_t)t), out), vector[i].digest,
					 "thread %u, \"%s\"", t, vector[i].text);
		host_free(h);
	}
}

Test(published, the_reference_gives_them_too)
{
	for (unsigned i = 0; i < VECTORS; i++) {
		uint32_t digest[4];
		char out[33];

		md5((const uint8_t *)vector[i].text, strlen(vector[i].text), digest);
		cr_expect_str_eq(hex(digest, out), vector[i].digest, "\"%s\"", vector[i].text);
	}
}
