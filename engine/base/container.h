/*
 * container - finds the container, pod or service that a cgroup path belongs to.
 *
 * Runtimes encode containers in cgroup names. Supported forms: docker, podman, cri-o, containerd
 * and nerdctl (runc and crun, systemd and cgroupfs drivers), kubelet pods, LXC, LXD, Incus, and
 * systemd machines. If containers are nested, the innermost one is reported. A path is untrusted:
 * its creator chose it, and it proves nothing. A path is also raw: the functions below escape the
 * text that they append. Parses text only, without system calls. Any thread.
 */
#ifndef BASE_CONTAINER_H
#define BASE_CONTAINER_H

#include "engine/base/str.h"

#include <stdbool.h>

#define CONTAINER_ID_SHORT 12 /* hex digits, as in `docker ps` */

enum container_kind {
	CONTAINER_NONE,
	CONTAINER_SERVICE, /* a systemd service or scope: has a name, but is not a container */
	CONTAINER_BY_NAME, /* LXC and systemd machines, identified by name */
	CONTAINER_BY_ID, /* identified by 64 hex digits */
	CONTAINER_POD, /* a Kubernetes pod, but none of its containers */
};

/* Strings point into the path. */
struct container {
	enum container_kind kind;
	const char *runtime; /* "docker", "podman"...; "container": unknown; NULL: a service */
	const char *id; /* id or name; NULL for CONTAINER_POD */
	size_t id_len;
	const char *pod; /* pod uid as in the path; NULL: not in a pod */
	size_t pod_len;
};

/* Parse a path as in /proc/PID/cgroup; NULL: no path. True if it is a container or a pod. */
bool container_find(struct container *container, const char *path);

/* Append the name or the first digits of the id, for a narrow column. CONTAINER_NONE: no-op. */
void container_add_short(struct str *out, const struct container *container);
/* Append the full id or name, and the full pod uid. */
void container_add_id(struct str *out, const struct container *container);
void container_add_pod(struct str *out, const struct container *container);

#endif
