#include "engine/export/event_line.h"

#include "engine/export/json.h"

void event_line_add_text(struct str *out, const struct text_options *options,
			 const struct call *call, const struct event_line *event)
{
	text_add_time(out, options, call->enter_ns);
	str_add(out, " (           ) ");
	str_add(out, event->comm);
	str_addc(out, '/');
	str_addu(out, call->tid);
	str_addc(out, ' ');
	str_add(out, event->name);
	str_addc(out, ':');
	if (!event->text) {
		str_add(out, " ?");
	} else if (*event->text) {
		str_addc(out, ' ');
		str_add(out, event->text);
	}
	str_addc(out, '\n');
}

void event_line_add_json(struct str *out, const struct call *call, const struct event_line *event)
{
	str_add(out, "{\"type\":\"event\",\"ts\":");
	str_addu(out, call->enter_ns);
	str_add(out, ",\"pid\":");
	str_addu(out, call->pid);
	str_add(out, ",\"tid\":");
	str_addu(out, call->tid);
	str_add(out, ",\"comm\":");
	json_add_string(out, event->comm);
	if (event->cgroup)
		str_add(out, event->cgroup);
	str_add(out, ",\"cpu\":");
	str_addu(out, call->cpu);
	str_add(out, ",\"name\":");
	json_add_string(out, event->name);
	str_add(out, ",\"text\":");
	if (event->text)
		json_add_string(out, event->text);
	else
		str_add(out, "null");
	str_add(out, "}\n");
}
