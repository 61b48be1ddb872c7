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

/// The innermost place of the program that is on the stack behind `caller`; false where there is none.
bool find_place_of_caller(const void *caller, struct place *place);

/// Writes the name of the innermost of these functions that is of the program, which are to go on, and begin at these
/// addresses; false where there is none.
bool find_name_of_waiting(void *const *addresses, int count, char *name, size_t size);

/// Writes the innermost place of the program where another thread is; false where it does not answer in time, or is in
/// none.
bool find_place_of_thread(uintptr_t thread, char *text, size_t size);

/// Whether a call, which returns to `caller`, was made by ICU, which Foundation formats with, or for ICU by the library
/// of C++.
bool is_called_by_icu(const void *caller);

/// Whether a call, which returns to `caller`, was made by Swift Testing.
bool is_called_by_testing(const void *caller);

/// Whether a call, which returns to `caller`, was made by the program, and by none of the system's libraries in it.
bool is_called_by_program(const void *caller);

#endif
