/*
 * data_offset - encodes data addresses beside the file offsets of code.
 *
 * spaces.h knows only executable mappings, and zero-initialized data (.bss) has no offset in the
 * file. A data address is therefore relative to the executable mapping below it, as if that mapping
 * continued: offset = file_offset + (address - start). Its bit DATA_OFFSET is set, unlike in the
 * offset of a function. The program headers show whether there is data at the address.
 */
#ifndef HELPER_DATA_OFFSET_H
#define HELPER_DATA_OFFSET_H

#define DATA_OFFSET (1ULL << 63)

#endif
