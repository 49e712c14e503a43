/* three_cycle - like abba, with three threads and three locks. */
#define THREADS 3
#include "abba.c"
