#include "bind/params.h"

#include <string.h>

#include "base/suggestion.h"
#include "base/number.h"
#include "base/panic.h"

static int assign(const struct hw_block *b, void *params, const char *word, struct err *e)
{
	const char *eq = strchr(word, '=');
	size_t n = eq ? (size_t)(eq - word) : 0;
	struct suggestion suggestion = {.typed = strndupa(word, n)};
	char hint[160];
	uint64_t value = 0;

	if (!eq || number_parse_u64(eq + 1, &value))
		return err_set(e, "%s: \"%s\" is not NAME=NUMBER", b->name, word);
	for (unsigned i = 0; i < b->n_params; i++) {
		const struct hw_param *p = &b->params[i];

		if (strlen(p->name) != n || strncmp(p->name, word, n) != 0)
			continue;
		if (p->size < 8 && value >> (8 * p->size))
			return err_set(e, "%s: %s: out of range", b->name, word);
		hw_put(params, p->offset, p->size, value);
		return 0;
	}
	for (unsigned i = 0; i < b->n_params; i++)
		suggestion_offer(&suggestion, b->params[i].name);
	return err_set(e, "%s has no parameter \"%.*s\"%s", b->name, (int)n, word, suggestion_text(&suggestion, hint));
}

int bind_params_read(const struct hw_block *b, void *params, const char *text, struct err *e)
{
	char copy[1024], *save = NULL;

	PANIC_UNLESS(b->params_size <= BIND_PARAMS_MAX, b->name, 0);
	memset(params, 0, BIND_PARAMS_MAX);
	hw_params_default(b, params);
	if (text && strlen(text) >= sizeof copy)
		return err_set(e, "%s: parameters of more than %zu bytes", b->name, sizeof copy - 1);
	snprintf(copy, sizeof copy, "%s", text ? text : "");
	for (char *w = strtok_r(copy, " ,", &save); w; w = strtok_r(NULL, " ,", &save))
		if (assign(b, params, w, e))
			return -1;
	return b->check(params, e) ? err_prefix(e, "%s", b->name) : 0;
}

void bind_params_write(const struct hw_block *b, const void *params, FILE *to)
{
	for (unsigned i = 0; i < b->n_params; i++)
		fprintf(to, "%s%s=%llu", i ? " " : "", b->params[i].name,
			(unsigned long long)hw_get(params, b->params[i].offset, b->params[i].size));
}
