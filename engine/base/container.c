#include "engine/base/container.h"

#include "engine/base/escape.h"

#include <string.h>

#define ID_DIGITS 64
#define POD_UID_MIN 32 /* hex digits; uids of static pods have no dashes, other uids have four */

struct part {
	const char *text;
	size_t len;
};

/* Prefixes of cgroup names, followed by the container id. */
static const struct id_prefix {
	const char *prefix, *runtime;
} id_prefixes[] = {
	{ "docker-", "docker" },   { "libpod-", "podman" },
	{ "crio-", "cri-o" },      { "cri-containerd-", "containerd" },
	{ "nerdctl-", "nerdctl" }, { "cri-dockerd-", "docker" },
};

/* Parent cgroups whose children are containers named by their id alone. */
static const struct id_prefix id_parents[] = {
	{ "docker", "docker" },
	{ "libpod_parent", "podman" },
	{ "actions_job", "docker" },
};

/* Parent cgroups whose children are containers with a name instead of an id. */
static const struct id_prefix name_parents[] = {
	{ "lxc", "lxc" },
	{ "lxc.payload", "lxc" },
};

static const struct id_prefix name_prefixes[] = {
	{ "lxc.payload.", "lxc" },
	{ "systemd-nspawn@", "nspawn" },
	{ "machine-", "machine" },
};

static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool part_is(const struct part *part, const char *text)
{
	return part->len == strlen(text) && !memcmp(part->text, text, part->len);
}

static bool cut_prefix(struct part *part, const char *prefix)
{
	size_t len = strlen(prefix);

	if (part->len <= len || memcmp(part->text, prefix, len))
		return false;
	part->text += len;
	part->len -= len;
	return true;
}

static bool cut_suffix(struct part *part, const char *suffix)
{
	size_t len = strlen(suffix);

	if (part->len <= len || memcmp(part->text + part->len - len, suffix, len))
		return false;
	part->len -= len;
	return true;
}

static bool is_id(const struct part *part)
{
	for (size_t i = 0; i < part->len; i++)
		if (!is_digit(part->text[i]))
			return false;
	return part->len == ID_DIGITS;
}

static void take(struct container *container, enum container_kind kind, const char *runtime,
		 const struct part *part)
{
	container->kind = kind;
	container->runtime = runtime;
	container->id = part->text;
	container->id_len = part->len;
}

/* Match "docker-ID.scope", "crio-ID", "…slice:cri-containerd:ID", or "ID" in a known parent. */
static bool take_id(struct container *container, struct part part, const struct part *parent)
{
	const char *runtime = "container";
	struct part head = part;
	const char *colon;

	cut_suffix(&part, ".scope");
	/*
	 * runc accepts cgroup paths in the systemd form slice:prefix:name. The cgroupfs driver uses
	 * the whole text as the name of the cgroup.
	 */
	colon = part.len > ID_DIGITS ? part.text + part.len - ID_DIGITS - 1 : NULL;
	if (colon && *colon == ':') {
		part.len = ID_DIGITS;
		part.text = colon + 1;
		if (!is_id(&part))
			return false;
		head.len = (size_t)(colon - head.text);
		if (cut_suffix(&head, ":cri-containerd"))
			runtime = "containerd";
		take(container, CONTAINER_BY_ID, runtime, &part);
		return true;
	}
	for (size_t i = 0; i < sizeof(id_prefixes) / sizeof(id_prefixes[0]); i++)
		if (cut_prefix(&part, id_prefixes[i].prefix)) {
			runtime = id_prefixes[i].runtime;
			break;
		}
	/* Rejects "libpod-conmon-ID": conmon monitors a container from outside. */
	if (!is_id(&part))
		return false;
	for (size_t i = 0; i < sizeof(id_parents) / sizeof(id_parents[0]); i++)
		if (part_is(parent, id_parents[i].prefix))
			runtime = id_parents[i].runtime;
	take(container, CONTAINER_BY_ID, runtime, &part);
	return true;
}

static bool take_name(struct container *container, struct part part, const struct part *parent)
{
	for (size_t i = 0; i < sizeof(name_parents) / sizeof(name_parents[0]); i++)
		if (part_is(parent, name_parents[i].prefix)) {
			take(container, CONTAINER_BY_NAME, name_parents[i].runtime, &part);
			return true;
		}
	for (size_t i = 0; i < sizeof(name_prefixes) / sizeof(name_prefixes[0]); i++) {
		if (!cut_prefix(&part, name_prefixes[i].prefix))
			continue;
		/* "machine-NAME.scope" is a machine; a slice of that name only holds machines. */
		if (strcmp(name_prefixes[i].runtime, "lxc") && !cut_suffix(&part, ".scope") &&
		    !cut_suffix(&part, ".service"))
			return false;
		take(container, CONTAINER_BY_NAME, name_prefixes[i].runtime, &part);
		return true;
	}
	return false;
}

static bool is_pod_uid(const struct part *part)
{
	size_t digits = 0;

	for (size_t i = 0; i < part->len; i++) {
		if (is_digit(part->text[i]))
			digits++;
		else if (part->text[i] != '-' && part->text[i] != '_')
			return false;
	}
	return digits == POD_UID_MIN;
}

/* Match "podUID", or "kubepods-burstable-podUID.slice" with an optional suffix of runc. */
static bool take_pod(struct container *container, struct part part)
{
	const char *colon = memchr(part.text, ':', part.len), *pod = NULL;

	if (colon)
		part.len = (size_t)(colon - part.text);
	if (cut_suffix(&part, ".slice")) {
		for (size_t i = 0; i + 4 < part.len; i++)
			if (!memcmp(part.text + i, "-pod", 4))
				pod = part.text + i + 4;
	} else if (part.len > 3 && !memcmp(part.text, "pod", 3)) {
		pod = part.text + 3;
	}
	if (!pod)
		return false;
	part.len -= (size_t)(pod - part.text);
	part.text = pod;
	if (!is_pod_uid(&part))
		return false;
	container->pod = part.text;
	container->pod_len = part.len;
	return true;
}

static bool is_unit(struct part part)
{
	return cut_suffix(&part, ".service") || cut_suffix(&part, ".scope");
}

static void look_at(struct container *container, const struct part *part, const struct part *parent)
{
	struct container found = { .pod = container->pod, .pod_len = container->pod_len };

	if (take_pod(container, *part)) {
		container->kind = CONTAINER_POD;
		container->runtime = "kubernetes";
		container->id = NULL;
		container->id_len = 0;
		found.pod = container->pod;
		found.pod_len = container->pod_len;
	}
	if (take_id(&found, *part, parent) || take_name(&found, *part, parent))
		*container = found;
	else if (container->kind <= CONTAINER_SERVICE && is_unit(*part))
		take(container, CONTAINER_SERVICE, NULL, part);
}

bool container_find(struct container *container, const char *path)
{
	struct part part = { "", 0 }, parent;

	memset(container, 0, sizeof(*container));
	while (path && *path) {
		path += strspn(path, "/");
		parent = part;
		part = (struct part){ path, strcspn(path, "/") };
		if (part.len)
			look_at(container, &part, &parent);
		path += part.len;
	}
	return container->kind > CONTAINER_SERVICE;
}

/* systemd escapes reserved characters as \xHH (systemd-escape(1)). */
static bool unescape(const char *text, size_t len, char *c)
{
	unsigned int value = 0;

	if (len < 4 || text[0] != '\\' || text[1] != 'x')
		return false;
	for (size_t i = 2; i < 4; i++) {
		if (!is_digit(text[i]))
			return false;
		value = value * 16 +
			(unsigned int)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
	}
	*c = (char)value;
	return true;
}

static void add_name(struct str *out, const char *name, size_t len)
{
	struct str plain = STR_INIT;

	for (size_t i = 0; i < len; i++) {
		char c = name[i];

		if (unescape(name + i, len - i, &c))
			i += 3;
		str_addc(&plain, c);
	}
	str_add_escaped(out, plain.data, plain.len, ESCAPE_PLAIN);
	str_release(&plain);
}

void container_add_short(struct str *out, const struct container *container)
{
	switch (container->kind) {
	case CONTAINER_NONE:
		break;
	case CONTAINER_BY_ID:
		str_addn(out, container->id, CONTAINER_ID_SHORT);
		break;
	case CONTAINER_POD:
		str_add(out, "pod ");
		str_addn(out, container->pod, 8); /* up to the first dash, as most tools show it */
		break;
	case CONTAINER_SERVICE:
	case CONTAINER_BY_NAME:
		add_name(out, container->id, container->id_len);
		break;
	}
}

void container_add_id(struct str *out, const struct container *container)
{
	if (container->id)
		add_name(out, container->id, container->id_len);
}

void container_add_pod(struct str *out, const struct container *container)
{
	for (size_t i = 0; i < container->pod_len; i++)
		str_addc(out, container->pod[i] == '_' ? '-' : container->pod[i]);
}
