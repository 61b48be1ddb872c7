#ifndef CALLERS_H
#define CALLERS_H

#include <stdbool.h>

/// Whether a call, which returns to `caller`, was made by ICU, which Foundation formats with, or for ICU by the library
/// of C++.
bool is_called_by_icu(const void *caller);

/// Whether a call, which returns to `caller`, was made by `Process.run` of Foundation, whose thread that waits for all
/// programs is made by the first of the process: what starts a program is reported in each.
bool is_called_to_start_programs(const void *caller);

/// Whether a call, which returns to `caller`, was made by Swift Testing or XCTest.
bool is_called_by_testing(const void *caller);

/// Whether a call, which returns to `caller`, was made by the program, and by none of the system's libraries in it.
bool is_called_by_program(const void *caller);

#endif
