#include "engine/late/futex_backing.h"

#include "engine/base/escape.h"
#include "engine/late/late_probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- Labels --------------------------------------------------------------------------- */

/* The directory matters for shared memory, but not for libraries. */
static const char *short_path(const struct map_lookup *mapped)
{
	const char *slash = strrchr(mapped->path, '/');

	return slash && !mapped->shared ? slash + 1 : mapped->path;
}

/* The kernel always adds "(deleted)" to memfd: and SYSV names, which have no directory entry. */
static void cut_deleted(char *path)
{
	static const char suffix[] = " (deleted)";
	size_t len = strlen(path);

	if ((strncmp(path, "/memfd:", 7) && strncmp(path, "/SYSV", 5)) || len < sizeof(suffix))
		return;
	if (!strcmp(path + len - (sizeof(suffix) - 1), suffix))
		path[len - (sizeof(suffix) - 1)] = '\0';
}

static void format_label(const struct map_lookup *mapped, uint64_t uaddr,
			 char out[FUTEX_LABEL_BYTES])
{
	uint64_t into = uaddr - mapped->start;
	char name[FUTEX_LABEL_BYTES - 24];

	if (mapped->shared && !strncmp(mapped->path, "/dev/zero", 9)) {
		snprintf(out, FUTEX_LABEL_BYTES, "[shared]+0x%" PRIx64, mapped->offset + into);
	} else if (!mapped->path[0]) {
		snprintf(out, FUTEX_LABEL_BYTES, "[anon]");
	} else if (*mapped->path == '[' && strcmp(mapped->path, "[heap]")) {
		/* No offset: a stack's start moves, and an offset in [vdso] etc. means nothing. */
		escape_name(out, FUTEX_LABEL_BYTES, mapped->path);
	} else {
		snprintf(out, FUTEX_LABEL_BYTES, "%s+0x%" PRIx64,
			 escape_name(name, sizeof(name), short_path(mapped)),
			 *mapped->path == '[' ? into : mapped->offset + into);
	}
}

bool futex_backing_find(struct reader *reader, struct futex_place *place, uint32_t pid,
			uint64_t uaddr)
{
	struct map_lookup mapped;

	if (!late_probe_map_lookup(reader, pid, uaddr, &mapped))
		return false;
	cut_deleted(mapped.path);
	place->shared = mapped.shared;
	place->device = (uint64_t)mapped.major << 32 | mapped.minor;
	place->inode = mapped.inode;
	place->offset = mapped.offset + (uaddr - mapped.start);
	format_label(&mapped, uaddr, place->label);
	return true;
}
