#include "engine/process/kernel_build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool kernel_id_in_notes(const char *notes, size_t len, const uint8_t *id, uint32_t bytes)
{
	Elf64_Nhdr note;

	for (size_t at = 0; len - at >= sizeof(note);) {
		size_t name_at = at + sizeof(note), id_at, next;

		memcpy(&note, notes + at, sizeof(note));
		if (note.n_namesz > len || note.n_descsz > len)
			return false;
		id_at = name_at + ((note.n_namesz + 3) & ~(size_t)3);
		next = id_at + ((note.n_descsz + 3) & ~(size_t)3);
		if (next > len)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + name_at, "GNU", 4))
			return bytes && note.n_descsz == bytes && !memcmp(notes + id_at, id, bytes);
		at = next;
	}
	return false;
}

bool kernel_id_is_running(const uint8_t *id, uint32_t bytes)
{
	char notes[4096];
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, notes, sizeof(notes));
	close(fd);
	return got > 0 && kernel_id_in_notes(notes, (size_t)got, id, bytes);
}
