/* capget(2) and capset(2). */
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

struct capability_header {
	uint32_t version;
	int32_t pid;
};

static void show_capability_header(struct printer *p, uint64_t value, const void *data)
{
	struct capability_header header;

	(void)data;
	if (!printer_read(p, value, &header, sizeof(header))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{version=");
	print_enum(p, header.version, &capability_versions);
	PUT(p, ", pid=");
	str_addd(p->out, header.pid);
	PUT(p, "}");
}

/* Print "1<<CAP_CHOWN|1<<CAP_KILL", or "0"; bits without a name follow as a number. */
static void print_capability_set(struct printer *p, uint64_t bits)
{
	bool any = false;

	for (unsigned i = 0; i < 64 && bits; i++) {
		const char *name = constants_name(&capabilities, i);

		if (!(bits >> i & 1) || !name)
			continue;
		str_add(p->out, any ? "|1<<" : "1<<");
		str_add(p->out, name);
		any = true;
		bits &= ~((uint64_t)1 << i);
	}
	if (bits || !any) {
		if (any)
			PUT(p, "|");
		str_addx(p->out, bits);
	}
}

static void show_capability_data(struct printer *p, uint64_t value, const void *data)
{
	struct capability_header header;
	uint32_t sets[6] = { 0 };
	size_t bytes = sizeof(sets);
	static const char *const names[] = { "{effective=", ", permitted=", ", inheritable=" };

	(void)data;
	/* The first version and unknown versions have sets of 32 bits. */
	if (printer_read_enter(p, p->call->args[0], &header, sizeof(header)) &&
	    header.version != 0x20071026 && header.version != 0x20080522)
		bytes /= 2;
	if (!printer_read(p, value, sets, bytes)) {
		show_pointer(p, value, NULL);
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		str_add(p->out, names[i]);
		print_capability_set(p, sets[i] | (uint64_t)sets[i + 3] << 32);
	}
	PUT(p, "}");
}

static const struct call_form capability_forms[] = {
	{ .name = "capget",
	  .classes = CREDS,
	  .prototype = "cap_user_header_t header, cap_user_data_t dataptr",
	  .args = { [0] = SHOW(show_capability_header), [1] = SHOW_OUT(show_capability_data) } },
	{ .name = "capset",
	  .classes = CREDS,
	  .prototype = "cap_user_header_t header, const cap_user_data_t data",
	  .args = { [0] = SHOW(show_capability_header), [1] = SHOW(show_capability_data) } },
};

CALL_FAMILY(capability);
