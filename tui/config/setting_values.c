/* setting_values - the accepted values of each setting; see settings.h. */
#include "tui/config/settings.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/units.h"

#include <errno.h>
#include <string.h>

#define REFRESH_NS_MIN (20 * NS_PER_MS)
#define REFRESH_NS_MAX (60 * NS_PER_S)
#define SHOWN_BYTES 80

enum kind { KIND_NAME, KIND_VIEW, KIND_SWITCH, KIND_TIME, KIND_NUMBER, KIND_SIZE };

static const char *const switch_offers[] = { "yes", "no", NULL };
static const char *const refresh_offers[] = { "50ms", "100ms", "250ms", "500ms",
					      "1s",   "2s",    "5s",    NULL };
static const char *const string_offers[] = { "16", "32", "64", "128", "256", "1024", "4095", NULL };
static const char *const history_offers[] = { "16M", "64M", "256M", "1G", "4G", NULL };

static const struct {
	const char *name, *fallback, *help;
} texts[SETTING_COUNT] = {
#define SETTING_TEXT(id, name, fallback, help) [SETTING_##id] = { name, fallback, help },
	SETTING_LIST(SETTING_TEXT)
#undef SETTING_TEXT
};

static const struct {
	enum kind kind;
	const char *const *offers;
} values[SETTING_COUNT] = {
	[SETTING_THEME] = { KIND_NAME, NULL },
	[SETTING_KEYMAP] = { KIND_NAME, NULL },
	[SETTING_VIEW] = { KIND_VIEW, NULL },
	[SETTING_FOLLOW] = { KIND_SWITCH, switch_offers },
	[SETTING_REFRESH] = { KIND_TIME, refresh_offers },
	[SETTING_STRING_SIZE] = { KIND_NUMBER, string_offers },
	[SETTING_HISTORY] = { KIND_SIZE, history_offers },
	[SETTING_ACCESSIBLE] = { KIND_SWITCH, switch_offers },
	[SETTING_ASCII] = { KIND_SWITCH, switch_offers },
	[SETTING_MOUSE] = { KIND_SWITCH, switch_offers },
	[SETTING_SELF_USAGE] = { KIND_SWITCH, switch_offers },
	[SETTING_HINTS] = { KIND_SWITCH, switch_offers },
};

const char *setting_name(enum setting setting)
{
	return texts[setting].name;
}

const char *setting_help(enum setting setting)
{
	return texts[setting].help;
}

const char *setting_default(enum setting setting)
{
	return texts[setting].fallback;
}

const char *setting_offer(enum setting setting, int index)
{
	const char *const *offers = values[setting].offers;
	int action;

	if (values[setting].kind == KIND_VIEW)
		return options_view_name(index, &action);
	for (int i = 0; offers && offers[i]; i++)
		if (i == index)
			return offers[i];
	return NULL;
}

static int parse(enum setting setting, const char *value, uint64_t *number, struct err *err)
{
	char shown[SHOWN_BYTES];
	int rc;

	*number = 0;
	switch (values[setting].kind) {
	case KIND_SWITCH:
		*number = !strcmp(value, "yes");
		return *number || !strcmp(value, "no")
			       ? 0
			       : err_set(err, -EINVAL, "%s: expected yes or no, not '%s'",
					 setting_name(setting),
					 escape_name(shown, sizeof(shown), value));
	case KIND_VIEW:
		return options_find_view(value) >= 0
			       ? 0
			       : err_set(err, -EINVAL, "%s: unknown view '%s'",
					 setting_name(setting),
					 escape_name(shown, sizeof(shown), value));
	case KIND_TIME:
		rc = units_parse_duration(value, 0, number, err);
		if (!rc && (*number < REFRESH_NS_MIN || *number > REFRESH_NS_MAX))
			rc = err_set(err, -ERANGE, "%s: expected 20ms to 60s",
				     setting_name(setting));
		return rc;
	case KIND_NUMBER:
		return units_parse_number(value, 1, STRING_SIZE_MAX, number, err);
	case KIND_SIZE:
		rc = units_parse_size(value, number, err);
		if (!rc && (*number < HISTORY_BYTES_MIN || *number > HISTORY_BYTES_MAX))
			rc = err_set(err, -ERANGE, "%s: expected a size such as 64M",
				     setting_name(setting));
		return rc;
	case KIND_NAME:
		break;
	}
	return 0;
}

int setting_check(enum setting setting, const char *value, struct err *err)
{
	uint64_t number;

	if (!settings_value_is_text(value))
		return err_set(err, -EINVAL, "%s: the value cannot be stored on one line",
			       setting_name(setting));
	return parse(setting, value, &number, err) ? -EINVAL : 0;
}

uint64_t setting_number(enum setting setting, const char *value)
{
	struct err ignored;
	uint64_t number;

	return parse(setting, value, &number, &ignored) ? 0 : number;
}
