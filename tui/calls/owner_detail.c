#include "tui/calls/owner_detail.h"

#include "engine/base/escape.h"

#include <string.h>

static void add_container(struct help *help, const char *cgroup)
{
	struct container container;
	struct str text = STR_INIT;

	if (!container_find(&container, cgroup))
		return;
	if (container.id) {
		str_addf(&text, "%s ", container.runtime);
		container_add_id(&text, &container);
		help_add_key(help, "container", text.data);
	}
	str_clear(&text);
	container_add_pod(&text, &container);
	if (text.len)
		help_add_key(help, "pod", text.data);
	str_release(&text);
}

void owner_detail_add(struct help *help, const struct session *session, uint32_t pid,
		      uint32_t number)
{
	struct engine_owner owner;
	struct str text = STR_INIT;

	engine_owner(session->engine, pid, number, &owner);
	if (owner.ns_pid) {
		str_addf(&text, "%u is pid %u in its own pid namespace", pid, owner.ns_pid);
		help_add_key(help, "process", text.data);
	}
	if (!owner.cgroup[0]) {
		str_release(&text);
		return;
	}
	add_container(help, owner.cgroup);
	str_clear(&text);
	str_add_escaped(&text, owner.cgroup, strlen(owner.cgroup), ESCAPE_PLAIN);
	help_add_key(help, "cgroup", text.data);
	str_release(&text);
}
