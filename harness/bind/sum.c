#include "bind/sum.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/files/infile.h"
#include "bind/cache.h"
#include "process/output.h"

static int sum_of(const char *path, uint64_t *sum, struct err *e)
{
	XXH64_state_t *h = XXH64_createState();
	int rc;

	XXH64_reset(h, 0);
	rc = bind_cache_hash_file(h, path, e);
	*sum = XXH64_digest(h);
	XXH64_freeState(h);
	return rc;
}

int bind_sum_write(const char *folder, unsigned n_data, const char *const *more, unsigned n_more, struct err *e)
{
	char path[4200], data[4200];
	struct output o;
	uint64_t sum;

	snprintf(path, sizeof path, "%s/block.so", folder);
	if (sum_of(path, &sum, e))
		return -1;
	snprintf(path, sizeof path, "%s/block.sum", folder);
	if (output_open(&o, path, e) != 0)
		return -1;
	fprintf(o.f, "%016" PRIx64 " block.so\n", sum);
	for (unsigned i = 0; i < n_data; i++) {
		snprintf(data, sizeof data, "%s/data.%u", folder, i);
		if (sum_of(data, &sum, e) == 0)
			fprintf(o.f, "%016" PRIx64 " data.%u\n", sum, i);
	}
	for (unsigned i = 0; i < n_more; i++)
		if (sum_of(more[i], &sum, e) == 0)
			fprintf(o.f, "%016" PRIx64 " %s\n", sum, more[i]);
	return output_keep(&o, e);
}

/* A line that is cut short fits nothing. */
static int holds(const char *folder, const char *line, char path[4200])
{
	char name[4096], *end;
	uint64_t want = strtoull(line, &end, 16), found;
	size_t n = *end == ' ' ? strcspn(end + 1, "\n") : 0;

	if (end != line + 16 || !n || n >= sizeof name || end[1 + n] != '\n')
		return 0;
	memcpy(name, end + 1, n);
	name[n] = '\0';
	snprintf(path, 4200, "%s%s%s", name[0] == '/' ? "" : folder, name[0] == '/' ? "" : "/", name);
	return sum_of(path, &found, NULL) == 0 && want == found;
}

int bind_sum_holds(const char *folder, char other[4200])
{
	char path[4200], line[4200];
	unsigned n = 0;
	int rc = 1;
	FILE *f;

	other[0] = '\0';
	snprintf(path, sizeof path, "%s/block.sum", folder);
	f = infile_open(path, BIND_MAX_FILE, NULL);
	while (f && rc && fgets(line, sizeof line, f)) {
		rc = holds(folder, line, path);
		n += rc != 0;
		if (rc && line[17] == '/' && !other[0])
			snprintf(other, 4200, "%s", path);
	}
	if (f)
		fclose(f);
	return f && rc && n > 0;
}

int bind_sum_sources(const char *folder, const struct bind_sources *src, uint64_t *sum, struct err *e)
{
	XXH64_state_t *h = XXH64_createState();
	char path[4200], line[4200];
	size_t total;
	FILE *f;
	int rc = 0;

	XXH64_reset(h, 0);
	for (unsigned i = 0; i < src->n && !rc; i++)
		rc = bind_cache_hash_bytes(h, src->file[i], &total, e);
	for (unsigned i = 0; i < src->n_data && !rc; i++)
		rc = bind_cache_hash_bytes(h, src->data[i].path, &total, e);
	snprintf(path, sizeof path, "%s/block.sum", folder);
	f = infile_open(path, BIND_MAX_FILE, NULL);
	while (!rc && f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strlen(line) > 17 && line[17] == '/')
			rc = bind_cache_hash_bytes(h, line + 17, &total, e);
	}
	if (f)
		fclose(f);
	*sum = XXH64_digest(h);
	XXH64_freeState(h);
	return rc;
}
