/* landlock: restrictions that a process puts on itself. */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/landlock.h>

static void show_ruleset(struct printer *p, uint64_t value, const void *data)
{
	/* Handled rights: for files; for ports since 6.7; for processes (scopes) since 6.12. */
	uint64_t handled[3] = { 0 }, size = p->call->args[1];
	uint64_t known = size < sizeof(handled) ? size / 8 * 8 : sizeof(handled);

	(void)data;
	if (!value || !known || !printer_read(p, value, handled, known)) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{handled_access_fs=");
	show_flags_long(p, handled[0], &landlock_fs_accesses);
	if (known > 8) {
		PUT(p, ", handled_access_net=");
		show_flags_long(p, handled[1], &landlock_net_accesses);
	}
	if (known > 16) {
		PUT(p, ", scoped=");
		show_flags_long(p, handled[2], &landlock_scopes);
	}
	print_struct_rest(p, value, known, size);
	PUT(p, "}");
}

#define RULE_NET_PORT 2 /* LANDLOCK_RULE_NET_PORT, missing in older headers */

struct port_rule {
	uint64_t allowed_access, port;
};
LAYOUT(port_rule_layout, struct port_rule,
       MEMBER_FLAGS(struct port_rule, allowed_access, landlock_net_accesses),
       MEMBER(struct port_rule, port, show_ulong));

static void show_rule(struct printer *p, uint64_t value, const void *data)
{
	struct landlock_path_beneath_attr rule;

	(void)data;
	if ((uint32_t)p->call->args[1] == RULE_NET_PORT) {
		show_struct(p, value, &port_rule_layout);
		return;
	}
	if ((uint32_t)p->call->args[1] != LANDLOCK_RULE_PATH_BENEATH ||
	    !printer_read(p, value, &rule, sizeof(rule))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{allowed_access=");
	show_flags_long(p, rule.allowed_access, &landlock_fs_accesses);
	PUT(p, ", parent_fd=");
	show_fd(p, (uint32_t)rule.parent_fd, NULL);
	PUT(p, "}");
}

static void landlock_result(struct printer *p)
{
	if (p->call->args[2] & 1)
		str_addd(p->out, p->call->ret);
	else
		result_fd(p);
}

static const struct call_form landlock_forms[] = {
	{ .name = "landlock_create_ruleset",
	  .classes = DESC,
	  .prototype = "const struct landlock_ruleset_attr *const attr, const size_t size, "
		       "const __u32 flags",
	  .args = { [0] = SHOW(show_ruleset), [2] = FLAGS(landlock_flags) },
	  .result = landlock_result },
	{ .name = "landlock_add_rule",
	  .classes = DESC,
	  .prototype = "const int ruleset_fd, const enum landlock_rule_type rule_type, "
		       "const void *const rule_attr, const __u32 flags",
	  .args = { [1] = ENUM(landlock_rule_types),
		    [2] = SHOW(show_rule),
		    [3] = SHOW(show_hex) } },
	{ .name = "landlock_restrict_self",
	  .classes = DESC,
	  .prototype = "const int ruleset_fd, const __u32 flags",
	  .args = { [1] = SHOW(show_hex) } },
};

CALL_FAMILY(landlock);
