#ifndef CPROGRAMS_H
#define CPROGRAMS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

// What starting and watching a program needs of C: handlers of signals, a page of memory that others read, and calls that Swift has not.

/// ppoll(2) that waits so many nanoseconds, or for ever where they are negative.
int programs_poll(struct pollfd *_Nonnull descriptors, unsigned count, int64_t nanoseconds);

/// Accepts a connection that does not block and that no program inherits; -1 where none is there.
int programs_accept(int listener);

/// Whether a file gives capabilities to those who run it (file capabilities of capabilities(7)).
bool programs_gives_capabilities(const char *_Nonnull path);

/// Handles the signals that end, stop or tell a process something. Returns a descriptor that two bytes come from for each: its number, and
/// 1 where the terminal sent it to everybody, else 0; or -1.
int programs_signals(void);

/// Starts a program with no signal blocked. Returns its number, or -1 with errno.
int programs_start(const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment);

/// Ends this process with the signal that ended the program.
void programs_end_with_signal(int number);

/// Lets processes whose parents ended become children of this one, so that they are found.
void programs_adopt(void);

/// Makes the page with the time (`struct time_page` of the preload library). Returns it, or NULL with errno.
void *_Nullable programs_time_page(const char *_Nonnull path, uint32_t pace, int64_t now, int64_t origin, int64_t speed, int64_t wall);

/// Changes the time in the page.
void programs_set_time(void *_Nonnull page, int64_t now);

#endif
