#include "widgets/canvas/color.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CUBE_FIRST 16
#define GREY_FIRST 232
#define COLOR_COUNT 256

static const char *const names[] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
};
#define NAME_COUNT ((int)(sizeof(names) / sizeof(names[0])))
#define BRIGHT "bright-"

static const struct color_rgb first[CUBE_FIRST] = {
	{ 0, 0, 0 },       { 205, 0, 0 },   { 0, 205, 0 },   { 205, 205, 0 },
	{ 0, 0, 238 },     { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
	{ 127, 127, 127 }, { 255, 0, 0 },   { 0, 255, 0 },   { 255, 255, 0 },
	{ 92, 92, 255 },   { 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 },
};

static uint8_t cube_step(int step)
{
	return (uint8_t)(step ? 55 + 40 * step : 0);
}

struct color_rgb color_rgb(int color)
{
	int in_cube = color - CUBE_FIRST;
	uint8_t grey;

	if (color >= 0 && color < CUBE_FIRST)
		return first[color];
	if (color < 0 || color >= GREY_FIRST) {
		grey = (uint8_t)(color < 0 ? 0 : 8 + 10 * (color - GREY_FIRST));
		return (struct color_rgb){ grey, grey, grey };
	}
	return (struct color_rgb){ cube_step(in_cube / 36), cube_step(in_cube / 6 % 6),
				   cube_step(in_cube % 6) };
}

/* Distance weighted for human vision: "redmean", https://www.compuphase.com/cmetric.htm */
static long distance(struct color_rgb one, struct color_rgb other)
{
	long mean = (one.red + other.red) / 2;
	long red = one.red - other.red, green = one.green - other.green;
	long blue = one.blue - other.blue;

	return (((512 + mean) * red * red) >> 8) + 4 * green * green +
	       (((767 - mean) * blue * blue) >> 8);
}

int color_nearest(struct color_rgb rgb, int colors)
{
	int begin = colors >= COLOR_COUNT ? CUBE_FIRST : 0;
	int end = colors >= COLOR_COUNT ? COLOR_COUNT : CUBE_FIRST, best = begin;

	for (int i = begin + 1; i < end; i++)
		if (distance(rgb, color_rgb(i)) < distance(rgb, color_rgb(best)))
			best = i;
	return best;
}

/* ---- contrast ---- */

static double linear(uint8_t value)
{
	double part = value / 255.0;

	return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(struct color_rgb rgb)
{
	return 0.2126 * linear(rgb.red) + 0.7152 * linear(rgb.green) + 0.0722 * linear(rgb.blue);
}

double color_contrast(struct color_rgb one, struct color_rgb other)
{
	double a = luminance(one), b = luminance(other);

	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* ---- text form ---- */

static bool parse_rgb(const char *digits, int *color)
{
	unsigned long value;

	if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6)
		return false;
	value = strtoul(digits, NULL, 16);
	*color = color_nearest(
		(struct color_rgb){ (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value },
		COLOR_COUNT);
	return true;
}

static bool parse_number(const char *digits, int *color)
{
	size_t len = strlen(digits);
	long value;

	if (!len || len > 3 || strspn(digits, "0123456789") != len)
		return false;
	value = strtol(digits, NULL, 10);
	*color = (int)value;
	return value < COLOR_COUNT;
}

bool color_parse(const char *word, int *color)
{
	bool bright = !strncmp(word, BRIGHT, sizeof(BRIGHT) - 1);
	const char *name = bright ? word + sizeof(BRIGHT) - 1 : word;

	if (!strcmp(word, "default")) {
		*color = COLOR_DEFAULT;
		return true;
	}
	for (int i = 0; i < NAME_COUNT; i++) {
		if (strcmp(names[i], name))
			continue;
		*color = i + (bright ? NAME_COUNT : 0);
		return true;
	}
	return *word == '#' ? parse_rgb(word + 1, color) : parse_number(word, color);
}

void color_format(int color, struct str *out)
{
	if (color == COLOR_DEFAULT)
		str_add(out, "default");
	else if (color < CUBE_FIRST)
		str_addf(out, "%s%s", color < NAME_COUNT ? "" : BRIGHT, names[color % NAME_COUNT]);
	else
		str_addd(out, color);
}
