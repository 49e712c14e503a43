#include "engine/stack/worker/unwind_code.h"

#include <string.h>

/*
 * Return the length of FF /2 (call with a memory or register operand), without the opcode byte. 0:
 * not a call.
 */
static size_t indirect_bytes(const unsigned char *modrm, size_t bytes)
{
	unsigned int mod = *modrm >> 6, rm = *modrm & 7;
	size_t len = 1;

	if ((*modrm >> 3 & 7) != 2)
		return 0;
	if (mod == 3)
		return len;
	if (rm == 4) {
		if (bytes < 2)
			return 0;
		/* A SIB byte with base 5 and mod 0 has a 32-bit displacement. */
		if (mod == 0 && (modrm[1] & 7) == 5)
			len += 4;
		len++;
	}
	if (mod == 1)
		return len + 1;
	return mod == 2 || rm == 5 ? len + 4 : len;
}

bool code_ends_in_call(const unsigned char *code, size_t bytes, int64_t *distance)
{
	int32_t relative;

	*distance = 0;
	if (bytes >= 5 && code[bytes - 5] == 0xe8) {
		memcpy(&relative, code + bytes - 4, sizeof(relative));
		*distance = relative;
		return true;
	}
	for (size_t len = 2; len <= CODE_CALL_BYTES && len <= bytes; len++)
		if (code[bytes - len] == 0xff &&
		    indirect_bytes(code + bytes - len + 1, len - 1) == len - 1)
			return true;
	return false;
}

static bool starts_with(const unsigned char *code, size_t bytes, const char *what, size_t len)
{
	return bytes >= len && !memcmp(code, what, len);
}

bool code_frame_bytes(const unsigned char *code, size_t bytes, uint64_t *frame_bytes,
		      bool *complete)
{
	size_t at = 0;
	int32_t wide;

	*frame_bytes = 0;
	*complete = false;
	if (starts_with(code, bytes, "\xf3\x0f\x1e\xfa", 4)) /* endbr64 */
		at = 4;
	if (!starts_with(code + at, bytes - at, "\x55", 1)) /* push %rbp */
		return false;
	at++;
	if (!starts_with(code + at, bytes - at, "\x48\x89\xe5", 3) && /* mov %rsp, %rbp */
	    !starts_with(code + at, bytes - at, "\x48\x8b\xec", 3))
		return false;
	at += 3;
	for (;; *frame_bytes += 8) {
		if (at < bytes && code[at] == 0x53) /* push %rbx */
			at++;
		else if (bytes - at >= 2 && code[at] == 0x41 && code[at + 1] >= 0x54 &&
			 code[at + 1] <= 0x57) /* push %r12 to %r15 */
			at += 2;
		else
			break;
	}
	if (bytes - at >= 4 && !memcmp(code + at, "\x48\x83\xec", 3)) { /* sub $byte, %rsp */
		*complete = !(code[at + 3] & 0x80);
		*frame_bytes += *complete ? code[at + 3] : 0;
	} else if (bytes - at >= 7 && !memcmp(code + at, "\x48\x81\xec", 3)) {
		memcpy(&wide, code + at + 3, sizeof(wide));
		*complete = wide > 0;
		*frame_bytes += *complete ? (uint32_t)wide : 0;
	}
	return true;
}

bool code_is_sigreturn(const unsigned char *code, size_t bytes)
{
	return starts_with(code, bytes, "\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05", 9);
}

bool code_is_stub(const unsigned char *code, size_t bytes)
{
	return bytes >= 12 && starts_with(code, bytes, "\xff\x25", 2) && code[6] == 0x68 &&
	       code[11] == 0xe9;
}
