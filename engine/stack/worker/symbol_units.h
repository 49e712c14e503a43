/*
 * symbol_units - which compilation unit, and which function of it, an address is in.
 *
 * From the ranges that units and functions give for themselves: .debug_aranges
 * is left out by some compilers and incomplete by others. Worker process only.
 */
#ifndef WORKER_SYMBOL_UNITS_H
#define WORKER_SYMBOL_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct symbol_units;

struct symbol_units *symbol_units_new(Dwarf *dwarf);
void symbol_units_free(struct symbol_units *units);

/* The unit and the function at an address; false: no unit. *has_function tells of the second. */
bool symbol_units_find(struct symbol_units *units, uint64_t address, Dwarf_Die *unit,
		       Dwarf_Die *function, bool *has_function);

#endif
