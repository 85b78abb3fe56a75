#include "base/names.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"

struct names_entry {
	const char *name;
	unsigned position;
	UT_hash_handle hh;
};

static struct names_entry *find(const struct names *n, const char *text, size_t bytes)
{
	struct names_entry *found;

	HASH_FIND(hh, n->entry, text, bytes, found);
	return found;
}

bool names_add(struct names *n, const char *name, unsigned position)
{
	size_t bytes = strlen(name);
	struct names_entry *added;

	if (find(n, name, bytes))
		return false;
	added = xmalloc(sizeof *added);
	added->name = name;
	added->position = position;
	HASH_ADD_KEYPTR(hh, n->entry, added->name, bytes, added);
	return true;
}

int names_find_bytes(const struct names *n, const char *text, size_t bytes)
{
	const struct names_entry *found = find(n, text, bytes);

	return found ? (int)found->position : -1;
}

int names_find(const struct names *n, const char *name)
{
	return names_find_bytes(n, name, strlen(name));
}

void names_free(struct names *n)
{
	struct names_entry *at, *next;

	HASH_ITER (hh, n->entry, at, next) {
		HASH_DEL(n->entry, at);
		free(at);
	}
}
