#include "base/files/yaml.h"

#include <libfyaml.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/number.h"
#include "base/panic.h"
#include "base/utf8.h"

struct yaml {
	char *name, *text;
	struct fy_diag *diag;
	struct fy_document *doc;
};

/* The newest error that libfyaml collected, as one line; `otherwise` if it collected none. */
static int take_diag(struct yaml *y, const char *otherwise, struct err *e)
{
	struct fy_diag_error *last = NULL, *d;
	void *iter = NULL;

	while ((d = fy_diag_errors_iterate(y->diag, &iter)))
		last = d;
	if (!last)
		return err_set(e, "%s: %s", y->name, otherwise);
	return err_set(e, "%s:%d:%d: %s", y->name, last->line, last->column, last->msg);
}

/* libfyaml's own remarks beside the collected errors ("fy_parse_load_document() failed") help nobody. */
static void discard(struct fy_diag *diag, void *user, const char *text, size_t bytes)
{
	(void)diag, (void)user, (void)text, (void)bytes;
}

/* libfyaml builds the first document and passes over the rest. Returns -1 if there is a second one. */
static int only_one_document(const struct yaml *y, struct err *e)
{
	const char *line = y->text;
	bool content = false;

	for (unsigned n = 1; *line; n++) {
		size_t bytes = strcspn(line, "\n");

		if (!strncmp(line, "---", 3) && (bytes == 3 || strchr(" \t\r", line[3]))) {
			if (content)
				return err_set(e, "%s:%u:1: a second document begins: only one is read", y->name, n);
			content = true;
		}
		content = content || (!strchr("#%", line[0]) && strspn(line, " \t\r") < bytes);
		line += bytes + (line[bytes] == '\n');
	}
	return 0;
}

/* libfyaml 0.7 does not come back from some texts that are no UTF-8. */
static int only_text(const struct yaml *y, size_t bytes, struct err *e)
{
	unsigned line = 1, column = 1;

	for (size_t i = 0, n; i < bytes; i += n) {
		const char *s = y->text + i;

		n = *s == '\t' || *s == '\n' || *s == '\r' ? 1 : utf8_letter(s, bytes - i);
		if (!n)
			return err_set(e, "%s:%u:%u: byte 0x%02x is not text in UTF-8", y->name, line, column, (unsigned char)*s);
		column = *s == '\n' ? 1 : column + 1;
		line += *s == '\n';
	}
	return 0;
}

/* A key in two parts: only indicators and blanks are ahead of its "?" on the line. */
static bool is_explicit_key(const char *line, const char *at)
{
	return *at == '?' && (!at[1] || strchr(" \t\r\n", at[1])) && strspn(line, " \t-?:[{,") >= (size_t)(at - line);
}

/* libfyaml 0.7 crashes over some texts with a tab between the ':' behind such a key and what follows. */
static int no_tab_behind_explicit_keys(const struct yaml *y, struct err *e)
{
	const char *line = y->text;
	bool seen = false;
	unsigned n = 1;

	for (const char *s = line; *s; s++) {
		if (*s == '\n') {
			line = s + 1;
			n++;
		}
		seen = seen || is_explicit_key(line, s);
		if (seen && *s == ':' && s[1 + strspn(s + 1, " ")] == '\t')
			return err_set(e, "%s:%u:%u: a tab follows this \":\", and a key with \"?\" is ahead of it", y->name, n,
				       (unsigned)(s - line) + 1);
	}
	return 0;
}

/* ---- keys that are there twice ---- */

struct key {
	char *text;
	UT_hash_handle hh;
};

/* The key's text; a list or a mapping as it is written in one line. The caller frees it. */
static char *key_text(struct fy_node *key)
{
	char *text = yaml_is_scalar(key) ? xstrdup(yaml_text(key)) : fy_emit_node_to_string(key, FYECF_MODE_FLOW_ONELINE);

	return text ? text : xstrdup("");
}

static void forget_keys(struct key *all)
{
	struct key *k, *next;

	HASH_ITER (hh, all, k, next) {
		HASH_DEL(all, k);
		free(k->text);
		free(k);
	}
}

static int no_key_twice(struct yaml *y, struct fy_node *n, struct err *e);

static int no_key_twice_in(struct yaml *y, struct fy_node *map, struct err *e)
{
	struct fy_node_pair *p;
	struct key *all = NULL;
	void *iter = NULL;
	int rc = 0;

	while (rc == 0 && (p = fy_node_mapping_iterate(map, &iter))) {
		struct fy_node *at = fy_node_pair_key(p);
		struct key *k = xcalloc(1, sizeof *k), *had;

		k->text = key_text(at);
		HASH_FIND_STR(all, k->text, had);
		HASH_ADD_KEYPTR(hh, all, k->text, strlen(k->text), k);
		rc = had ? yaml_error(y, at, e, "the key \"%.100s\" is there twice", k->text)
			 : no_key_twice(y, fy_node_pair_value(p), e);
	}
	forget_keys(all);
	return rc;
}

/* libfyaml compares each key with every other one, which takes seconds for 16,000 keys. Its documents have at most 64
 * levels. */
static int no_key_twice(struct yaml *y, struct fy_node *n, struct err *e)
{
	struct fy_node *item;
	void *iter = NULL;
	int rc = 0;

	if (yaml_is_map(n))
		return no_key_twice_in(y, n, e);
	while (yaml_is_seq(n) && rc == 0 && (item = yaml_next_item(n, &iter)))
		rc = no_key_twice(y, item, e);
	return rc;
}

static struct yaml *parse(struct yaml *y, size_t bytes, struct err *e)
{
	struct fy_diag_cfg dc;
	struct fy_parse_cfg pc = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_ALLOW_DUPLICATE_KEYS};

	if (only_text(y, bytes, e) || no_tab_behind_explicit_keys(y, e)) {
		yaml_close(y);
		return NULL;
	}
	fy_diag_cfg_default(&dc);
	dc.fp = NULL;
	dc.output_fn = discard;
	y->diag = fy_diag_create(&dc);
	fy_diag_set_collect_errors(y->diag, true);
	pc.diag = y->diag;
	y->doc = fy_document_build_from_string(&pc, y->text, bytes);
	if (y->doc && (only_one_document(y, e) || no_key_twice(y, fy_document_root(y->doc), e))) {
		yaml_close(y);
		return NULL;
	}
	if (!y->doc) {
		take_diag(y, "no YAML document in it", e);
		yaml_close(y);
		return NULL;
	}
	return y;
}

struct yaml *yaml_parse(const char *text, const char *name, struct err *e)
{
	struct yaml *y = xcalloc(1, sizeof *y);

	y->name = xstrdup(name);
	y->text = xstrdup(text);
	return parse(y, strlen(text), e);
}

struct yaml *yaml_open(const char *path, struct err *e)
{
	size_t n;
	char *text = infile_text(path, YAML_MAX_FILE, &n, e);
	struct yaml *y;

	if (!text)
		return NULL;
	y = xcalloc(1, sizeof *y);
	y->name = xstrdup(path);
	y->text = text;
	return parse(y, n, e);
}

void yaml_close(struct yaml *y)
{
	if (!y)
		return;
	fy_document_destroy(y->doc);
	fy_diag_destroy(y->diag);
	free(y->name);
	free(y->text);
	free(y);
}

struct fy_node *yaml_root(struct yaml *y)
{
	return fy_document_root(y->doc);
}

/* A value that was left out ("ptx:") is nowhere: its key stands for it, or what it is an item of. */
static struct fy_node *with_a_position(struct fy_node *n)
{
	struct fy_node *parent = fy_node_get_parent(n);
	struct fy_node_pair *p;
	void *iter = NULL;

	if (!parent || !fy_node_is_scalar(n) || *yaml_text(n))
		return n;
	while (fy_node_is_mapping(parent) && (p = fy_node_mapping_iterate(parent, &iter)))
		if (fy_node_pair_value(p) == n)
			return fy_node_pair_key(p);
	return parent;
}

int yaml_error(struct yaml *y, struct fy_node *at, struct err *e, const char *fmt, ...)
{
	struct err what = {""};
	va_list ap;

	va_start(ap, fmt);
	err_vset(&what, fmt, ap);
	va_end(ap);
	if (at)
		fy_node_report(with_a_position(at), FYET_ERROR, "%s", what.text);
	return take_diag(y, what.text, e);
}

void yaml_position(struct fy_node *n, uint32_t *line, uint32_t *column)
{
	void *iter = NULL;
	struct fy_token *token = fy_node_get_scalar_token(yaml_is_seq(n) ? yaml_next_item(n, &iter) : n);
	const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;

	*line = mark ? (uint32_t)mark->line + 1 : 0;
	*column = mark ? (uint32_t)mark->column + 1 : 0;
}

bool yaml_is_map(struct fy_node *n)
{
	return n && fy_node_is_mapping(n);
}

bool yaml_is_seq(struct fy_node *n)
{
	return n && fy_node_is_sequence(n);
}

bool yaml_is_scalar(struct fy_node *n)
{
	return n && fy_node_is_scalar(n);
}

const char *yaml_text(struct fy_node *n)
{
	const char *text = yaml_is_scalar(n) ? fy_node_get_scalar0(n) : NULL;

	return text ? text : "";
}

bool yaml_next_pair(struct fy_node *map, void **iter, const char **key, struct fy_node **key_node, struct fy_node **value)
{
	struct fy_node_pair *p;

	PANIC_UNLESS(yaml_is_map(map), "yaml", 0);
	p = fy_node_mapping_iterate(map, iter);
	if (!p)
		return false;
	*key_node = fy_node_pair_key(p);
	*value = fy_node_pair_value(p);
	*key = yaml_text(*key_node);
	return true;
}

struct fy_node *yaml_next_item(struct fy_node *seq, void **iter)
{
	return fy_node_sequence_iterate(seq, iter);
}

int yaml_u64(struct yaml *y, struct fy_node *n, const char *key, uint64_t min, uint64_t max, uint64_t *out, struct err *e)
{
	if (!*yaml_text(n))
		return yaml_error(y, n, e, "%s: must be a whole number", key);
	if (number_parse_u64(yaml_text(n), out) != 0)
		return yaml_error(y, n, e, "%s: \"%s\" is not a whole number " NUMBER_FORM, key, yaml_text(n));
	if (*out < min || *out > max)
		return yaml_error(y, n, e, "%s: %" PRIu64 " is not in %" PRIu64 "..%" PRIu64, key, *out, min, max);
	return 0;
}

int yaml_f64(struct yaml *y, struct fy_node *n, const char *key, double *out, struct err *e)
{
	const char *text = yaml_text(n);
	char *end;

	*out = strtod(text, &end);
	if (end == text || *end)
		return yaml_error(y, n, e, "%s: \"%s\" is not a number", key, text);
	return 0;
}

int yaml_bool(struct yaml *y, struct fy_node *n, const char *key, bool *out, struct err *e)
{
	const char *text = yaml_text(n);

	if (strcmp(text, "true") && strcmp(text, "false"))
		return yaml_error(y, n, e, "%s: \"%s\" is neither true nor false", key, text);
	*out = *text == 't';
	return 0;
}
