/* Keys and keyrings. */
#include "engine/decode/shapes.h"

#include "engine/decode/syscalls.h"
#include "engine/decode/tables.h"

#include <linux/keyctl.h>
#include <stddef.h>

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
	KEY_DERIVATION,
	KEY_HEX,
	KEY_MOVE,
	KEY_CAPABILITIES,
	KEY_QUERY,
	KEY_PARAMS,
	KEY_PARAMS_IN,
	KEY_PARAMS_OUT,
};

LAYOUT(key_agreement_layout, struct keyctl_dh_params,
       MEMBER_AS("private", struct keyctl_dh_params, priv, show_serial),
       MEMBER(struct keyctl_dh_params, prime, show_serial),
       MEMBER(struct keyctl_dh_params, base, show_serial));

/* Show the properties of the cipher of a key (KEYCTL_PKEY_QUERY). */
static void show_query(struct printer *p, uint64_t value, const void *data)
{
	struct keyctl_pkey_query query;

	(void)data;
	p->when = BYTES_AT_EXIT;
	if (!printer_succeeded(p) || !printer_read(p, value, &query, sizeof(query))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{supported_ops=");
	show_flags(p, query.supported_ops, &key_ciphers);
	str_addf(p->out,
		 ", key_size=%u, max_data_size=%u, max_sig_size=%u, max_enc_size=%u, "
		 "max_dec_size=%u",
		 query.key_size, query.max_data_size, query.max_sig_size, query.max_enc_size,
		 query.max_dec_size);
	print_spare(p, "__spare", query.__spare, sizeof(query.__spare), 4);
	PUT(p, "}");
}

/*
 * True if the call verifies a signature. The second length is then that of an input; in other calls
 * it is that of the output buffer.
 */
static bool is_check(const struct printer *p)
{
	return (uint32_t)p->call->args[0] == KEYCTL_PKEY_VERIFY;
}

static void show_cipher_params(struct printer *p, uint64_t value, const void *data)
{
	struct keyctl_pkey_params params;

	(void)data;
	if (!printer_read(p, value, &params, sizeof(params))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{key_id=");
	show_serial(p, (uint32_t)params.key_id, NULL);
	str_addf(p->out, ", in_len=%u, %s=%u", params.in_len, is_check(p) ? "in2_len" : "out_len",
		 params.out_len);
	print_spare(p, "__spare", params.__spare, sizeof(params.__spare), 4);
	PUT(p, "}");
}

/* Show a buffer whose length is at offset `at` of the parameters. */
static void show_cipher_buffer(struct printer *p, uint64_t value, size_t at, bool out)
{
	uint32_t len;

	if (!printer_read_enter(p, p->call->args[1] + at, &len, sizeof(len)) ||
	    (out && !printer_succeeded(p))) {
		show_pointer(p, value, NULL);
		return;
	}
	if (out)
		p->when = BYTES_AT_EXIT;
	print_buffer(p, value, len);
}

static void show_derivation(struct printer *p, uint64_t value, const void *data)
{
	struct keyctl_kdf_params params;

	(void)data;
	if (!printer_read(p, value, &params, sizeof(params))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{hashname=");
	show_string(p, (uintptr_t)params.hashname, NULL);
	PUT(p, ", otherinfo=");
	if (params.otherinfolen)
		print_buffer(p, (uintptr_t)params.otherinfo, params.otherinfolen);
	else
		show_pointer(p, (uintptr_t)params.otherinfo, NULL);
	str_addf(p->out, ", otherinfolen=%u", params.otherinfolen);
	print_spare(p, "__spare", params.__spare, sizeof(params.__spare), 4);
	PUT(p, "}");
}

/* Show bytes of flags; the flags of each byte have their own names. */
static void show_capabilities(struct printer *p, uint64_t value, const void *data)
{
	static const struct constants *const tables[] = { &key_capabilities_0,
							  &key_capabilities_1 };
	uint64_t room = p->call->args[2], used = (uint64_t)p->call->ret;
	uint8_t bytes[ARRAY_ITEMS];
	size_t len;
	bool cut;

	(void)data;
	p->when = BYTES_AT_EXIT;
	if (!value || !printer_succeeded(p)) {
		show_pointer(p, value, NULL);
		return;
	}
	if (used < room)
		room = used;
	len = printer_read_some(p, value, bytes, room < sizeof(bytes) ? room : sizeof(bytes), false,
				&cut);
	if (room && !len) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "[");
	for (size_t i = 0; i < len; i++) {
		if (i)
			PUT(p, ", ");
		if (i < sizeof(tables) / sizeof(tables[0]))
			show_flags(p, bytes[i], tables[i]);
		else
			str_addx(p->out, bytes[i]);
	}
	str_add(p->out, len < room ? ", ...]" : "]");
}

static void show_default(struct printer *p, uint64_t value, const void *data)
{
	if (constants_name(&key_defaults, (uint32_t)value)) {
		show_enum(p, value, &key_defaults);
	} else {
		show_int(p, value, data);
		print_comment(p, key_defaults.unknown);
	}
}

/* Types of the arguments after the operation. */
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
	[KEYCTL_DH_COMPUTE] = { KEY_DH, KEY_RESULT, KEY_SIZE, KEY_DERIVATION },
	[KEYCTL_REJECT] = { KEY_SERIAL, KEY_UNSIGNED, KEY_ERROR, KEY_SERIAL },
	[KEYCTL_INSTANTIATE_IOV] = { KEY_SERIAL, KEY_VECTOR, KEY_SIZE, KEY_SERIAL },
	[KEYCTL_INVALIDATE] = { KEY_SERIAL },
	[KEYCTL_GET_PERSISTENT] = { KEY_ID, KEY_SERIAL },
	[KEYCTL_PKEY_QUERY] = { KEY_SERIAL, KEY_HEX, KEY_STRING, KEY_QUERY },
	[KEYCTL_PKEY_ENCRYPT] = { KEY_PARAMS, KEY_STRING, KEY_PARAMS_IN, KEY_PARAMS_OUT },
	[KEYCTL_PKEY_DECRYPT] = { KEY_PARAMS, KEY_STRING, KEY_PARAMS_IN, KEY_PARAMS_OUT },
	[KEYCTL_PKEY_SIGN] = { KEY_PARAMS, KEY_STRING, KEY_PARAMS_IN, KEY_PARAMS_OUT },
	[KEYCTL_PKEY_VERIFY] = { KEY_PARAMS, KEY_STRING, KEY_PARAMS_IN, KEY_PARAMS_OUT },
	[KEYCTL_RESTRICT_KEYRING] = { KEY_SERIAL, KEY_STRING, KEY_STRING },
	[KEYCTL_MOVE] = { KEY_SERIAL, KEY_SERIAL, KEY_SERIAL, KEY_MOVE },
	[KEYCTL_CAPABILITIES] = { KEY_CAPABILITIES, KEY_SIZE },
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
		show_default(p, value, NULL);
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
	case KEY_DERIVATION:
		show_derivation(p, value, NULL);
		break;
	case KEY_MOVE:
		show_flags(p, value, &key_move_flags);
		break;
	case KEY_CAPABILITIES:
		show_capabilities(p, value, NULL);
		break;
	case KEY_QUERY:
		show_query(p, value, NULL);
		break;
	case KEY_PARAMS:
		show_cipher_params(p, value, NULL);
		break;
	case KEY_PARAMS_IN:
		show_cipher_buffer(p, value, offsetof(struct keyctl_pkey_params, in_len), false);
		break;
	case KEY_PARAMS_OUT:
		show_cipher_buffer(p, value, offsetof(struct keyctl_pkey_params, out_len),
				   !is_check(p));
		break;
	case KEY_HEX:
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
	  .args = { [0] = SHOW(show_string), [2] = SHOW(show_payload), [4] = SHOW(show_serial) } },
	{ .name = "request_key",
	  .prototype = "const char * _type, const char * _description, "
		       "const char * _callout_info, key_serial_t destringid",
	  .args = { [0] = SHOW(show_string),
		    [1] = SHOW(show_string),
		    [2] = SHOW(show_string),
		    [3] = SHOW(show_serial) } },
	{ .name = "keyctl",
	  .prototype = "int option, unsigned long arg2, unsigned long arg3, "
		       "unsigned long arg4, unsigned long arg5",
	  .args = { [0] = ENUM(keyctl_operations),
		    [1] = SHOW(show_keyctl_arg),
		    [2] = SHOW(show_keyctl_arg),
		    [3] = SHOW(show_keyctl_arg),
		    [4] = SHOW(show_keyctl_arg) },
	  .count = keyctl_count },
};

CALL_FAMILY(key);
