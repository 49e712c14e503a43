#include "tui/session/time_text.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_BYTES 64
#define WORD_BYTES 64

char *time_text_format(char out[TIME_TEXT_BYTES], uint64_t ns, uint64_t step_ns)
{
	uint64_t unit_ns = NS_PER_S;
	int decimals = 0;

	while (decimals < 9 && (unit_ns > step_ns || decimals % 3)) {
		unit_ns /= 10;
		decimals++;
	}
	if (decimals)
		snprintf(out, TIME_TEXT_BYTES, "%llu.%0*llus", (unsigned long long)(ns / NS_PER_S),
			 decimals, (unsigned long long)(ns % NS_PER_S / (unit_ns ? unit_ns : 1)));
	else
		snprintf(out, TIME_TEXT_BYTES, "%llus", (unsigned long long)(ns / NS_PER_S));
	return out;
}

static int refuse(struct err *err, const char *text)
{
	char shown[SHOWN_BYTES];

	return err_set(err, -EINVAL,
		       "'%s' is not a time: expected 12.345, 1:30, +3s, -500ms or 50%%",
		       escape_name(shown, sizeof(shown), text));
}

/* "1:30.5": each colon multiplies the part before it by 60. */
static int parse_clock(const char *text, uint64_t *ns, struct err *err)
{
	const char *colon = strrchr(text, ':');
	unsigned long long whole = 0;
	uint64_t rest;
	struct err ignored;

	for (const char *at = text; at < colon; at++) {
		char *end;
		unsigned long long part = strtoull(at, &end, 10);

		if (end == at || *at < '0' || *at > '9' || *end != ':' || part > 1000000)
			return refuse(err, text);
		whole = whole * 60 + part;
		at = end;
	}
	if (colon == text || colon[-1] == ':' || colon[1] < '0' || colon[1] > '9' ||
	    whole > 100000000 || units_parse_duration(colon + 1, NS_PER_S, &rest, &ignored) ||
	    rest >= 60 * NS_PER_S)
		return refuse(err, text);
	*ns = whole * 60 * NS_PER_S + rest;
	return 0;
}

static int parse_length(const char *text, uint64_t length_ns, uint64_t *ns, struct err *err)
{
	size_t len = strlen(text);
	struct err ignored;
	char *end;
	double part;

	if (strchr(text, ':'))
		return parse_clock(text, ns, err);
	if (len > 1 && text[len - 1] == '%' && strspn(text, "0123456789.") == len - 1) {
		part = strtod(text, &end);
		if (end != text + len - 1 || part > 100)
			return refuse(err, text);
		*ns = part >= 100 ? length_ns : (uint64_t)((double)length_ns * part / 100);
		return 0;
	}
	if (text[0] < '0' || text[0] > '9' || units_parse_duration(text, NS_PER_S, ns, &ignored))
		return refuse(err, text);
	return 0;
}

/* Copy the text without surrounding blanks. False: too long for a time. */
static bool copy_word(const char *text, char word[WORD_BYTES])
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	if (len >= WORD_BYTES)
		return false;
	memcpy(word, text, len);
	word[len] = '\0';
	return true;
}

int time_text_parse(const char *text, uint64_t at_ns, uint64_t length_ns, uint64_t *ns,
		    struct err *err)
{
	char word[WORD_BYTES], whole[TIME_TEXT_BYTES];
	uint64_t value;
	int rc, sign;

	if (!copy_word(text, word) || !word[0])
		return refuse(err, text);
	sign = word[0] == '+' ? 1 : word[0] == '-' ? -1 : 0;
	rc = parse_length(word + (sign ? strspn(word + 1, " ") + 1 : 0), length_ns, &value, err);
	if (rc)
		return refuse(err, text);
	if (sign < 0)
		value = value < at_ns ? at_ns - value : 0;
	else if (sign > 0)
		value = value < UINT64_MAX - at_ns ? at_ns + value : UINT64_MAX;
	/* Clamp a relative time to the recording. An absolute time beyond the end is an error. */
	if (value > length_ns && !sign)
		return err_set(err, -ERANGE, "the recording ends at %s",
			       time_text_format(whole, length_ns, length_ns / 1000));
	*ns = value < length_ns ? value : length_ns;
	return 0;
}
