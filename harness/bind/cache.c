#include "bind/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/files/root.h"

static int make_dirs(const char *path)
{
	char part[4096];

	snprintf(part, sizeof part, "%s", path);
	for (char *c = part + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (mkdir(part, 0777) && errno != EEXIST)
			return -1;
		*c = '/';
	}
	if (mkdir(part, 0777) && errno != EEXIST)
		return -1;
	return access(part, W_OK);
}

const char *bind_cache_dir(char out[4096], struct err *e)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct stat st;

	if (access(root_path("build/blocks", out), W_OK) == 0) /* an installed root has none: nothing is written
							        * there */
		return out;
	if (xdg && xdg[0] == '/')
		snprintf(out, 4096, "%s/locus/blocks", xdg);
	else
		snprintf(out, 4096, "%s/.cache/locus/blocks", home ? home : "/tmp");
	if (make_dirs(out) == 0 && stat(out, &st) == 0) /* a block in it is loaded into the program */
		return infile_is_ours(out, &st, e) == 0 ? out : NULL;
	err_set(e, "%s: cannot be written: %s (set XDG_CACHE_HOME)", out, strerror(errno));
	return NULL;
}

int bind_cache_hash_bytes(XXH64_state_t *h, const char *path, size_t *total, struct err *e)
{
	FILE *f = infile_open(path, BIND_MAX_FILE, e);
	static const size_t step = 65536;
	unsigned char *buffer;
	size_t n;
	int why;

	*total = 0;
	if (!f)
		return -1;
	buffer = xmalloc(step);
	while ((n = fread(buffer, 1, step, f)) > 0 && *total <= BIND_MAX_FILE) {
		XXH64_update(h, buffer, n);
		*total += n;
	}
	why = ferror(f) ? errno : 0;
	free(buffer);
	fclose(f);
	if (why)
		return err_set(e, "%s: %s", path, strerror(why));
	return *total <= BIND_MAX_FILE ? 0 : infile_too_large(path, BIND_MAX_FILE, e);
}

int bind_cache_hash_file(XXH64_state_t *h, const char *path, struct err *e)
{
	size_t total;
	int rc = bind_cache_hash_bytes(h, path, &total, e);

	XXH64_update(h, &total, sizeof total);
	return rc;
}

static void hash_text(XXH64_state_t *h, const char *s)
{
	XXH64_update(h, s, strlen(s) + 1);
}

static void hash_layout(XXH64_state_t *h, const struct bind_layout *l)
{
	for (int k = 0; k < HW_SIDES; k++)
		for (unsigned i = 0; i < l->side[k].n; i++) {
			hash_text(h, l->side[k].slot[i].f.name);
			XXH64_update(h, &l->side[k].slot[i].f.count, sizeof(uint32_t));
			XXH64_update(h, &l->side[k].slot[i].f.width, sizeof(uint32_t));
		}
}

/* Another Verilator makes other code. */
static void hash_verilator(XXH64_state_t *h)
{
	struct stat st;

	if (stat("/usr/bin/verilator_bin", &st) == 0) {
		XXH64_update(h, &st.st_size, sizeof st.st_size);
		XXH64_update(h, &st.st_mtim.tv_sec, sizeof st.st_mtim.tv_sec);
	}
}

static void hash_fit(XXH64_state_t *h, const struct bind_fit *f)
{
	for (unsigned i = 0; i < f->n; i++) {
		uint64_t numbers[] = {f->item[i].kind, f->item[i].inverted, f->item[i].value};

		XXH64_update(h, numbers, sizeof numbers);
		hash_text(h, f->item[i].theirs);
		hash_text(h, f->item[i].ours);
	}
}

int bind_cache_key(const struct bind_request *q, const struct bind_layout *l, const struct bind_sources *src, uint64_t *key,
		   struct err *e)
{
	uint32_t numbers[] = {BIND_GENERATOR, q->lanes, q->unique_x, q->extra_inputs, src->n, src->n_data};
	XXH64_state_t *h = XXH64_createState();
	char path[4096];
	int rc;

	XXH64_reset(h, 0);
	XXH64_update(h, numbers, sizeof numbers);
	hash_text(h, q->block->module);
	hash_layout(h, l);
	hash_verilator(h);
	for (unsigned i = 0; i < q->block->n_params; i++) {
		uint64_t value = hw_get(q->params, q->block->params[i].offset, q->block->params[i].size);

		hash_text(h, q->block->params[i].verilog);
		XXH64_update(h, &value, sizeof value);
	}
	rc = bind_cache_hash_file(h, root_path("harness/bind/shim.hpp", path), e) ||
	     bind_cache_hash_file(h, root_path("harness/bind/data.hpp", path), e) ||
	     bind_cache_hash_file(h, root_path("harness/bind/abi.h", path), e) ||
	     bind_cache_hash_file(h, root_path("build/verilated/libverilated.a", path), e);
	if (q->fit)
		hash_fit(h, q->fit);
	for (unsigned i = 0; i < src->n && !rc; i++) {
		const char *slash = strrchr(src->file[i], '/');

		hash_text(h, slash ? slash + 1 : src->file[i]);
		rc = bind_cache_hash_file(h, src->file[i], e);
	}
	for (unsigned i = 0; i < src->n_data && !rc; i++) {
		hash_text(h, src->data[i].name);
		rc = bind_cache_hash_file(h, src->data[i].path, e);
	}
	*key = XXH64_digest(h);
	XXH64_freeState(h);
	return rc ? -1 : 0;
}
