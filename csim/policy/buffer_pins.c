#include "policy/buffer_pins.h"

#include <string.h>

struct names {
	const char *const *name;
	uint32_t n;
};

/* The buffer of `len` letters, or -1. */
static int find(const struct names *all, const char *name, size_t len)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (strlen(all->name[i]) == len && !memcmp(all->name[i], name, len))
			return (int)i;
	return -1;
}

static int pin_each(uint8_t *pin, const struct names *all, enum cache_pin kind, const char *key, const char *list, struct err *e)
{
	size_t len;

	if (!strcmp(list, "none"))
		return 0;
	for (const char *at = list;; at += len + 1) {
		int buffer;

		len = strcspn(at, "+");
		buffer = find(all, at, len);
		if (buffer < 0)
			return err_set(e, "%s: the program has no buffer \"%.*s\"", key, (int)len, at);
		if (pin[buffer] != CACHE_UNPINNED)
			return err_set(e, "%s: buffer \"%.*s\" is pinned already", key, (int)len, at);
		pin[buffer] = (uint8_t)kind;
		if (!at[len])
			return 0;
	}
}

int buffer_pins_init(struct buffer_pins *p, struct arena *a, const struct machine *m, const char *const *name, uint32_t buffers,
		     struct err *e)
{
	struct names all = {name, buffers};
	uint8_t *pin;

	*p = (struct buffer_pins){.buffers = buffers};
	if (m->l1.replacement != REPLACE_PIN)
		return 0;
	p->pin = pin = arena_array(a, (size_t)buffers + 1, sizeof *pin);
	if (pin_each(pin, &all, CACHE_HARD_PIN, "l1.pin.hard", m->l1.pin.hard, e) != 0)
		return -1;
	return pin_each(pin, &all, CACHE_SOFT_PIN, "l1.pin.soft", m->l1.pin.soft, e);
}
