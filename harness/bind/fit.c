#include "bind/fit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"

static bool is_identifier(const char *s, size_t n)
{
	if (n == 0 || n >= BIND_FIT_NAME || isdigit((unsigned char)s[0]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return true;
}

const struct bind_fit_item *bind_fit_of(const struct bind_fit *f, const char *theirs)
{
	for (unsigned i = 0; i < f->n; i++)
		if (!strcmp(f->item[i].theirs, theirs))
			return &f->item[i];
	return NULL;
}

static int add(struct bind_fit *f, const char *option, const struct bind_fit_item *item, struct err *e)
{
	if (bind_fit_of(f, item->theirs))
		return err_set(e, "%s: port %s is connected twice", option, item->theirs);
	if (f->n == BIND_FIT_ITEMS)
		return err_set(e, "%s: more than %d ports", option, BIND_FIT_ITEMS);
	f->item[f->n++] = *item;
	return 0;
}

int bind_fit_port(struct bind_fit *f, const char *text, struct err *e)
{
	struct bind_fit_item item = {.kind = BIND_FIT_PORT};
	size_t n = strcspn(text, "=");
	const char *ours = text[n] ? text + n + 1 : "";

	item.inverted = *ours == '~';
	ours += item.inverted;
	if (!is_identifier(text, n) || !is_identifier(ours, strlen(ours)))
		return err_set(e, "--port: \"%s\" is not THEIRS=OURS or THEIRS=~OURS, two names of ports", text);
	snprintf(item.theirs, sizeof item.theirs, "%.*s", (int)n, text);
	snprintf(item.ours, sizeof item.ours, "%s", ours);
	return add(f, "--port", &item, e);
}

int bind_fit_tie(struct bind_fit *f, const char *text, struct err *e)
{
	struct bind_fit_item item = {.kind = BIND_FIT_TIE};
	size_t n = strcspn(text, "=");

	if (!is_identifier(text, n) || !text[n] || number_parse_u64(text + n + 1, &item.value))
		return err_set(e, "--tie: \"%s\" is not INPUT=VALUE, a port and a whole number", text);
	snprintf(item.theirs, sizeof item.theirs, "%.*s", (int)n, text);
	return add(f, "--tie", &item, e);
}

int bind_fit_leave(struct bind_fit *f, const char *text, struct err *e)
{
	struct bind_fit_item item = {.kind = BIND_FIT_LEAVE};

	if (!is_identifier(text, strlen(text)))
		return err_set(e, "--leave: \"%s\" is not the name of a port", text);
	snprintf(item.theirs, sizeof item.theirs, "%s", text);
	return add(f, "--leave", &item, e);
}

int bind_fit_dir(struct bind_fit *f, const char *path, struct err *e)
{
	size_t at = strlen(f->dirs);
	struct stat st;

	if (!*path || strchr(path, ','))
		return err_set(e, "--incdir: \"%s\": a folder's name without a comma is wanted", path);
	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return err_set(e, "--incdir: %s: no such folder", path);
	if ((size_t)snprintf(f->dirs + at, sizeof f->dirs - at, "%s%s", at ? "," : "", path) >= sizeof f->dirs - at)
		return err_set(e, "--incdir: more than %d characters of folders", BIND_FIT_DIRS);
	return 0;
}
