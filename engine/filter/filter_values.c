#include "engine/filter/filter_values.h"

#include "engine/base/escape.h"
#include "engine/base/units.h"
#include "engine/base/words.h"

#include <errno.h>
#include <string.h>

#define SHOWN_BYTES 64

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read the leading digits of `word`. -EINVAL: none. -ERANGE: overflow. */
static int read_magnitude(const char **word, uint64_t *value)
{
	int base = 10;
	const char *start;

	*value = 0;
	if ((*word)[0] == '0' && ((*word)[1] == 'x' || (*word)[1] == 'X')) {
		base = 16;
		*word += 2;
	} else if ((*word)[0] == '0' && is_digit((*word)[1])) {
		base = 8;
	}
	for (start = *word;; (*word)++) {
		char c = **word;
		unsigned digit;
		if (is_digit(c))
			digit = (unsigned)(c - '0');
		else if (base == 16 && (c | 32) >= 'a' && (c | 32) <= 'f')
			digit = (unsigned)((c | 32) - 'a' + 10);
		else
			break;
		if (digit >= (unsigned)base)
			break;
		if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)digit, value))
			return -ERANGE;
	}
	return *word == start ? -EINVAL : 0;
}

/* k and kB are 1000, Ki and KiB 1024, and so on. -EINVAL, -ERANGE. */
static int scale(const char *suffix, uint64_t *value)
{
	static const char letters[] = "kMGT";
	const char *letter = strchr(letters, *suffix == 'K' ? 'k' : *suffix);
	/* As in IEC 80000-13: kB but KiB. */
	bool binary = suffix[0] != 'k' && suffix[1] == 'i';
	const char *rest = suffix + 1 + binary;

	if (!letter || (strcmp(rest, "") && strcmp(rest, "B")))
		return -EINVAL;
	for (; letter >= letters; letter--)
		if (__builtin_mul_overflow(*value, (uint64_t)(binary ? 1024 : 1000), value))
			return -ERANGE;
	return 0;
}

int filter_value_number(const char *word, int64_t *value, struct err *err)
{
	const char *at = word + (word[0] == '-');
	bool hex = at[0] == '0' && (at[1] | 32) == 'x';
	char shown[SHOWN_BYTES];
	uint64_t magnitude, limit;
	int failed = read_magnitude(&at, &magnitude);

	if (!failed && *at)
		failed = hex ? -EINVAL : scale(at, &magnitude);
	/* Registers are unsigned 64-bit values: hexadecimal numbers can use all bits. */
	limit = word[0] == '-' ? (uint64_t)1 << 63 : hex ? UINT64_MAX : INT64_MAX;
	if (!failed && magnitude > limit)
		failed = -ERANGE;
	if (failed == -ERANGE)
		return err_set(err, -EINVAL, "\"%s\" does not fit into 64 bits",
			       escape_name(shown, sizeof(shown), word));
	if (failed)
		return err_set(err, -EINVAL,
			       "\"%s\" is not a number: write 42, -1, 0x1f, 0644, 64k or 64KiB",
			       escape_name(shown, sizeof(shown), word));
	*value = (int64_t)(word[0] == '-' ? 0 - magnitude : magnitude);
	return 0;
}

int filter_value_duration(const char *word, int64_t *ns, struct err *err)
{
	char shown[SHOWN_BYTES];
	uint64_t value;

	if (!strcmp(word, "0")) {
		*ns = 0;
		return 0;
	}
	if (units_parse_duration(word, 0, &value, NULL))
		return err_set(err, -EINVAL,
			       "\"%s\" is not a duration: write a number and ns, us, ms, s or m, "
			       "as in 10ms",
			       escape_name(shown, sizeof(shown), word));
	*ns = value > INT64_MAX ? INT64_MAX : (int64_t)value;
	return 0;
}

static const char *nearest_errno(const struct filter_names *names, const char *word)
{
	struct words_nearest nearest = words_nearest_to(word, strlen(word));
	const char *name;

	for (size_t i = 0; names->errno_name && (name = names->errno_name(names->ctx, i)); i++)
		words_nearest_offer(&nearest, name);
	return nearest.found;
}

int filter_value_errno(const struct filter_names *names, const char *word, int64_t *value,
		       struct err *err)
{
	char shown[SHOWN_BYTES];
	const char *nearest;
	int number;

	if (is_digit(word[0]))
		return filter_value_number(word, value, err);
	number = names->errno_number(names->ctx, word, strlen(word));
	if (number >= 0) {
		*value = number;
		return 0;
	}
	nearest = nearest_errno(names, word);
	escape_name(shown, sizeof(shown), word);
	if (nearest)
		return err_set(err, -EINVAL, "unknown error \"%s\"; did you mean %s?", shown,
			       nearest);
	return err_set(err, -EINVAL, "unknown error \"%s\": write a name such as EAGAIN", shown);
}

int filter_value_user(const struct filter_names *names, const char *word, int64_t *value,
		      struct err *err)
{
	char shown[SHOWN_BYTES];
	uint32_t uid;

	if (is_digit(word[0]) || word[0] == '-')
		return filter_value_number(word, value, err);
	if (!names->user_number || !names->user_number(names->ctx, word, strlen(word), &uid))
		return err_set(err, -EINVAL,
			       "/etc/passwd has no user \"%s\"; `id -u %s` may print its uid",
			       escape_name(shown, sizeof(shown), word), shown);
	*value = uid;
	return 0;
}

static void add_syscall(struct filter_syscall_set *set, uint64_t nr)
{
	if (nr < SYSCALL_NR_MAX)
		set->bits[nr / 8] |= (uint8_t)(1u << (nr % 8));
}

bool filter_syscall_word(const struct filter_names *names, const char *word, size_t len,
			 struct filter_syscall_set *set)
{
	struct kernel_filter class = { .by_syscall = true };
	int nr;

	if (len && is_digit(word[0])) {
		uint64_t number = 0;
		for (size_t i = 0; i < len; i++) {
			if (!is_digit(word[i]) || number >= SYSCALL_NR_MAX)
				return false;
			number = number * 10 + (uint64_t)(word[i] - '0');
		}
		if (number >= SYSCALL_NR_MAX)
			return false;
		add_syscall(set, number);
		return true;
	}
	if (len && word[0] == '%') {
		if (!names->class_syscalls(names->ctx, word + 1, len - 1, &class))
			return false;
		for (size_t i = 0; i < sizeof(set->bits); i++)
			set->bits[i] |= class.syscalls[i];
		return true;
	}
	nr = names->syscall_number(names->ctx, word, len);
	if (nr < 0)
		return false;
	add_syscall(set, (uint64_t)nr);
	return true;
}

int filter_syscall_pattern(const struct filter_names *names, const struct filter_pattern *pattern,
			   struct filter_syscall_set *set, struct err *err)
{
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		const char *name = names->syscall_name ? names->syscall_name(names->ctx, nr) : NULL;
		enum pattern_answer answer =
			name ? filter_pattern_match(pattern, name, strlen(name)) : PATTERN_NO;
		if (answer == PATTERN_GAVE_UP)
			return err_set(err, -EINVAL,
				       "the pattern takes too long on \"%s\": simplify it", name);
		if (answer == PATTERN_YES)
			add_syscall(set, nr);
	}
	return 0;
}

static const char *nearest_class(const struct filter_names *names, const char *word)
{
	struct words_nearest nearest = words_nearest_to(word, strlen(word));
	const char *name;

	for (size_t i = 0; names->class_name && (name = names->class_name(names->ctx, i)); i++)
		words_nearest_offer(&nearest, name);
	return nearest.found;
}

int filter_value_syscall(const struct filter_names *names, const char *word,
			 struct filter_syscall_set *set, struct err *err)
{
	bool class = word[0] == '%';
	char shown[SHOWN_BYTES];
	const char *nearest;

	if (filter_syscall_word(names, word, strlen(word), set))
		return 0;
	escape_name(shown, sizeof(shown), word);
	if (is_digit(word[0]))
		return err_set(err, -EINVAL, "no system call has the number \"%s\"", shown);
	nearest = class ? nearest_class(names, word + 1)
			: names->nearest_syscall(names->ctx, word, strlen(word));
	if (nearest)
		return err_set(err, -EINVAL, "unknown %s \"%s\"; did you mean %s%s?",
			       class ? "class" : "syscall", shown, class ? "%" : "", nearest);
	return err_set(err, -EINVAL, "unknown %s \"%s\"", class ? "class" : "syscall", shown);
}
