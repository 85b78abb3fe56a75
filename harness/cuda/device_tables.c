#include "cuda/device_tables.h"

void device_function_set(struct device *d, uint64_t key, unsigned module, const char *name)
{
	struct device_function *f;

	HASH_FIND(hh, d->function, &key, sizeof key, f);
	if (!f) {
		f = arena_alloc(&d->arena, sizeof *f);
		f->key = key;
		HASH_ADD(hh, d->function, key, sizeof f->key, f);
	}
	f->module = module;
	f->name = arena_strdup(&d->arena, name);
}

const struct device_function *device_function_get(struct device *d, uint64_t key)
{
	struct device_function *f;

	HASH_FIND(hh, d->function, &key, sizeof key, f);
	return f;
}

void device_variable_set(struct device *d, const struct device_variable *is)
{
	struct device_variable *v;

	HASH_FIND(hh, d->variable, &is->key, sizeof is->key, v);
	if (!v) {
		v = arena_alloc(&d->arena, sizeof *v);
		v->key = is->key;
		HASH_ADD(hh, d->variable, key, sizeof v->key, v);
	}
	v->at = is->at;
	v->bytes = is->bytes;
	v->reference = is->reference;
	v->surface = is->surface;
}

const struct device_variable *device_variable_get(struct device *d, uint64_t key)
{
	struct device_variable *v;

	HASH_FIND(hh, d->variable, &key, sizeof key, v);
	return v;
}

void device_tables_free(struct device *d)
{
	HASH_CLEAR(hh, d->function);
	HASH_CLEAR(hh, d->variable);
}
