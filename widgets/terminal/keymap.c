#include "widgets/terminal/keymap.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "widgets/terminal/keymap_private.h"

#include <stdlib.h>
#include <string.h>

#define FILE_NAME_BYTES 256

struct keymap *keymap_new(const struct keymap_names *names)
{
	struct keymap *keymap = mem_zalloc(1, sizeof(*keymap));

	keymap->names = names;
	return keymap;
}

static void free_strings(char **strings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(strings[i]);
	free(strings);
}

void keymap_free(struct keymap *keymap)
{
	if (!keymap)
		return;
	free_strings(keymap->files, keymap->file_count);
	free_strings(keymap->problems, keymap->problem_count);
	free(keymap->bindings);
	free(keymap);
}

/* ---- problems ---- */

void keymap_complain(struct keymap *keymap, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	keymap->problems = mem_grow(keymap->problems, &keymap->problem_capacity,
				    keymap->problem_count + 1, sizeof(*keymap->problems));
	keymap->problems[keymap->problem_count++] = str_steal(&text);
}

const char *keymap_problem(const struct keymap *keymap, size_t index)
{
	return index < keymap->problem_count ? keymap->problems[index] : NULL;
}

/* ---- bindings ---- */

int keymap_begin_text(struct keymap *keymap, const char *file)
{
	char shown[FILE_NAME_BYTES];

	keymap->files = mem_grow(keymap->files, &keymap->file_capacity, keymap->file_count + 1,
				 sizeof(*keymap->files));
	keymap->files[keymap->file_count] = mem_strdup(escape_name(shown, sizeof(shown), file));
	return (int)keymap->file_count++;
}

/* Return the binding of exactly these keys, or NULL. */
static struct keymap_binding *keymap_bound(const struct keymap *keymap, int context,
					   const struct keystrokes *keys)
{
	for (size_t i = 0; i < keymap->count; i++) {
		struct keymap_binding *binding = &keymap->bindings[i];

		if (binding->context == context && keystrokes_equal(&binding->keys, keys))
			return binding;
	}
	return NULL;
}

void keymap_remove(struct keymap *keymap, struct keymap_binding *binding)
{
	size_t index = (size_t)(binding - keymap->bindings);

	keymap->count--;
	memmove(binding, binding + 1, (keymap->count - index) * sizeof(*binding));
}

bool keymap_append(struct keymap *keymap, const struct keymap_binding *binding)
{
	if (keymap->count >= KEYMAP_MAX_BINDINGS)
		return false;
	keymap->bindings = mem_grow(keymap->bindings, &keymap->capacity, keymap->count + 1,
				    sizeof(*keymap->bindings));
	keymap->bindings[keymap->count++] = *binding;
	return true;
}

void keymap_add(struct keymap *keymap, int context, const struct keystrokes *keys, int action)
{
	struct keymap_binding binding = {
		.keys = *keys,
		.context = context,
		.action = action,
		.text = keymap_begin_text(keymap, "stxtop"),
	};

	for (size_t i = keymap->count; i-- > 0;) {
		struct keymap_binding *old = &keymap->bindings[i];

		if (old->context == context &&
		    (keystrokes_equal(&old->keys, keys) || keystrokes_begins(&old->keys, keys) ||
		     keystrokes_begins(keys, &old->keys)))
			keymap_remove(keymap, old);
	}
	keymap_append(keymap, &binding);
}

/* ---- queries ---- */

int keymap_find(const struct keymap *keymap, int context, const struct keystrokes *keys)
{
	const struct keymap_binding *binding = keymap_bound(keymap, context, keys);

	return binding ? binding->action : KEYMAP_NONE;
}

bool keymap_follow(const struct keymap *keymap, int context, const struct keystrokes *part,
		   size_t index, struct keystrokes *keys, int *action)
{
	for (size_t i = 0; i < keymap->count; i++) {
		const struct keymap_binding *binding = &keymap->bindings[i];

		if (binding->context != context || !keystrokes_begins(part, &binding->keys) ||
		    index--)
			continue;
		*keys = binding->keys;
		*action = binding->action;
		return true;
	}
	return false;
}

bool keymap_origin(const struct keymap *keymap, int context, const struct keystrokes *keys,
		   struct str *out)
{
	const struct keymap_binding *binding = keymap_bound(keymap, context, keys);

	if (!binding)
		return false;
	str_add(out, keymap->files[binding->text]);
	if (binding->line)
		str_addf(out, ":%u", binding->line);
	return true;
}

bool keymap_keys(const struct keymap *keymap, int context, int action, size_t index,
		 struct keystrokes *keys)
{
	for (size_t i = 0; i < keymap->count; i++) {
		const struct keymap_binding *binding = &keymap->bindings[i];

		if (binding->context != context || binding->action != action || index--)
			continue;
		*keys = binding->keys;
		return true;
	}
	return false;
}

void keymap_list(const struct keymap *keymap, int context, int action, struct str *out)
{
	char name[KEYSTROKES_BYTES];
	struct keystrokes keys;

	for (size_t i = 0; keymap_keys(keymap, context, action, i, &keys); i++) {
		if (i)
			str_addc(out, ' ');
		str_add(out, keystrokes_format(name, &keys));
	}
}
