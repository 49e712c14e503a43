/*
 * kernel_build_id - the build-id of the kernel that runs, from /sys/kernel/notes. Any thread.
 */
#ifndef PROCESS_KERNEL_BUILD_ID_H
#define PROCESS_KERNEL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ELF notes as elf(5) has them: whether their build-id is this one. */
bool kernel_id_in_notes(const char *notes, size_t len, const uint8_t *id, uint32_t bytes);
bool kernel_id_is_running(const uint8_t *id, uint32_t bytes);

#endif
