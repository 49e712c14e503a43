/*
 * container - which container, pod or service the path of a control group speaks of.
 *
 * Runtimes put what they start into groups whose names say so; the forms are those of docker,
 * podman, cri-o, containerd, nerdctl (runc and crun, both their systemd and their cgroupfs
 * driver), the kubelet's pods, LXC, LXD and Incus, and the machines of systemd. Of containers
 * in each other the innermost counts, since that is where the process is. A path is what whoever
 * made the group wrote: a claim, not a proof; and raw, so that what is added to a string here
 * is escaped. Plain text: nothing is asked of the system. Any thread.
 */
#ifndef BASE_CONTAINER_H
#define BASE_CONTAINER_H

#include "engine/base/str.h"

#include <stdbool.h>

#define CONTAINER_ID_SHORT 12 /* digits, as `docker ps` shows them */

enum container_kind {
	CONTAINER_NONE,
	CONTAINER_SERVICE, /* a service or scope of systemd: no container, but a name */
	CONTAINER_BY_NAME, /* LXC, machines */
	CONTAINER_BY_ID, /* some 64 digits */
	CONTAINER_POD, /* of kubernetes, and none of its containers */
};

/* Parts are borrowed from the path. */
struct container {
	enum container_kind kind;
	const char *runtime; /* "docker", "podman"…; "container": it is not said; NULL: a service */
	const char *id; /* or name; of a POD NULL */
	size_t id_len;
	const char *pod; /* its uid as written there; NULL: in none */
	size_t pod_len;
};

/* path as in /proc/PID/cgroup; NULL is none. Whether it is a container or a pod. */
bool container_find(struct container *container, const char *path);

/* For a narrow column: the first digits of an id, or a name; nothing for NONE. */
void container_add_short(struct str *out, const struct container *container);
/* All of the id or name, and of the pod's uid. */
void container_add_id(struct str *out, const struct container *container);
void container_add_pod(struct str *out, const struct container *container);

#endif
