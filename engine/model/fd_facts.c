#include "engine/model/fd_facts.h"

#include "engine/model/capture_chunks.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>

#define DEVICE_MINOR_BITS 20 /* of the kernel's dev_t (include/linux/kdev_t.h) */

bool fd_facts_find(const struct fd_chunks pointed[2], int fd, struct fd_facts *facts)
{
	const uint8_t *bytes = NULL;
	size_t len = 0;

	for (int i = 0; i < 2 && !bytes; i++)
		bytes = capture_chunks_file(pointed[i].bytes, pointed[i].len, fd, &len);
	if (!bytes)
		return false;
	memcpy(&facts->file, bytes, sizeof(facts->file));
	facts->names = (const char *)bytes + sizeof(facts->file);
	facts->len = len - sizeof(facts->file);
	/* Names are of others, but their ends are the copier's. */
	return !facts->len || !facts->names[facts->len - 1];
}

bool fd_facts_socket(const struct fd_facts *facts)
{
	return facts->file.magic == SOCKFS_MAGIC;
}

/* From the root: the names are there from the last one on. */
static void add_path(const struct fd_facts *facts, struct str *out)
{
	size_t end = facts->len;

	if (!end)
		str_addc(out, '/');
	while (end) {
		size_t from = end - 1;

		while (from && facts->names[from - 1])
			from--;
		str_addc(out, '/');
		str_addn(out, facts->names + from, end - 1 - from);
		end = from;
	}
}

static void add_device(const struct fd_facts *facts, struct str *out)
{
	str_addf(out, "<%s %u:%u>", S_ISCHR(facts->file.mode) ? "char" : "block",
		 facts->file.device >> DEVICE_MINOR_BITS,
		 facts->file.device & ((1u << DEVICE_MINOR_BITS) - 1));
}

bool fd_facts_text(const struct fd_facts *facts, struct str *out)
{
	if (facts->file.magic == PIPEFS_MAGIC) {
		str_add(out, "pipe:[");
		str_addu(out, facts->file.inode);
		str_addc(out, ']');
		return true;
	}
	if (facts->file.magic == ANON_INODE_FS_MAGIC && facts->len) {
		str_addf(out, "anon_inode:%s", facts->names);
		return true;
	}
	if (!(facts->file.flags & CAPTURE_FILE_WHOLE))
		return false;
	add_path(facts, out);
	if (facts->file.flags & CAPTURE_FILE_DELETED)
		str_addn(out, "\0(deleted)", 10);
	else if (S_ISCHR(facts->file.mode) || S_ISBLK(facts->file.mode)) {
		str_addc(out, '\0');
		add_device(facts, out);
	}
	return true;
}
