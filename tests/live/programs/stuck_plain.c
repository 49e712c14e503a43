/* stuck.h, not optimized, with frame pointers, as in debug builds. */
#pragma GCC optimize("O0", "no-omit-frame-pointer")
#include "stuck.h"
