/* Keys and keyrings. */
#include "engine/decode/shapes.h"

#include "engine/decode/constants/tables.h"

#include <linux/keyctl.h>

static void show_serial(struct printer *p, uint64_t value, const void *data)
{
	const char *name = constants_name(&key_serials, (uint32_t)value);

	(void)data;
	if (name)
		str_add(p->out, name);
	else
		str_addd(p->out, (int32_t)value);
}

static void show_payload(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, p->call->args[p->arg + 1]);
}

enum key_arg {
	KEY_NONE,
	KEY_SERIAL,
	KEY_STRING,
	KEY_INT,
	KEY_UNSIGNED,
	KEY_ID,
	KEY_POINTER,
	KEY_PERMISSIONS,
	KEY_PAYLOAD,
	KEY_SIZE,
	KEY_DEFAULT,
	KEY_RESULT,
	KEY_ERROR,
	KEY_VECTOR,
	KEY_TEXT_RESULT,
	KEY_DH,
	KEY_ADDRESS,
};

LAYOUT(key_agreement_layout, struct keyctl_dh_params,
	MEMBER_AS("private", struct keyctl_dh_params, priv, show_serial),
	MEMBER(struct keyctl_dh_params, prime, show_serial),
	MEMBER(struct keyctl_dh_params, base, show_serial));

/* What the numbers behind an operation are. */
static const uint8_t operations[][4] = {
	[KEYCTL_GET_KEYRING_ID] = { KEY_SERIAL, KEY_INT },
	[KEYCTL_JOIN_SESSION_KEYRING] = { KEY_STRING },
	[KEYCTL_UPDATE] = { KEY_SERIAL, KEY_PAYLOAD, KEY_SIZE },
	[KEYCTL_REVOKE] = { KEY_SERIAL },
	[KEYCTL_CHOWN] = { KEY_SERIAL, KEY_ID, KEY_ID },
	[KEYCTL_SETPERM] = { KEY_SERIAL, KEY_PERMISSIONS },
	[KEYCTL_DESCRIBE] = { KEY_SERIAL, KEY_TEXT_RESULT, KEY_SIZE },
	[KEYCTL_CLEAR] = { KEY_SERIAL },
	[KEYCTL_LINK] = { KEY_SERIAL, KEY_SERIAL },
	[KEYCTL_UNLINK] = { KEY_SERIAL, KEY_SERIAL },
	[KEYCTL_SEARCH] = { KEY_SERIAL, KEY_STRING, KEY_STRING, KEY_SERIAL },
	[KEYCTL_READ] = { KEY_SERIAL, KEY_RESULT, KEY_SIZE },
	[KEYCTL_INSTANTIATE] = { KEY_SERIAL, KEY_PAYLOAD, KEY_SIZE, KEY_SERIAL },
	[KEYCTL_NEGATE] = { KEY_SERIAL, KEY_UNSIGNED, KEY_SERIAL },
	[KEYCTL_SET_REQKEY_KEYRING] = { KEY_DEFAULT },
	[KEYCTL_SET_TIMEOUT] = { KEY_SERIAL, KEY_UNSIGNED },
	[KEYCTL_ASSUME_AUTHORITY] = { KEY_SERIAL },
	[KEYCTL_GET_SECURITY] = { KEY_SERIAL, KEY_TEXT_RESULT, KEY_SIZE },
	[KEYCTL_SESSION_TO_PARENT] = { KEY_NONE },
	[KEYCTL_DH_COMPUTE] = { KEY_DH, KEY_RESULT, KEY_SIZE, KEY_ADDRESS },
	[KEYCTL_REJECT] = { KEY_SERIAL, KEY_UNSIGNED, KEY_ERROR, KEY_SERIAL },
	[KEYCTL_INSTANTIATE_IOV] = { KEY_SERIAL, KEY_VECTOR, KEY_SIZE, KEY_SERIAL },
	[KEYCTL_INVALIDATE] = { KEY_SERIAL },
	[KEYCTL_GET_PERSISTENT] = { KEY_ID, KEY_SERIAL },
};

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

static unsigned keyctl_count(const struct call *call)
{
	uint32_t operation = (uint32_t)call->args[0];
	unsigned count = 1;

	if (operation >= OPERATIONS)
		return 5;
	while (count < 5 && operations[operation][count - 1])
		count++;
	return count;
}

static void show_filled(struct printer *p, uint64_t value, bool text)
{
	uint64_t room = p->call->args[3], used = (uint64_t)p->call->ret;

	if (!printer_succeeded(p)) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = BYTES_AT_EXIT;
	if (text && used && used <= room)
		show_string(p, value, NULL);
	else
		print_buffer(p, value, used < room ? used : room);
}

static void show_keyctl_arg(struct printer *p, uint64_t value, const void *data)
{
	uint32_t operation = (uint32_t)p->call->args[0];
	unsigned what = operation < OPERATIONS ? operations[operation][p->arg - 1] : KEY_POINTER;

	(void)data;
	switch ((enum key_arg)what) {
	case KEY_SERIAL:
		show_serial(p, value, NULL);
		break;
	case KEY_STRING:
		show_string(p, value, NULL);
		break;
	case KEY_INT:
		show_int(p, value, NULL);
		break;
	case KEY_UNSIGNED:
		show_unsigned(p, value, NULL);
		break;
	case KEY_ID:
		show_id(p, value, NULL);
		break;
	case KEY_PERMISSIONS:
		show_flags(p, value, &key_permissions);
		break;
	case KEY_PAYLOAD:
		show_payload(p, value, NULL);
		break;
	case KEY_SIZE:
		str_addu(p->out, value);
		break;
	case KEY_DEFAULT:
		show_enum(p, value, &key_defaults);
		break;
	case KEY_RESULT:
		show_filled(p, value, false);
		break;
	case KEY_TEXT_RESULT:
		show_filled(p, value, true);
		break;
	case KEY_ERROR:
		if (errno_name((int)value))
			str_add(p->out, errno_name((int)value));
		else
			show_unsigned(p, value, NULL);
		break;
	case KEY_VECTOR:
		print_vector(p, value, p->call->args[3], VECTOR_TEXT, UINT64_MAX);
		break;
	case KEY_DH:
		show_struct(p, value, &key_agreement_layout);
		break;
	case KEY_ADDRESS:
		show_pointer(p, value, NULL);
		break;
	case KEY_NONE:
	case KEY_POINTER:
		show_address(p, value, NULL);
		break;
	}
}

static const struct call_form key_forms[] = {
	{ .name = "add_key",
	  .prototype = "const char * _type, const char * _description, const void * _payload, "
		       "size_t plen, key_serial_t ringid",
	  .args = { [0] = SHOW(show_string), [2] = SHOW(show_payload),
		    [4] = SHOW(show_serial) } },
	{ .name = "request_key",
	  .prototype = "const char * _type, const char * _description, "
		       "const char * _callout_info, key_serial_t destringid",
	  .args = { [0] = SHOW(show_string), [1] = SHOW(show_string), [2] = SHOW(show_string),
		    [3] = SHOW(show_serial) } },
	{ .name = "keyctl",
	  .prototype = "int option, unsigned long arg2, unsigned long arg3, "
		       "unsigned long arg4, unsigned long arg5",
	  .args = { [0] = ENUM(keyctl_operations), [1] = SHOW(show_keyctl_arg),
		    [2] = SHOW(show_keyctl_arg), [3] = SHOW(show_keyctl_arg),
		    [4] = SHOW(show_keyctl_arg) },
	  .count = keyctl_count },
};

CALL_FAMILY(key);
