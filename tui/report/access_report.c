#include "tui/report/access_report.h"

#include "engine/base/escape.h"

#include <string.h>

static void add_lines(struct str *out, const char *setting, const char *program)
{
	if (setting[0])
		str_addf(out, "       as root, for all users: %s\n", setting);
	if (program[0])
		str_addf(out, "       as root, for stxtop:    %s\n", program);
}

void access_report_text(const struct access *access, struct str *out)
{
	struct access_plan plans[ACCESS_PLANS];
	size_t plan_count = access_plans(access, plans);

	for (size_t i = 0; i < ACCESS_COUNT; i++) {
		const struct access_row *row = &access->rows[i];

		str_addf(out, "%-4s %s\n", row->works ? "yes" : "no", row->what);
		if (!row->works)
			str_addf(out, "       %s\n", row->why);
		add_lines(out, row->setting, row->program);
	}
	str_add(out, access_is_enough(access) ? "The whole system can be watched.\n"
					      : "The whole system cannot be watched.\n");
	if (access->setting[0] || access->program[0]) {
		str_add(out, "To grant all missing permissions, run one of these as root:\n");
		add_lines(out, access->setting, access->program);
	}
	if (access->note[0])
		str_addf(out, "Note: %s.\n", access->note);
	if (!access_is_enough(access))
		str_add(out, "To explore the demo recording meanwhile: stxtop --demo\n");
	for (size_t i = 0; i < plan_count; i++)
		str_addf(out, "%s  %-20s %s\n", i ? "" : "Probes by requested data:\n",
			 plans[i].wanted, plans[i].probes);
}

static void add_member(struct str *out, const char *name, const char *text)
{
	str_addf(out, ",\"%s\":", name);
	if (!text[0]) {
		str_add(out, "null");
		return;
	}
	str_addc(out, '"');
	str_add_json(out, text, strlen(text));
	str_addc(out, '"');
}

void access_report_json(const struct access *access, struct str *out)
{
	struct access_plan plans[ACCESS_PLANS];
	size_t plan_count = access_plans(access, plans);

	str_addf(out, "{\"type\":\"access\",\"enough\":%s",
		 access_is_enough(access) ? "true" : "false");
	add_member(out, "setting", access->setting);
	add_member(out, "program", access->program);
	add_member(out, "note", access->note);
	str_add(out, ",\"rows\":[");
	for (size_t i = 0; i < ACCESS_COUNT; i++) {
		const struct access_row *row = &access->rows[i];

		str_addf(out, "%s{\"id\":\"%s\",\"works\":%s", i ? "," : "", row->name,
			 row->works ? "true" : "false");
		add_member(out, "what", row->what);
		add_member(out, "why", row->why);
		add_member(out, "setting", row->setting);
		add_member(out, "program", row->program);
		str_addc(out, '}');
	}
	str_add(out, "],\"probes\":[");
	for (size_t i = 0; i < plan_count; i++) {
		str_addf(out, "%s{\"wanted\":\"%s\"", i ? "," : "", plans[i].wanted);
		add_member(out, "probes", plans[i].probes);
		str_addc(out, '}');
	}
	str_add(out, "]}\n");
}
