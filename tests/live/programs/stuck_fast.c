/* stuck.h, optimized without frame pointers, as in distributions. */
#pragma GCC optimize("O2", "omit-frame-pointer")
#include "stuck.h"
