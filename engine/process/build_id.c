#include "engine/process/build_id.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#define HEADERS_MAX 64
#define NOTES_BYTES_MAX 4096

static size_t padded(size_t bytes, size_t align)
{
	return (bytes + align - 1) & ~(align - 1);
}

static uint32_t find(const unsigned char *notes, size_t len, size_t align,
		     uint8_t id[BUILD_ID_BYTES])
{
	Elf64_Nhdr note;
	size_t at = 0;

	while (len - at >= sizeof(note)) {
		size_t name, contents;

		memcpy(&note, notes + at, sizeof(note));
		at += sizeof(note);
		name = padded(note.n_namesz, align);
		contents = padded(note.n_descsz, align);
		if (name > len - at || contents > len - at - name)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + at, "GNU", 4) && note.n_descsz &&
		    note.n_descsz <= BUILD_ID_BYTES) {
			memcpy(id, notes + at + name, note.n_descsz);
			return note.n_descsz;
		}
		at += name + contents;
	}
	return 0;
}

uint32_t build_id_read(int fd, uint8_t id[BUILD_ID_BYTES])
{
	unsigned char notes[NOTES_BYTES_MAX];
	Elf64_Phdr headers[HEADERS_MAX];
	Elf64_Ehdr elf;
	uint32_t bytes = 0;
	ssize_t got;

	/* Only ELF64: stxtop does not read 32-bit files. */
	if (pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(headers[0]) || elf.e_phnum > HEADERS_MAX ||
	    elf.e_phoff > INT64_MAX)
		return 0;
	got = pread(fd, headers, elf.e_phnum * sizeof(headers[0]), (off_t)elf.e_phoff);
	for (size_t i = 0; got > 0 && i < (size_t)got / sizeof(headers[0]) && !bytes; i++) {
		size_t len = headers[i].p_filesz;
		ssize_t read;

		if (headers[i].p_type != PT_NOTE || headers[i].p_offset > INT64_MAX)
			continue;
		if (len > sizeof(notes))
			len = sizeof(notes);
		read = pread(fd, notes, len, (off_t)headers[i].p_offset);
		if (read > 0)
			bytes = find(notes, (size_t)read, headers[i].p_align == 8 ? 8 : 4, id);
	}
	return bytes;
}
