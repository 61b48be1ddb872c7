#ifndef PLACES_H
#define PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where something is done: by which function, and on which line of which file; an empty text where that is not known.
struct place {
  char function[1024];
  char line[256];
};

/// The innermost place of the program that is on the stack behind `caller`; empty where there is none.
void find_place_of_caller(const void *caller, struct place *place);

/// Writes the name of the innermost of these functions that is of the program, which are to go on, and begin at these
/// addresses; false where there is none.
bool find_name_of_waiting(void *const *addresses, int count, char *name, size_t size);

/// Writes the innermost place of the program where another thread is; false where it does not answer in time, or is in
/// none.
bool find_place_of_thread(uintptr_t thread, char *text, size_t size);

/// The name of the function of the program that an address behind a call is in, where `base` is that of the program;
/// `NULL` where there is none.
const char *find_symbol(const void *address, const void *base);

#endif
