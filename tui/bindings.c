#include "tui/bindings.h"

#include "engine/base/mem.h"
#include "keymaps_data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A keymap is a page of text; a larger file is something else. */
#define KEYMAP_FILE_MAX_BYTES (256 * 1024)

struct bindings {
	struct keymap *keymap;
};

struct embedded {
	const char *name;
	const char *text;
	const size_t *len;
};

static const struct embedded embedded[] = {
	{ "default", keymap_default_text, &keymap_default_text_len },
	{ "vi", keymap_vi_text, &keymap_vi_text_len },
	{ "emacs", keymap_emacs_text, &keymap_emacs_text_len },
};

#define EMBEDDED_COUNT (sizeof(embedded) / sizeof(embedded[0]))

static int read_all(int fd, struct str *text)
{
	for (;;) {
		ssize_t got;

		str_reserve(text, 4096);
		got = read(fd, text->data + text->len, 4096);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			return 0;
		text->len += (size_t)got;
		text->data[text->len] = '\0';
		if (text->len > KEYMAP_FILE_MAX_BYTES)
			return -EFBIG;
	}
}

static int parse_file(struct keymap *keymap, const char *path, struct err *err)
{
	struct str text = STR_INIT;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int rc;

	if (fd < 0)
		return err_set(err, -errno, "the keymap %s cannot be read: %s; the built-in ones "
			       "are default, vi and emacs", path, strerror(errno));
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
		rc = -EISDIR;
	else
		rc = read_all(fd, &text);
	if (rc)
		err_set(err, rc, "the keymap %s cannot be read: %s", path, strerror(-rc));
	else
		rc = keymap_parse(keymap, path, text.data, text.len, err);
	close(fd);
	str_release(&text);
	return rc;
}

static int parse_named(struct keymap *keymap, const char *name, struct err *err)
{
	for (size_t i = 0; i < EMBEDDED_COUNT; i++) {
		struct str file = STR_INIT;
		int rc;

		if (strcmp(name, embedded[i].name))
			continue;
		str_addf(&file, "%s.keys", name);
		rc = keymap_parse(keymap, file.data, embedded[i].text, *embedded[i].len, err);
		str_release(&file);
		return rc;
	}
	return parse_file(keymap, name, err);
}

int bindings_new(struct bindings **out, const char *name, struct err *err)
{
	struct bindings *bindings = mem_zalloc(1, sizeof(*bindings));
	int rc;

	bindings->keymap = keymap_new(&action_keymap_names);
	rc = parse_named(bindings->keymap, "default", err);
	if (!rc && name && strcmp(name, "default"))
		rc = parse_named(bindings->keymap, name, err);
	if (rc) {
		bindings_free(bindings);
		return rc;
	}
	*out = bindings;
	return 0;
}

void bindings_free(struct bindings *bindings)
{
	if (!bindings)
		return;
	keymap_free(bindings->keymap);
	free(bindings);
}

int bindings_action(const struct bindings *bindings, enum action_context context,
		    struct key key)
{
	return keymap_find(bindings->keymap, context, key);
}

void bindings_list(const struct bindings *bindings, enum action_context context,
		   enum action action, struct str *out)
{
	keymap_list(bindings->keymap, context, action, out);
}

bool bindings_first_key(const struct bindings *bindings, enum action_context context,
			enum action action, struct key *key)
{
	return keymap_key(bindings->keymap, context, action, 0, key);
}

bool bindings_function_key(const struct bindings *bindings, enum action action,
			   struct key *key)
{
	for (size_t i = 0; keymap_key(bindings->keymap, CONTEXT_GLOBAL, action, i, key); i++)
		if (key->code >= KEYS_F1 && key->code <= KEYS_F24 && !key->mods)
			return true;
	return bindings_first_key(bindings, CONTEXT_GLOBAL, action, key);
}
