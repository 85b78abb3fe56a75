#include "sample/options.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { OPTION_TEXT = 96 };

/* "3%", "0.03": digits and a point, no sign and no exponent. */
static bool fraction(const char *text, double *out)
{
	size_t n = strspn(text, "0123456789.");
	char *end;

	*out = strtod(text, &end);
	if (!n || end != text + n || (strcmp(end, "%") && *end))
		return false;
	*out /= *end ? 100 : 1;
	return true;
}

static int set_fraction(const char *key, const char *value, double least, double most, double *out, struct err *e)
{
	if (fraction(value, out) && *out >= least && *out <= most)
		return 0;
	return err_set(e, "--sample: %s=%s: must be from %g%% to %g%%", key, value, 100 * least, 100 * most);
}

static int set_metric(const char *value, struct sample_options *o, struct err *e)
{
	if (!*value || strlen(value) >= sizeof o->metric)
		return err_set(e, "--sample: metric=%s: no metric of a launch has that name (locus list metrics)", value);
	snprintf(o->metric, sizeof o->metric, "%s", value);
	return 0;
}

static int set(const char *key, const char *value, struct sample_options *o, struct err *e)
{
	if (!strcmp(key, "error"))
		return set_fraction(key, value, 0.0001, 0.5, &o->error, e);
	if (!strcmp(key, "confidence"))
		return set_fraction(key, value, 0.5, 0.999, &o->confidence, e);
	if (!strcmp(key, "metric"))
		return set_metric(value, o, e);
	if (strcmp(key, "seed"))
		return err_set(e, "--sample: \"%s\" is not an option: error, seed, confidence, metric", key);
	return number_parse_u64(value, &o->seed) == 0 ? 0 : err_set(e, "--sample: seed=%s: must be a whole number", value);
}

static int set_option(const char *text, size_t n, struct sample_options *o, struct err *e)
{
	char key[OPTION_TEXT];
	char *value;

	if (n >= sizeof key)
		return err_set(e, "--sample: \"%.*s...\" is not an option: error, seed, confidence, metric", 32, text);
	snprintf(key, sizeof key, "%.*s", (int)n, text);
	value = strchr(key, '=');
	if (!value)
		return err_set(e, "--sample: \"%s\": an option is KEY=VALUE", key);
	*value++ = '\0';
	return set(key, value, o, e);
}

int sample_options_parse(const char *text, struct sample_options *o, struct err *e)
{
	*o = (struct sample_options){.confidence = 0.95, .seed = 1, .metric = "cycles"};
	for (size_t n; *text; text += n + (text[n] == ',')) {
		n = strcspn(text, ",");
		if (set_option(text, n, o, e) != 0)
			return -1;
	}
	return o->error > 0 ? 0 : err_set(e, "--sample: needs error=PERCENT, as in --sample error=3%%");
}
