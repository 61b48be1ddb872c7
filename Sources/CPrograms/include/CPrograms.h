#ifndef CPROGRAMS_H
#define CPROGRAMS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What starting and watching a program needs of C: handlers of signals, a page of memory that others read, and calls
// that Swift has not.

/// ppoll(2) that waits so many nanoseconds, or forever where they are negative.
int programs_poll(struct pollfd *_Nonnull descriptors, unsigned count, int64_t nanoseconds);

/// Accepts a connection that does not block and that no program inherits; -1 where none is there.
int programs_accept(int listener);

/// Whether a file gives capabilities to those who run it (file capabilities of capabilities(7)).
bool programs_gives_capabilities(const char *_Nonnull path);

/// Handles the signals that end, stop or notify a process. Returns a descriptor that yields two bytes for each: its
/// number, and 1 where the terminal sent it to the whole process group, else 0; or -1.
int programs_signals(void);

/// Starts a program with no signal blocked and no way to new rights (`PR_SET_NO_NEW_PRIVS`), under a filter of system
/// calls that it and whatever it starts keep. Calls that the filter does not let pass wait at `listener`.
///
/// Returns the number of its process; -1 with errno where it cannot be started, -2 with errno where the kernel takes no
/// such filter.
int programs_start(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment, int *_Nonnull listener);

/// What a system call that waits is about.
enum programs_kind {
  PROGRAMS_UNKNOWN,
  PROGRAMS_OPEN,           // opens a path
  PROGRAMS_OPEN2,          // the same, with `struct open_how`
  PROGRAMS_STATUS,         // stat and its like
  PROGRAMS_LINK,           // reads a symbolic link
  PROGRAMS_ACCESS,         // access and its like
  PROGRAMS_ATTRIBUTES,     // extended attributes of a path
  PROGRAMS_ATTRIBUTE_NAMES,  // the list of those
  PROGRAMS_ENTER,          // makes a path something of the process: its folder, a watch
  PROGRAMS_CHANGE,         // changes what is at a path
  PROGRAMS_REMOVE,         // takes the name of a file away, or gives it another
  PROGRAMS_MOUNT,          // mounts a file system
  PROGRAMS_MOUNTS,         // changes what is mounted
  PROGRAMS_SOCKET,         // a socket of a family that only the preload library serves
  PROGRAMS_IOCTL,          // a request about interfaces
  PROGRAMS_SOCKET_OPTION,  // an option that names an interface or a table of packet filters
  PROGRAMS_CONNECT,        // an address that a socket connects or sends to
  PROGRAMS_MESSAGES,       // datagrams, each of which may have an address
  PROGRAMS_IO_URING,       // io_uring, whose operations no filter sees
  PROGRAMS_MACHINE,        // modules, clocks and the like
  PROGRAMS_CLOCK,          // adjtimex, which also only reads
  PROGRAMS_SIGNAL,         // a signal, the argument `flags`, to the process `out` or that of the descriptor `directory`;
                           // or who has the signals of a descriptor, by the request `size`
  PROGRAMS_PROCESS,        // memory, limits or scheduling of a process, whose number is the argument `out`
};

/// Which argument of a system call is what; -1 for none.
struct programs_shape {
  int kind;
  int directory;  // the folder of a relative path
  int path;
  int flags;
  int out;   // where the result, an address or a name is in the memory of the process
  int size;  // of that
};

struct programs_shape programs_shape(int number);

/// Whether a call without flags is about a link itself: lstat, lchown, lgetxattr and the like.
bool programs_is_of_link(int number);

/// A system call that waits at a listener.
struct programs_call {
  uint64_t id;
  int process;  // the thread that calls
  int number;
  bool is_foreign;  // of a program for another architecture
  uint64_t instruction;
  uint64_t arguments[6];
};

/// Takes the next call that waits; false where it has gone. The listener must be readable.
bool programs_next_call(int listener, struct programs_call *_Nonnull call);

/// Lets a call happen as if there was no filter.
void programs_pass(int listener, uint64_t id);

/// Ends a call with a result; a negative one is an error of errno.
void programs_answer(int listener, uint64_t id, int64_t result);

/// Ends a call with a copy of a file descriptor.
void programs_give(int listener, uint64_t id, int descriptor, bool closes_on_exec);

/// Whether a call that waits goes on waiting when a signal comes that does not end the process.
bool programs_holds_signals(void);

/// Whether the thread of a call still waits, so that its number is its own.
bool programs_is_waiting(int listener, uint64_t id);

/// Reads memory of a process. Returns how many bytes were there, or -1 with errno.
ssize_t programs_read_memory(int process, uint64_t address, void *_Nonnull bytes, size_t size);

/// Reads text that ends with a zero. Returns its length, or -1 with errno.
ssize_t programs_read_text(int process, uint64_t address, char *_Nonnull text, size_t size);

/// Opens a path as if a folder was the root of the file system. Never makes a file. Returns a descriptor, or -1 with
/// errno.
int programs_open_inside(int root, const char *_Nonnull path, int flags);

/// Performs a call of the kinds STATUS and LINK on a file, and writes what it gives into the memory of the process.
/// Returns its result, or an error of errno as a negative number.
int64_t programs_perform(const struct programs_call *_Nonnull call, int file);

/// What is at a path once the kernel has followed its links.
enum programs_place {
  PROGRAMS_NOWHERE,
  PROGRAMS_ELSEWHERE,
  PROGRAMS_MISSING,       // nothing, in a folder elsewhere
  PROGRAMS_KERNEL_FILE,   // sysfs, procfs or debugfs
  PROGRAMS_RADIO_SWITCH,  // the device of rfkill, whatever its name
};

/// Says what a path of a process leads to, and writes the path behind the links, which may go on with what is not
/// there. Goes part by part, as the kernel does for that process: `..` behind a link is of what the link leads to.
///
/// - `directory`: the descriptor of the process that a relative path is of, or AT_FDCWD.
/// - `has_own_root`: whether that is the root of the path, too.
enum programs_place programs_place(
    int process, int directory, const char *_Nonnull path, bool follows, bool has_own_root, char *_Nonnull target, size_t size);

/// The process that made a connection, by the number it has here (`SO_PEERCRED`); 0 where that is not known.
uint32_t programs_peer(int connection);

/// Ends this process with the signal that ended the program.
void programs_end_with_signal(int number);

/// Lets processes whose parents ended become children of this one, so that they are found.
void programs_adopt(void);

/// Makes the page with the time (`struct time_page` of the preload library). Returns it, or NULL with errno.
void *_Nullable programs_time_page(const char *_Nonnull path, uint32_t pace, int64_t now, int64_t origin, int64_t speed, int64_t wall);

/// Changes the time in the page.
void programs_set_time(void *_Nonnull page, int64_t now);

#endif
