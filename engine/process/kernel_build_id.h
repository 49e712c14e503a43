/*
 * kernel_build_id - the build-id of the running kernel, from /sys/kernel/notes. Any thread.
 */
#ifndef PROCESS_KERNEL_BUILD_ID_H
#define PROCESS_KERNEL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if the build-id in these ELF notes (elf(5)) equals `id`. */
bool kernel_id_in_notes(const char *notes, size_t len, const uint8_t *id, uint32_t bytes);
bool kernel_id_is_running(const uint8_t *id, uint32_t bytes);

#endif
