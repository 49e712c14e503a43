#include "engine/decode/btf.h"

#include "engine/base/mem.h"
#include "engine/decode/btf_values.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 4 /* maximum nesting depth of structs */
#define MEMBERS 64 /* maximum number of shown members of one struct */
#define MEMBERS_ALL 2048 /* maximum number of members of all structs */
#define ENUM_VALUES 256
#define NAMES 64

/* Layouts are allocated in blocks, which are freed together. */
struct block {
	struct block *next;
	uint64_t bytes[];
};

struct btf_layouts {
	struct block *blocks;
	const struct layout *structs[NAMES];
	size_t members;
};

/* Structs in kernel prototypes, and the structs that programs pass instead. */
static const struct {
	const char *name, *passed;
} passed_as[] = {
	{ "msghdr", "user_msghdr" },           { "timespec", "__kernel_timespec" },
	{ "timespec64", "__kernel_timespec" }, { "itimerspec", "__kernel_itimerspec" },
	{ "timex", "__kernel_timex" },         { "timeval", "__kernel_old_timeval" },
};

static void *keep(struct btf_layouts *layouts, size_t count, size_t size)
{
	struct block *block = mem_zalloc(1, sizeof(*block) + count * size);

	block->next = layouts->blocks;
	layouts->blocks = block;
	return block->bytes;
}

static const char *store_name(struct btf_layouts *layouts, const struct btf *btf, uint32_t offset)
{
	const char *name = btf__name_by_offset(btf, offset);
	size_t len = name ? strnlen(name, BTF_NAME_BYTES - 1) : 0;
	char *kept = keep(layouts, len + 1, 1);

	/* Kernel names are C identifiers; replace any other byte. */
	for (size_t i = 0; i < len; i++)
		kept[i] = name[i] > ' ' && name[i] < 127 ? name[i] : '?';
	return kept;
}

/* Resolve typedefs and qualifiers; NULL: the type is undefined. */
static const struct btf_type *plain(const struct btf *btf, uint32_t id)
{
	int resolved = btf__resolve_type(btf, id);

	return resolved < 0 ? NULL : btf__type_by_id(btf, (uint32_t)resolved);
}

static bool ends_with(const char *text, const char *end)
{
	size_t text_len = strlen(text), end_len = strlen(end);

	return text_len >= end_len && !strcmp(text + text_len - end_len, end);
}

static const struct constants *enum_names(struct btf_layouts *layouts, const struct btf *btf,
					  const struct btf_type *type)
{
	struct constants *table = keep(layouts, 1, sizeof(*table));
	size_t count = btf_vlen(type) < ENUM_VALUES ? btf_vlen(type) : ENUM_VALUES, kept = 0;
	struct constant *list = keep(layouts, count, sizeof(*list));

	/* Sort ascending for binary search; the first name of a value wins. */
	for (size_t i = 0; i < count; i++) {
		const struct btf_enum *value = &btf_enum(type)[i];
		uint64_t number = type->size == 4 ? (uint32_t)value->val
						  : (uint64_t)(int64_t)value->val;
		size_t at = kept;

		while (at && list[at - 1].value > number)
			at--;
		if (at && list[at - 1].value == number)
			continue;
		memmove(&list[at + 1], &list[at], (kept - at) * sizeof(*list));
		list[at] = (struct constant){ store_name(layouts, btf, value->name_off), number };
		kept++;
	}
	table->list = list;
	table->count = kept;
	return table;
}

static show_fn *show_of_int(const struct btf_type *type, const char *name)
{
	bool is_signed = btf_int_encoding(type) & BTF_INT_SIGNED;

	if (!is_signed)
		return ends_with(name, "flags") || ends_with(name, "mask") ? show_hex_long
									   : show_ulong;
	switch (type->size) {
	case 1:
		return show_signed_byte;
	case 2:
		return show_short;
	case 4:
		return show_int;
	default:
		return show_long;
	}
}

static const struct layout *layout_of(struct btf_layouts *layouts, const struct btf *btf,
				      const struct btf_type *type, unsigned depth);
static bool set_field(struct btf_layouts *layouts, const struct btf *btf, struct field *field,
		      uint32_t type_id, unsigned depth);

static bool set_array(struct btf_layouts *layouts, const struct btf *btf, struct field *field,
		      const struct btf_type *type, unsigned depth)
{
	const struct btf_array *of = btf_array(type);
	const struct btf_type *element = plain(btf, of->type);
	struct inner_array *array;
	int64_t bytes = btf__resolve_size(btf, of->type);

	/* A flexible array member (no elements) has its data after the struct: not shown. */
	if (!element || bytes <= 0 || !of->nelems ||
	    (uint64_t)bytes * of->nelems > BTF_STRUCT_BYTES)
		return false;
	array = keep(layouts, 1, sizeof(*array));
	array->count = of->nelems;
	array->bytes = (uint32_t)bytes;
	array->element.name = field->name;
	field->bytes = (uint16_t)(array->bytes * array->count);
	field->data = array;
	field->print = element_array;
	if (btf_is_int(element) && bytes == 1 &&
	    !strcmp(btf__name_by_offset(btf, element->name_off), "char")) {
		field->print = element_text;
		return true;
	}
	return set_field(layouts, btf, &array->element, of->type, depth);
}

/* Set how a member of this type is shown; false: the member cannot be shown. */
static bool set_field(struct btf_layouts *layouts, const struct btf *btf, struct field *field,
		      uint32_t type_id, unsigned depth)
{
	const struct btf_type *type = plain(btf, type_id);

	if (!type)
		return false;
	switch (btf_kind(type)) {
	case BTF_KIND_INT:
		if (type->size > 8)
			return false;
		field->bytes = (uint16_t)type->size;
		field->show = show_of_int(type, field->name);
		return true;
	case BTF_KIND_PTR:
		field->bytes = 8;
		field->show = show_pointer;
		return true;
	case BTF_KIND_ENUM:
		field->bytes = (uint16_t)type->size;
		field->show = show_enum_long;
		field->data = enum_names(layouts, btf, type);
		return type->size <= 8;
	case BTF_KIND_ENUM64:
		field->bytes = (uint16_t)type->size;
		field->show = show_hex_long;
		return type->size <= 8;
	case BTF_KIND_ARRAY:
		return depth < DEPTH && set_array(layouts, btf, field, type, depth + 1);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (depth >= DEPTH || !type->size || type->size > BTF_STRUCT_BYTES)
			return false;
		field->bytes = (uint16_t)type->size;
		field->print = element_struct;
		field->data = layout_of(layouts, btf, type, depth + 1);
		return field->data != NULL;
	default:
		return false;
	}
}

static bool set_bits(struct btf_layouts *layouts, const struct btf *btf, struct field *field,
		     const struct btf_member *member, uint32_t from, uint32_t bits)
{
	const struct btf_type *type = plain(btf, member->type);
	struct bit_field *data;

	if (!type || (!btf_is_int(type) && !btf_is_enum(type)) || bits > 56)
		return false;
	data = keep(layouts, 1, sizeof(*data));
	data->from = from % 8;
	data->bits = (uint8_t)bits;
	data->bytes = (uint8_t)((data->from + bits + 7) / 8);
	data->is_signed = btf_is_int(type) && (btf_int_encoding(type) & BTF_INT_SIGNED);
	field->offset = (uint16_t)(from / 8);
	field->bytes = data->bytes;
	field->print = element_bits;
	field->data = data;
	return true;
}

/* True for padding. */
static bool is_filler(const char *name)
{
	static const char *const fillers[] = { "pad",      "__pad",      "_pad",
					       "reserved", "__reserved", "__spare",
					       "spare",    "unused",     "__unused" };

	for (size_t i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++)
		if (!strncmp(name, fillers[i], strlen(fillers[i])))
			return true;
	return false;
}

struct members {
	struct field list[MEMBERS];
	uint32_t count;
	bool more; /* there are members that are not shown */
};

/* Add the members of a struct, including those of its anonymous structs. */
static void add_members(struct btf_layouts *layouts, const struct btf *btf, struct members *members,
			const struct btf_type *type, uint32_t base, unsigned depth)
{
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *member = &btf_members(type)[i];
		uint32_t at = base + btf_member_bit_offset(type, i);
		uint32_t bits = btf_member_bitfield_size(type, i);
		const char *name = btf__name_by_offset(btf, member->name_off);
		const struct btf_type *inner;
		struct field field = { .offset = (uint16_t)(at / 8) };

		if (at / 8 >= BTF_STRUCT_BYTES || members->count == MEMBERS ||
		    layouts->members == MEMBERS_ALL) {
			members->more = true;
			return;
		}
		if (!name || !*name) {
			inner = plain(btf, member->type);
			if (inner && btf_is_composite(inner) && depth < DEPTH)
				add_members(layouts, btf, members, inner, at, depth + 1);
			continue;
		}
		if (is_filler(name))
			continue;
		field.name = store_name(layouts, btf, member->name_off);
		if (bits ? set_bits(layouts, btf, &field, member, at, bits)
			 : set_field(layouts, btf, &field, member->type, depth)) {
			if (field.offset + field.bytes > BTF_STRUCT_BYTES) {
				members->more = true;
				return;
			}
			layouts->members++;
			members->list[members->count++] = field;
		} else {
			members->more = true;
		}
	}
}

static const struct layout *layout_of(struct btf_layouts *layouts, const struct btf *btf,
				      const struct btf_type *type, unsigned depth)
{
	struct members *members = mem_zalloc(1, sizeof(*members));
	struct layout *layout = NULL;

	add_members(layouts, btf, members, type, 0, depth);
	if (members->count) {
		struct field *fields = keep(layouts, members->count, sizeof(*fields));

		memcpy(fields, members->list, members->count * sizeof(*fields));
		layout = keep(layouts, 1, sizeof(*layout));
		layout->bytes = type->size < BTF_STRUCT_BYTES ? type->size : BTF_STRUCT_BYTES;
		layout->count = members->count;
		layout->fields = fields;
		layout->more = members->more;
	}
	free(members);
	return layout;
}

static const struct layout *find(struct btf_layouts *layouts, const struct btf *btf,
				 const char *name)
{
	int id;

	for (size_t i = 0; i < sizeof(passed_as) / sizeof(passed_as[0]); i++)
		if (!strcmp(passed_as[i].name, name))
			name = passed_as[i].passed;
	id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	return id < 0 ? NULL : layout_of(layouts, btf, btf__type_by_id(btf, (uint32_t)id), 0);
}

struct btf_layouts *btf_layouts_read(const char *path, const char (*names)[BTF_NAME_BYTES],
				     size_t count)
{
	struct btf *btf = path ? btf__parse_raw(path) : btf__load_vmlinux_btf();
	struct btf_layouts *layouts;

	if (!btf)
		return NULL;
	layouts = mem_zalloc(1, sizeof(*layouts));
	for (size_t i = 0; i < count && i < NAMES; i++)
		layouts->structs[i] = find(layouts, btf, names[i]);
	btf__free(btf);
	return layouts;
}

void btf_layouts_free(struct btf_layouts *layouts)
{
	if (!layouts)
		return;
	while (layouts->blocks) {
		struct block *next = layouts->blocks->next;

		free(layouts->blocks);
		layouts->blocks = next;
	}
	free(layouts);
}

const struct layout *btf_layout_at(const struct btf_layouts *layouts, size_t index)
{
	return index < NAMES ? layouts->structs[index] : NULL;
}
