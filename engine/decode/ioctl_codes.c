#include "engine/decode/ioctl_codes.h"

#include <string.h>

static const struct ioctl_codes *const kinds[] = {
	&ioctl_terminal_codes, &ioctl_block_codes,   &ioctl_file_codes,
	&ioctl_net_codes,      &ioctl_input_codes,   &ioctl_sound_codes,
	&ioctl_video_codes,    &ioctl_virtual_codes, &ioctl_device_codes,
};

/* Return the first row whose code is not below `code`. */
static size_t first_of(const struct ioctl_codes *codes, uint32_t code)
{
	size_t low = 0, high = codes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (codes->list[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t add_name(const char **names, size_t count, const char *name)
{
	size_t at = count;

	if (count == IOCTL_NAMES)
		return count;
	for (; at && strcmp(names[at - 1], name) > 0; at--)
		names[at] = names[at - 1];
	names[at] = name;
	return count + 1;
}

size_t ioctl_code_names(uint32_t code, const char *names[IOCTL_NAMES])
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct ioctl_codes *codes = kinds[i];

		for (size_t at = first_of(codes, code);
		     at < codes->count && codes->list[at].code == code; at++)
			count = add_name(names, count, codes->list[at].name);
	}
	return count;
}
