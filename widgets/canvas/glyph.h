/* glyph - the non-ASCII characters that widgets draw; ascii.h has their replacements. */
#ifndef CANVAS_GLYPH_H
#define CANVAS_GLYPH_H

#define GLYPH_HLINE 0x2500u /* ─ */
#define GLYPH_VLINE 0x2502u /* │ */
#define GLYPH_TOP_LEFT 0x250cu /* ┌ */
#define GLYPH_TOP_RIGHT 0x2510u /* ┐ */
#define GLYPH_BOTTOM_LEFT 0x2514u /* └ */
#define GLYPH_BOTTOM_RIGHT 0x2518u /* ┘ */
#define GLYPH_TEE_DOWN 0x252cu /* ┬ */
#define GLYPH_TEE_UP 0x2534u /* ┴ */
#define GLYPH_TEE_RIGHT 0x251cu /* ├ */
#define GLYPH_TEE_LEFT 0x2524u /* ┤ */
#define GLYPH_ELLIPSIS 0x2026u /* … */
#define GLYPH_SORT_DOWN 0x25bcu /* ▼ descending */
#define GLYPH_SORT_UP 0x25b2u /* ▲ ascending */
#define GLYPH_BLOCK_1 0x2581u /* ▁; the eight steps are contiguous up to █ */
#define GLYPH_BLOCK_8 0x2588u /* █ */
#define GLYPH_SHADE_1 0x2591u /* ░ */
#define GLYPH_SHADE_2 0x2592u /* ▒ */
#define GLYPH_SHADE_3 0x2593u /* ▓ */
#define GLYPH_MIDDLE_DOT 0xb7u /* · */
#define GLYPH_ARROW_LEFT 0x2190u /* ← */
#define GLYPH_ARROW_RIGHT 0x2192u /* → */

#endif
