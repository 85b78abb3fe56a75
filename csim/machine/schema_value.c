/* Values of a machine's keys from text and as text, by the types of the table in schema.c. */
#include "machine/schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "base/number.h"
#include "base/utf8.h"

const struct schema_key *schema_find(const char *name)
{
	for (const struct schema_key *k = schema_keys; k->name; k++)
		if (k->name[0] == name[0] && !strcmp(k->name, name)) /* most first letters differ */
			return k;
	return NULL;
}

int schema_set_fallbacks(struct machine *m, struct err *e)
{
	for (const struct schema_key *k = schema_keys; k->name; k++)
		if (k->fallback && schema_set(m, k, k->fallback, e) != 0)
			return -1;
	return 0;
}

static int set_number(const struct schema_key *k, const char *text, uint32_t *out, struct err *e)
{
	uint64_t v;

	if (k->choices && !strcmp(text, k->choices[0])) {
		*out = 0;
		return 0;
	}
	if (number_parse_u64(text, &v) != 0)
		return k->choices ? err_set(e, "\"%s\" is neither a whole number nor %s", text, k->choices[0])
				  : err_set(e, "\"%s\" is not a whole number " NUMBER_FORM, text);
	if (v < k->min || v > k->max)
		return err_set(e, "%" PRIu64 " is not in %u..%u", v, k->min, k->max);
	*out = (uint32_t)v;
	return 0;
}

static int set_thousandths(const struct schema_key *k, const char *text, uint32_t *out, struct err *e)
{
	char legal[SCHEMA_TEXT_MAX];
	uint64_t v;

	if (number_parse_thousandths(text, &v) != 0)
		return err_set(e, "\"%s\" is not a decimal number with at most three places", text);
	if (v < k->min || v > k->max)
		return err_set(e, "%s is not in %s", text, schema_legal(k, legal));
	*out = (uint32_t)v;
	return 0;
}

static int set_choice(const struct schema_key *k, const char *text, uint32_t *out, struct err *e)
{
	struct suggestion n = {.typed = text};
	char legal[128] = "", hint[160];
	size_t at = 0;

	for (uint32_t i = 0; k->choices[i]; i++) {
		if (!strcmp(k->choices[i], text)) {
			*out = i;
			return 0;
		}
		suggestion_offer(&n, k->choices[i]);
		at += (size_t)snprintf(legal + at, sizeof legal - at, "%s%s", i ? " | " : "", k->choices[i]);
	}
	return err_set(e, "\"%s\" is not one of %s%s", text, legal, suggestion_text(&n, hint));
}

/* Up to `most` numbers with commas between; returns how many, -1 on an error. */
static int set_numbers(const struct schema_key *k, const char *text, uint32_t *out, unsigned most, struct err *e)
{
	char one[32];
	unsigned n = 0;

	for (const char *p = text; *p; n++) {
		size_t len = strcspn(p, ",");

		if (n == most || len >= sizeof one)
			return err_set(e, "\"%s\" is not a list of at most %u numbers with commas between", text, most);
		memcpy(one, p, len);
		one[len] = '\0';
		if (set_number(k, one, &out[n], e) != 0)
			return -1;
		p += len + (p[len] == ',');
	}
	return (int)n;
}

static int set_list5(const struct schema_key *k, const char *text, uint32_t out[5], struct err *e)
{
	uint32_t v[5];
	int n = set_numbers(k, text, v, 5, e);

	if (n < 0)
		return -1;
	if (n < 5)
		return err_set(e, "\"%s\" is not five numbers with commas between", text);
	memcpy(out, v, sizeof v);
	return 0;
}

static int set_list(const struct schema_key *k, const char *text, struct machine_list *out, struct err *e)
{
	struct machine_list l = {0};
	int n = set_numbers(k, text, l.v, MACHINE_MAX_MODULES, e);

	if (n < 0)
		return -1;
	if (n == 0)
		return err_set(e, "a list without a number");
	l.n = (uint32_t)n;
	*out = l;
	return 0;
}

int schema_set(struct machine *m, const struct schema_key *k, const char *text, struct err *e)
{
	char *at = (char *)m + k->offset;

	switch (k->type) {
	case SCHEMA_U32:
		return set_number(k, text, (uint32_t *)(void *)at, e);
	case SCHEMA_THOUSANDTHS:
		return set_thousandths(k, text, (uint32_t *)(void *)at, e);
	case SCHEMA_CHOICE:
		return set_choice(k, text, (uint32_t *)(void *)at, e);
	case SCHEMA_LIST5:
		return set_list5(k, text, (uint32_t *)(void *)at, e);
	case SCHEMA_LIST:
		return set_list(k, text, (struct machine_list *)(void *)at, e);
	case SCHEMA_BOOL:
		if (strcmp(text, "true") && strcmp(text, "false"))
			return err_set(e, "\"%s\" is neither true nor false", text);
		*(bool *)at = *text == 't';
		return 0;
	case SCHEMA_TEXT:
		if (!*text || strlen(text) >= k->max)
			return err_set(e, "must have 1 to %u letters", k->max - 1);
		for (size_t i = 0, n = strlen(text), letter; i < n; i += letter)
			if (!(letter = utf8_letter(text + i, n - i)))
				return err_set(e, "holds control characters, or is not UTF-8");
		memset(at, 0, k->max);
		snprintf((char *)at, k->max, "%s", text);
		return 0;
	}
	return -1;
}

static void list_text(const struct machine_list *l, char *out)
{
	size_t at = 0;

	for (uint32_t i = 0; i < l->n; i++)
		at += (size_t)snprintf(out + at, SCHEMA_TEXT_MAX - at, "%s%u", i ? "," : "", l->v[i]);
}

const char *schema_text(const struct machine *m, const struct schema_key *k, char out[SCHEMA_TEXT_MAX])
{
	const char *at = (const char *)m + k->offset;
	const uint32_t *u = (const uint32_t *)(const void *)at;

	switch (k->type) {
	case SCHEMA_U32:
		snprintf(out, SCHEMA_TEXT_MAX, "%u", *u);
		break;
	case SCHEMA_THOUSANDTHS:
		snprintf(out, SCHEMA_TEXT_MAX, "%.10g", *u / 1000.0);
		break;
	case SCHEMA_CHOICE:
		snprintf(out, SCHEMA_TEXT_MAX, "%s", k->choices[*u]);
		break;
	case SCHEMA_LIST5:
		snprintf(out, SCHEMA_TEXT_MAX, "%u,%u,%u,%u,%u", u[0], u[1], u[2], u[3], u[4]);
		break;
	case SCHEMA_LIST:
		list_text((const struct machine_list *)(const void *)at, out);
		break;
	case SCHEMA_BOOL:
		snprintf(out, SCHEMA_TEXT_MAX, "%s", *(const bool *)at ? "true" : "false");
		break;
	case SCHEMA_TEXT:
		snprintf(out, SCHEMA_TEXT_MAX, "%s", at);
		break;
	}
	return out;
}

const char *schema_legal(const struct schema_key *k, char out[SCHEMA_TEXT_MAX])
{
	size_t at = 0;

	switch (k->type) {
	case SCHEMA_U32:
		snprintf(out, SCHEMA_TEXT_MAX, "%u..%u%s%s", k->min, k->max, k->choices ? "|" : "",
			 k->choices ? k->choices[0] : "");
		break;
	case SCHEMA_THOUSANDTHS:
		snprintf(out, SCHEMA_TEXT_MAX, "%.10g..%.10g", k->min / 1000.0, k->max / 1000.0);
		break;
	case SCHEMA_CHOICE:
		for (uint32_t i = 0; k->choices[i]; i++)
			at += (size_t)snprintf(out + at, SCHEMA_TEXT_MAX - at, "%s%s", i ? "|" : "", k->choices[i]);
		break;
	case SCHEMA_LIST5:
		snprintf(out, SCHEMA_TEXT_MAX, "five of %u..%u", k->min, k->max);
		break;
	case SCHEMA_LIST:
		snprintf(out, SCHEMA_TEXT_MAX, "list of %u..%u", k->min, k->max);
		break;
	case SCHEMA_BOOL:
		snprintf(out, SCHEMA_TEXT_MAX, "true|false");
		break;
	case SCHEMA_TEXT:
		snprintf(out, SCHEMA_TEXT_MAX, "text");
		break;
	}
	return out;
}
