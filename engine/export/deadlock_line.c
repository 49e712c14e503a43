#include "engine/export/deadlock_line.h"

#include "engine/export/json.h"

void deadlock_line_add_text(struct str *out, const struct deadlock_line_wait *waits, size_t count,
			    size_t left_out)
{
	str_add(out, "deadlock:");
	for (size_t i = 0; i < count; i++) {
		const struct deadlock_line_wait *wait = &waits[i], *next = &waits[(i + 1) % count];

		str_addf(out, "%s %s/%u waits for ", i ? "," : "", wait->comm, wait->tid);
		str_addx(out, wait->uaddr);
		/* Where the cycle was truncated, the next entry is not the owner. */
		if (next->tid == wait->owner)
			str_addf(out, " held by %s/%u", next->comm, next->tid);
		else
			str_addf(out, " held by %u", wait->owner);
	}
	if (left_out)
		str_addf(out, ", and %zu more", left_out);
	str_addc(out, '\n');
}

void deadlock_line_add_json(struct str *out, const struct deadlock_line_wait *waits, size_t count)
{
	str_add(out, "{\"type\":\"deadlock\",\"threads\":[");
	for (size_t i = 0; i < count; i++) {
		str_add(out, i ? ",{\"tid\":" : "{\"tid\":");
		str_addu(out, waits[i].tid);
		str_add(out, ",\"comm\":");
		json_add_string(out, waits[i].comm);
		str_addf(out, ",\"uaddr\":\"0x%llx\",\"owner\":%u}",
			 (unsigned long long)waits[i].uaddr, waits[i].owner);
	}
	str_add(out, "]}\n");
}
