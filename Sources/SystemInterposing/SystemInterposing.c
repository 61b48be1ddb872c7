// Clocks, randomness and what leaves, in programs that test: functions of the C library, defined here once more. In a
// job of a simulation they answer from its virtual time and its seed, or report what is done; everywhere else they pass
// everything on.
//
// Linux only: on other systems a program cannot define a function of a library in its place so simply, and this is
// empty.
#if defined(__linux__)
#define _GNU_SOURCE
// Where the compiler optimizes, the headers of glibc define some functions inline (`getline` in bits/stdio.h); here
// they only declare them.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include "SystemInterposing.h"

#include "CDeterminism.h"
#include "Callers.h"
#include "Places.h"

#include <aio.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

DETERMINISM_CODE

// Where a library that is linked statically defines one of these too, that one stands, and the feature is not there.
#define INTERPOSE __attribute__((visibility("default")))
#define INTERPOSE_WEAK __attribute__((visibility("default"), weak))
/// One that no header declares.
#define INTERPOSE_OPAQUE(declared) \
  INTERPOSE_WEAK declared;         \
  INTERPOSE_WEAK declared

#define SWIFT_CC __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

// MARK: Whether this is a job

static determinism_thread *job(unsigned feature) {
  determinism_thread *thread = determinism_this_thread();
  return thread->runs_job && (thread->features & feature) ? thread : NULL;
}

#define NEXT(name) DETERMINISM_NEXT(name, #name)

// MARK: Time

// The wall clock of every simulation starts at 2026-01-01 00:00:00 UTC, and the others an hour after they began.
static const int64_t wall_start = 1767225600;
static const int64_t monotonic_start = 3600;

// What a job does that waits by reading the clock, and would forever: nothing but its end moves the virtual time.
static const unsigned most_reads = 10000000;

static void report(determinism_thread *thread, const char *words, const void *caller);
static determinism_thread *escape(const char *words, const void *caller);
static void end_escape(determinism_thread *escaped);
static void stay_where_given_up(determinism_thread *thread);

/// Reports what the task that runs now does, and lets it; not what that itself does again.
#define ESCAPE(words) determinism_thread *escaped = escape(words, __builtin_return_address(0))
#define END_ESCAPE if (escaped) end_escape(escaped)

#define BLOCKS(name) "called " name ", which blocks the thread of the simulation,"
// Real time goes by in it, and so does the job's from here on: what waits in steps for a time to come must end.
#define BLOCK_AS(words) \
  ESCAPE(words);        \
  begin_to_block(escaped)
#define BLOCK(name) BLOCK_AS(BLOCKS(name))

/// The virtual time, in nanoseconds; with the real time that went by since a job began to block.
static int64_t virtual_now(const determinism_thread *thread) {
  int64_t now = determinism_registered()->now(thread->executor);
  return thread->blocks_since ? now + determinism_real_nanoseconds() - thread->blocks_since : now;
}

static struct timespec virtual_time_since(int64_t start, const determinism_thread *thread) {
  int64_t now = virtual_now(thread);
  return (struct timespec){.tv_sec = start + now / 1000000000, .tv_nsec = now % 1000000000};
}

/// Whether a call is made that is the test library's: what waits for the process of an exit test, and reads what it
/// writes, or waits for an expectation.
static __thread bool is_for_testing;

static void begin_to_block(determinism_thread *thread) {
  if (thread && !is_for_testing && !thread->blocks_since) thread->blocks_since = determinism_real_nanoseconds();
}

static bool virtual_time(clockid_t clock, struct timespec *time, const void *caller) {
  determinism_thread *thread = job(DETERMINISM_CLOCKS);
  if (!thread) return false;
  int64_t start;
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: start = wall_start; break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: start = monotonic_start; break;
    // What the processor did is real.
    default: return false;
  }
  if (++thread->clock_reads % (1 << 16) == 0) stay_where_given_up(thread);
  if (thread->clock_reads == most_reads) {
    report(thread, "reads the clock again and again, whose time stands still until the task waits,", caller);
    begin_to_block(thread);
  }
  *time = virtual_time_since(start, thread);
  return true;
}

INTERPOSE int clock_gettime(clockid_t clock, struct timespec *time) {
  if (virtual_time(clock, time, __builtin_return_address(0))) return 0;
  // Through the vDSO, as the library does.
  NEXT(clock_gettime);
  return original ? original(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

INTERPOSE int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  if (virtual_time(CLOCK_REALTIME, &now, __builtin_return_address(0))) {
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
  }
  NEXT(gettimeofday);
  return original(time, zone);
}

INTERPOSE time_t time(time_t *result) {
  struct timespec now;
  if (virtual_time(CLOCK_REALTIME, &now, __builtin_return_address(0))) {
    if (result) *result = now.tv_sec;
    return now.tv_sec;
  }
  NEXT(time);
  return original(result);
}

INTERPOSE int timespec_get(struct timespec *time, int base) {
  if (base == TIME_UTC && virtual_time(CLOCK_REALTIME, time, __builtin_return_address(0))) return base;
  NEXT(timespec_get);
  return original(time, base);
}

// What the processor did is real, and since when is not.
INTERPOSE clock_t times(struct tms *used) {
  NEXT(times);
  clock_t ticks = original(used);
  struct timespec now;
  if (ticks == (clock_t)-1 || !virtual_time(CLOCK_MONOTONIC, &now, __builtin_return_address(0))) return ticks;
  long second = sysconf(_SC_CLK_TCK);
  return now.tv_sec * second + now.tv_nsec / (1000000000 / second);
}

INTERPOSE int sysinfo(struct sysinfo *information) {
  NEXT(sysinfo);
  int result = original(information);
  struct timespec now;
  if (result == 0 && virtual_time(CLOCK_BOOTTIME, &now, __builtin_return_address(0))) information->uptime = now.tv_sec;
  return result;
}

/// Reads a clock by a call of the system itself; false where it is no such call or no job.
static bool reads_clock(long number, long first, long second, const void *caller, long *result) {
  struct timespec now;
  *result = 0;
  switch (number) {
    case SYS_clock_gettime: return virtual_time((clockid_t)first, (struct timespec *)second, caller);
    case SYS_gettimeofday:
      if (!first || !virtual_time(CLOCK_REALTIME, &now, caller)) return false;
      *(struct timeval *)first = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
      return true;
#ifdef SYS_time
    case SYS_time:
      if (!virtual_time(CLOCK_REALTIME, &now, caller)) return false;
      if (first) *(time_t *)first = now.tv_sec;
      *result = now.tv_sec;
      return true;
#endif
    default: return false;
  }
}

/// The time of a real clock, in a job, too.
static struct timespec real_time(clockid_t clock) {
  NEXT(clock_gettime);
  struct timespec now = {0, 0};
  original(clock, &now);
  return now;
}

// MARK: Randomness

static bool virtual_random(void *bytes, size_t count) {
  const determinism_thread *thread = job(DETERMINISM_RANDOMNESS);
  if (!thread) return false;
  determinism_registered()->random(thread->executor, bytes, count);
  return true;
}

INTERPOSE ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  if (virtual_random(bytes, count)) return (ssize_t)count;
  NEXT(getrandom);
  return original(bytes, count, flags);
}

INTERPOSE int getentropy(void *bytes, size_t count) {
  if (count <= 256 && virtual_random(bytes, count)) return 0;
  NEXT(getentropy);
  return original(bytes, count);
}

INTERPOSE void arc4random_buf(void *bytes, size_t count) {
  if (virtual_random(bytes, count)) return;
  NEXT(arc4random_buf);
  if (original) {
    original(bytes, count);
    return;
  }
  // A library without it, such as glibc before 2.36.
  for (size_t done = 0; done < count;) {
    ssize_t got = syscall(SYS_getrandom, (char *)bytes + done, count - done, 0);
    if (got < 0 && errno != EINTR) abort();
    if (got > 0) done += (size_t)got;
  }
}

INTERPOSE uint32_t arc4random(void) {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

INTERPOSE uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2) return 0;
  // Below this many, some numbers would come more often than others.
  uint32_t least = -bound % bound, value;
  do value = arc4random();
  while (value < least);
  return value % bound;
}

// The standard library of Swift calls this one, and Dispatch does; glibc itself does not.
static bool wait_for_lock(long number, long a, long b, long c, long d, long e, long f, const void *caller, long *result);

/// Whether the program itself waits until a word changes.
static bool waits_for_word(const uint32_t *word, int operation, uint32_t value, const void *caller) {
  int command = operation & FUTEX_CMD_MASK;
  return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && job(DETERMINISM_ESCAPES)
    && __atomic_load_n(word, __ATOMIC_RELAXED) == value && is_called_by_program(caller);
}

INTERPOSE long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long), e = va_arg(list, long),
       f = va_arg(list, long);
  va_end(list);
  if (number == SYS_getrandom && virtual_random((void *)a, (size_t)b)) return b;
  long result;
  if (reads_clock(number, a, b, __builtin_return_address(0), &result)) return result;
  if (number == SYS_futex && wait_for_lock(number, a, b, c, d, e, f, __builtin_return_address(0), &result)) return result;
  NEXT(syscall);
  bool sleeps = number == SYS_nanosleep || number == SYS_clock_nanosleep;
  bool waits = number == SYS_futex && waits_for_word((const uint32_t *)a, (int)b, (uint32_t)c, __builtin_return_address(0));
  if (!sleeps && !waits) return original(number, a, b, c, d, e, f);
  BLOCK_AS(sleeps ? BLOCKS("syscall for a sleep") : BLOCKS("syscall for a futex"));
  result = original(number, a, b, c, d, e, f);
  END_ESCAPE;
  return result;
}

// The generators of C have one state for the whole process: a run has one of its own. It begins with what is drawn from
// the seed, and goes on as the library does from a seed of the program's.

struct kept {
  /// A thread of Foundation, for its dictionary alone.
  void *thread;
  bool is_seeded;
  struct random_data random;
  /// As long as that of the library itself.
  char state[128];
  struct drand48_data random48;
};
_Static_assert(sizeof(struct kept) <= DETERMINISM_KEPT_SIZE, "a run needs more room");

static struct kept *run_generators(void) {
  const determinism_thread *thread = job(DETERMINISM_RANDOMNESS);
  struct kept *all = thread ? thread->kept : NULL;
  if (all && !all->is_seeded) {
    struct {
      unsigned seed;
      unsigned short seed48[3];
    } drawn;
    virtual_random(&drawn, sizeof drawn);
    initstate_r(drawn.seed, all->state, sizeof all->state, &all->random);
    seed48_r(drawn.seed48, &all->random48);
    all->is_seeded = true;
  }
  return all;
}

/// A function of the library with its state, by one that has it as a parameter.
#define C_GENERATOR(type, name, parameters, arguments, in_run) \
  INTERPOSE type name parameters {                             \
    struct kept *all = run_generators();                                        \
    NEXT(name);                                                \
    if (!all) return original arguments;                       \
    in_run;                                                    \
  }
#define C_DRAWN(type, drawn_type, name, state, draw) \
  C_GENERATOR(type, name, (void), (), drawn_type drawn; draw(&all->state, &drawn); return drawn)

C_DRAWN(int, int32_t, rand, random, random_r)
C_DRAWN(long, int32_t, random, random, random_r)
C_DRAWN(double, double, drand48, random48, drand48_r)
C_DRAWN(long, long, lrand48, random48, lrand48_r)
C_DRAWN(long, long, mrand48, random48, mrand48_r)
C_GENERATOR(void, srand, (unsigned seed), (seed), srandom_r(seed, &all->random))
C_GENERATOR(void, srandom, (unsigned seed), (seed), srandom_r(seed, &all->random))
C_GENERATOR(void, srand48, (long seed), (seed), srand48_r(seed, &all->random48))
C_GENERATOR(void, lcong48, (unsigned short parameters[7]), (parameters), lcong48_r(parameters, &all->random48))
C_GENERATOR(
    unsigned short *, seed48, (unsigned short seed[3]), (seed), seed48_r(seed, &all->random48); return all->random48.__old_x)
C_GENERATOR(
    char *, initstate, (unsigned seed, char *state, size_t size), (seed, state, size), char *before = (char *)(all->random.state - 1);
    return initstate_r(seed, state, size, &all->random) == 0 ? before : NULL)
C_GENERATOR(
    char *, setstate, (char *state), (state), char *before = (char *)(all->random.state - 1);
    return setstate_r(state, &all->random) == 0 ? before : NULL)

// `UUID()` of Foundation and other old functions read a device. Descriptors of it are remembered, also those opened
// elsewhere.
enum { device_limit = 4096 };
static _Atomic unsigned char is_random_device[device_limit];

static bool is_device_path(const char *path) {
  return path && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

static int opened(const char *path, int descriptor) {
  bool is_device = is_device_path(path);
  if (descriptor >= 0 && descriptor < device_limit) {
    atomic_store_explicit(&is_random_device[descriptor], is_device, memory_order_relaxed);
  }
  return descriptor;
}

// A file that a job makes or writes has the virtual time, so that what was kept in it is as old there as `Date()` says.

/// Gives a file the virtual time; what is no file is left.
static void set_time_of(int descriptor) {
  const determinism_thread *thread = job(DETERMINISM_CLOCKS);
  int error = errno;
  struct stat status;
  if (thread && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    struct timespec time = virtual_time_since(wall_start, thread);
    futimens(descriptor, (struct timespec[2]){time, time});
  }
  errno = error;
}

/// The same where anything was written to it.
static ssize_t written(int descriptor, ssize_t count) {
  if (count > 0) set_time_of(descriptor);
  return count;
}

/// The same of what is at a path.
static void set_time_at(int folder, const char *path) {
  const determinism_thread *thread = job(DETERMINISM_CLOCKS);
  if (!thread) return;
  int error = errno;
  utimensat(folder, path, (struct timespec[2]){{.tv_nsec = UTIME_OMIT}, virtual_time_since(wall_start, thread)}, 0);
  errno = error;
}

/// The same of the folder that a path is in, as something was made, renamed or removed there.
static void set_time_around(int folder, const char *path) {
  char parent[PATH_MAX];
  size_t length = path ? strlen(path) : 0;
  if (length == 0 || length >= sizeof parent || !job(DETERMINISM_CLOCKS)) return;
  memcpy(parent, path, length + 1);
  while (length > 1 && parent[length - 1] == '/') parent[--length] = 0;
  char *slash = strrchr(parent, '/');
  if (slash) slash[slash == parent] = 0;
  set_time_at(folder, slash ? parent : ".");
}

/// The times to give to a file: those that are to be now are virtual, in a job.
static const struct timespec *virtual_times(const struct timespec *given, struct timespec *times) {
  const determinism_thread *thread = job(DETERMINISM_CLOCKS);
  if (!thread) return given;
  for (int index = 0; index < 2; index++) {
    times[index] = given && given[index].tv_nsec != UTIME_NOW ? given[index] : virtual_time_since(wall_start, thread);
  }
  return times;
}

INTERPOSE int futimens(int descriptor, const struct timespec given[2]) {
  NEXT(futimens);
  struct timespec times[2];
  return original(descriptor, virtual_times(given, times));
}

INTERPOSE int utimensat(int folder, const char *path, const struct timespec given[2], int flags) {
  NEXT(utimensat);
  struct timespec times[2];
  return original(folder, path, virtual_times(given, times), flags);
}

/// Older functions for it, whose `given` is `NULL` for now.
#define SETS_TIME(name, parameters, arguments, now)                         \
  INTERPOSE int name parameters {                                           \
    NEXT(name);                                                             \
    return given || !job(DETERMINISM_CLOCKS) ? original arguments : now;    \
  }
SETS_TIME(utime, (const char *path, const struct utimbuf *given), (path, given), utimensat(AT_FDCWD, path, NULL, 0))
SETS_TIME(utimes, (const char *path, const struct timeval given[2]), (path, given), utimensat(AT_FDCWD, path, NULL, 0))
SETS_TIME(
    lutimes, (const char *path, const struct timeval given[2]), (path, given),
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW))
SETS_TIME(futimes, (int descriptor, const struct timeval given[2]), (descriptor, given), futimens(descriptor, NULL))
SETS_TIME(
    futimesat, (int folder, const char *path, const struct timeval given[2]), (folder, path, given),
    utimensat(folder, path, NULL, 0))

/// What changes a file or a folder where it returns no error, and what has the virtual time then.
#define CHANGES(type, name, parameters, arguments, set_times) \
  INTERPOSE type name parameters {                            \
    NEXT(name);                                               \
    type result = original arguments;                         \
    if (result >= 0) set_times;                               \
    return result;                                            \
  }
CHANGES(int, truncate, (const char *path, off_t size), (path, size), set_time_at(AT_FDCWD, path))
CHANGES(int, truncate64, (const char *path, off64_t size), (path, size), set_time_at(AT_FDCWD, path))
CHANGES(int, ftruncate, (int descriptor, off_t size), (descriptor, size), set_time_of(descriptor))
CHANGES(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size), set_time_of(descriptor))
CHANGES(ssize_t, sendfile, (int to, int from, off_t *offset, size_t count), (to, from, offset, count), written(to, result))
CHANGES(ssize_t, sendfile64, (int to, int from, off64_t *offset, size_t count), (to, from, offset, count), written(to, result))
CHANGES(
    ssize_t, copy_file_range, (int from, off64_t *read, int to, off64_t *write, size_t count, unsigned flags),
    (from, read, to, write, count, flags), written(to, result))
CHANGES(
    int, mkdir, (const char *path, mode_t mode), (path, mode), set_time_at(AT_FDCWD, path); set_time_around(AT_FDCWD, path))
CHANGES(
    int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), set_time_at(folder, path);
    set_time_around(folder, path))
CHANGES(int, rmdir, (const char *path), (path), set_time_around(AT_FDCWD, path))
CHANGES(int, unlink, (const char *path), (path), set_time_around(AT_FDCWD, path))
CHANGES(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), set_time_around(folder, path))
CHANGES(int, remove, (const char *path), (path), set_time_around(AT_FDCWD, path))
CHANGES(
    int, rename, (const char *path, const char *other), (path, other), set_time_around(AT_FDCWD, path);
    set_time_around(AT_FDCWD, other))
CHANGES(
    int, renameat, (int folder, const char *path, int other_folder, const char *other), (folder, path, other_folder, other),
    set_time_around(folder, path);
    set_time_around(other_folder, other))
CHANGES(
    int, renameat2, (int folder, const char *path, int other_folder, const char *other, unsigned flags),
    (folder, path, other_folder, other, flags), set_time_around(folder, path);
    set_time_around(other_folder, other))
CHANGES(int, link, (const char *path, const char *other), (path, other), set_time_around(AT_FDCWD, other))
CHANGES(
    int, linkat, (int folder, const char *path, int other_folder, const char *other, int flags),
    (folder, path, other_folder, other, flags), set_time_around(other_folder, other))
CHANGES(int, symlink, (const char *text, const char *path), (text, path), set_time_around(AT_FDCWD, path))
CHANGES(int, symlinkat, (const char *text, int folder, const char *path), (text, folder, path), set_time_around(folder, path))

struct opening {
  determinism_thread *escaped;
  /// Whether it makes or empties a file, in a job, and whether that is new in its folder.
  bool makes, is_new;
};

/// Opening one end of a named pipe waits for the other.
static determinism_thread *open_pipe(int folder, const char *path, int flags, const void *caller) {
  if (!path || flags & (O_NONBLOCK | O_PATH) || (flags & O_ACCMODE) == O_RDWR || !job(DETERMINISM_ESCAPES)) return NULL;
  int error = errno;
  struct stat status;
  bool is_pipe = fstatat(folder, path, &status, 0) == 0 && S_ISFIFO(status.st_mode);
  errno = error;
  if (!is_pipe) return NULL;
  determinism_thread *escaped = escape("opened a named pipe, which blocks the thread of the simulation,", caller);
  begin_to_block(escaped);
  return escaped;
}

static struct opening begin_to_open(int folder, const char *path, int flags, const void *caller) {
  struct opening opening = {.escaped = open_pipe(folder, path, flags, caller)};
  if (flags & (O_CREAT | O_TRUNC) && job(DETERMINISM_CLOCKS)) {
    int error = errno;
    opening.is_new = path && faccessat(folder, path, F_OK, 0) != 0;
    opening.makes = flags & O_TRUNC || opening.is_new;
    errno = error;
  }
  return opening;
}

static int end_to_open(int folder, const char *path, int descriptor, struct opening opening) {
  if (opening.escaped) end_escape(opening.escaped);
  if (opening.makes && descriptor >= 0) set_time_of(descriptor);
  if (opening.is_new && descriptor >= 0) set_time_around(folder, path);
  return opened(path, descriptor);
}

/// Opens what the run has in the place of a file of the kernel whose text is another each time; -1 where it has none.
static int open_of_run(const char *path, int flags) {
  char text[64];
  unsigned char bytes[16];
  struct timespec now;
  if (!path || strncmp(path, "/proc/", strlen("/proc/")) != 0) return -1;
  if (strcmp(path, "/proc/sys/kernel/random/uuid") == 0 && virtual_random(bytes, sizeof bytes)) {
    bytes[6] = (bytes[6] & 0x0F) | 0x40;
    bytes[8] = (bytes[8] & 0x3F) | 0x80;
    size_t length = 0;
    for (size_t index = 0; index < sizeof bytes; index++) {
      length += (size_t)sprintf(text + length, index == 4 || index == 6 || index == 8 || index == 10 ? "-%02x" : "%02x", bytes[index]);
    }
    strcpy(text + length, "\n");
  } else if (strcmp(path, "/proc/uptime") == 0 && virtual_time(CLOCK_BOOTTIME, &now, __builtin_return_address(0))) {
    long long second = now.tv_sec;
    int hundredth = (int)(now.tv_nsec / 10000000);
    snprintf(text, sizeof text, "%lld.%02d %lld.%02d\n", second, hundredth, second, hundredth);
  } else {
    return -1;
  }
  int descriptor = memfd_create("of the run", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
  if (descriptor < 0) return -1;
  if (pwrite(descriptor, text, strlen(text), 0) < 0) abort();
  return opened(NULL, descriptor);
}

#define OPENS(name, parameters, folder, arguments)                                                \
  INTERPOSE int name parameters {                                                                 \
    va_list list;                                                                                 \
    va_start(list, flags);                                                                        \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                       \
    va_end(list);                                                                                 \
    NEXT(name);                                                                                   \
    int of_run = open_of_run(path, flags);                                                        \
    if (of_run >= 0) return of_run;                                                               \
    struct opening opening = begin_to_open(folder, path, flags, __builtin_return_address(0));     \
    return end_to_open(folder, path, original arguments, opening);                                \
  }
OPENS(open, (const char *path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPENS(open64, (const char *path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPENS(openat, (int folder, const char *path, int flags, ...), folder, (folder, path, flags, mode))

/// Fills the buffer of a stream of the device, which reads inside of the library.
static ssize_t read_random(void *cookie, char *bytes, size_t count) {
  (void)cookie;
  arc4random_buf(bytes, count);
  return (ssize_t)count;
}

/// A stream in the place of one that would have what the run does not: that of the device, or a file of the kernel.
static FILE *open_stream_of_run(const char *path, const char *mode) {
  if (is_device_path(path) && strchr(mode, 'r') && job(DETERMINISM_RANDOMNESS)) {
    FILE *stream = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_random});
    // Nothing that is drawn is left over for what reads it later.
    if (stream) setvbuf(stream, NULL, _IONBF, 0);
    return stream;
  }
  int descriptor = open_of_run(path, strchr(mode, 'e') ? O_CLOEXEC : 0);
  return descriptor < 0 ? NULL : fdopen(descriptor, mode);
}

#define OPENS_STREAM(name)                                                                             \
  INTERPOSE FILE *name(const char *restrict path, const char *restrict mode) {                          \
    NEXT(name);                                                                                         \
    FILE *of_run = open_stream_of_run(path, mode);                                                      \
    if (of_run) return of_run;                                                                          \
    int flags = strchr(mode, '+') ? O_RDWR : strchr(mode, 'r') ? O_RDONLY : O_WRONLY;                   \
    flags |= strchr(mode, 'w') ? O_CREAT | O_TRUNC : strchr(mode, 'a') ? O_CREAT : 0;                    \
    struct opening opening = begin_to_open(AT_FDCWD, path, flags, __builtin_return_address(0));         \
    FILE *stream = original(path, mode);                                                                \
    end_to_open(AT_FDCWD, path, stream ? fileno(stream) : -1, opening);                                 \
    return stream;                                                                                      \
  }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

// Names that no file has yet, such as those of `mkstemp`: their letters are drawn from the seed.

struct new_name {
  char *letters;
  uint64_t word;
  int attempts;
};
enum { letter_count = 6, most_names = 10000 };

/// Draws letters, once: where a file of that name is left from before, what is drawn later must be as it was.
static bool next_name(struct new_name *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  if (name->attempts++ == most_names) return false;
  name->word += 0x9E3779B97F4A7C15;
  uint64_t word = (name->word ^ name->word >> 30) * 0xBF58476D1CE4E5B9;
  word ^= word >> 27;
  for (int index = 0; index < letter_count; index++) {
    name->letters[index] = letters[word % (sizeof letters - 1)];
    word /= sizeof letters - 1;
  }
  return true;
}

/// Begins to draw names, in a job; `end` is where the letters end.
static bool begin_name(struct new_name *name, char *end) {
  *name = (struct new_name){.letters = end - letter_count};
  return virtual_random(&name->word, sizeof name->word) && next_name(name);
}

/// Whether a template has the letters that are to be drawn, in front of so many others.
static bool is_template(const char *text, int suffix) {
  size_t length = strlen(text), end = suffix < 0 ? length + 1 : (size_t)suffix + letter_count;
  return end <= length && strncmp(text + length - end, "XXXXXX", letter_count) == 0;
}

/// Makes something with a new name; `made` says what, and whether.
#define NAMES(type, name, parameters, arguments, suffix, made, none)                                    \
  INTERPOSE type name parameters {                                                                      \
    NEXT(name);                                                                                         \
    struct new_name drawn;                                                                              \
    if (!is_template(text, suffix) || !begin_name(&drawn, text + strlen(text) - (suffix))) return original arguments; \
    type result;                                                                                        \
    do result = made;                                                                                   \
    while (result == none && errno == EEXIST && next_name(&drawn));                                     \
    return result;                                                                                      \
  }
#define NAMES_FILE(name, parameters, arguments, suffix, flags) \
  NAMES(int, name, parameters, arguments, suffix, open(text, O_RDWR | O_CREAT | O_EXCL | ((flags) & ~O_ACCMODE), 0600), -1)
NAMES_FILE(mkstemp, (char *text), (text), 0, 0)
NAMES_FILE(mkstemp64, (char *text), (text), 0, 0)
NAMES_FILE(mkostemp, (char *text, int flags), (text, flags), 0, flags)
NAMES_FILE(mkostemp64, (char *text, int flags), (text, flags), 0, flags)
NAMES_FILE(mkstemps, (char *text, int suffix), (text, suffix), suffix, 0)
NAMES_FILE(mkstemps64, (char *text, int suffix), (text, suffix), suffix, 0)
NAMES_FILE(mkostemps, (char *text, int suffix, int flags), (text, suffix, flags), suffix, flags)
NAMES_FILE(mkostemps64, (char *text, int suffix, int flags), (text, suffix, flags), suffix, flags)
NAMES(char *, mkdtemp, (char *text), (text), 0, mkdir(text, 0700) == 0 ? text : NULL, NULL)

/// Draws the last letters of a path that the library has found, in a job, until no file has it.
static char *drawn_name(char *path) {
  struct new_name name;
  int error = errno;
  if (path && strlen(path) >= letter_count && begin_name(&name, path + strlen(path))) {
    while (access(path, F_OK) == 0 && next_name(&name)) continue;
  }
  errno = error;
  return path;
}

#define FINDS_NAME(name, parameters, arguments) \
  INTERPOSE char *name parameters {             \
    NEXT(name);                                 \
    return drawn_name(original arguments);      \
  }
FINDS_NAME(tempnam, (const char *folder, const char *prefix), (folder, prefix))
FINDS_NAME(tmpnam, (char *path), (path))
FINDS_NAME(tmpnam_r, (char *path), (path))
FINDS_NAME(mktemp, (char *text), (text))

static bool is_random(int descriptor) {
  return descriptor >= 0 && descriptor < device_limit
    && atomic_load_explicit(&is_random_device[descriptor], memory_order_relaxed);
}

INTERPOSE int close(int descriptor) {
  // The next one of its number is another.
  opened(NULL, descriptor);
  NEXT(close);
  return original(descriptor);
}

// MARK: What leaves

// The thread, where it is one of a simulation: until `END_ESCAPE` nothing on it counts.
static determinism_thread *escape(const char *words, const void *caller) {
  determinism_thread *thread = determinism_this_thread();
  if (!thread->runs_job || !(thread->features & (DETERMINISM_ESCAPES | DETERMINISM_CLOCKS))) return NULL;
  is_for_testing = is_called_by_testing(caller);
  thread->runs_job = false;
  if (!is_for_testing) report(thread, words, caller);
  return thread;
}

static void end_escape(determinism_thread *escaped) {
  // The call may have set `errno` last, which what happens here must not change.
  int error = errno;
  stay_where_given_up(escaped);
  is_for_testing = false;
  escaped->runs_job = true;
  errno = error;
}

/// Where no caller waits for the run of this thread any more, its job stops here: what it would return to may be gone.
static void stay_where_given_up(determinism_thread *thread) {
  if (determinism_registered()->is_given_up(thread->executor)) determinism_park_thread();
}

static const char *or_null(const char *text) { return *text ? text : NULL; }

static void report(determinism_thread *thread, const char *words, const void *caller) {
  if (!(thread->features & DETERMINISM_ESCAPES)) return;
  bool runs_job = thread->runs_job;
  int error = errno;
  thread->runs_job = false;
  struct place place;
  find_place_of_caller(caller, &place);
  determinism_registered()->escape(thread->executor, words, or_null(place.function), or_null(place.line));
  thread->runs_job = runs_job;
  errno = error;
}

// A call that leaves does so in real time, and so must its deadline: that of a simulation may never come.

static int64_t nanoseconds(const struct timespec *time) {
  if (time->tv_sec > INT64_MAX / 1000000000 - 1) return INT64_MAX;
  return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static struct timespec timespec_of(int64_t time) {
  return (struct timespec){.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000};
}

/// How far ahead on its virtual clock a deadline is, in nanoseconds.
static int64_t time_left(const determinism_thread *thread, clockid_t clock, int64_t deadline) {
  int64_t start = clock == CLOCK_REALTIME ? wall_start : monotonic_start;
  return deadline - (start * 1000000000 + virtual_now(thread));
}

/// The deadline on a real clock that is as far ahead as `deadline` is on the virtual one, in nanoseconds.
static int64_t real_deadline(const determinism_thread *escaped, clockid_t clock, int64_t deadline) {
  if (!escaped || !(escaped->features & DETERMINISM_CLOCKS)) return deadline;
  int64_t left = time_left(escaped, clock, deadline);
  struct timespec now = real_time(clock);
  int64_t real = nanoseconds(&now);
  return left <= 0 ? real : left > INT64_MAX - real ? INT64_MAX : real + left;
}

/// A deadline that is over on each real clock.
static const struct timespec long_ago = {0, 0};

static struct timespec real_timespec(const determinism_thread *escaped, clockid_t clock, const struct timespec *deadline) {
  if (!deadline) return long_ago;
  return timespec_of(real_deadline(escaped, clock, nanoseconds(deadline)));
}

/// Whether the deadline of a job is over: what has it does not wait.
static bool is_over(clockid_t clock, const struct timespec *deadline) {
  const determinism_thread *thread = job(DETERMINISM_CLOCKS);
  return thread && deadline && time_left(thread, clock, nanoseconds(deadline)) <= 0;
}

/// The clock and the time of a `dispatch_time_t`; false where it is never or now.
static bool read_dispatch_time(uint64_t deadline, clockid_t *clock, int64_t *time) {
  const uint64_t continuous = UINT64_C(1) << 62;
  // Zero is now, all bits are never, the last but one is the wall clock's now, and a negative one is of that.
  if (deadline == 0 || deadline >= UINT64_MAX - 1) return false;
  *clock = deadline >> 63 ? CLOCK_REALTIME : deadline & continuous ? CLOCK_BOOTTIME : CLOCK_MONOTONIC;
  *time = deadline >> 63 ? -(int64_t)deadline : (int64_t)(deadline & ~continuous);
  return true;
}

/// The same as `real_deadline` of a `dispatch_time_t`.
static uint64_t real_dispatch_time(const determinism_thread *escaped, uint64_t deadline) {
  clockid_t clock;
  int64_t time;
  if (!read_dispatch_time(deadline, &clock, &time)) return deadline;
  int64_t real = real_deadline(escaped, clock, time);
  if (clock == CLOCK_REALTIME) return (uint64_t)-real;
  return (uint64_t)real | (deadline & UINT64_C(1) << 62);
}

static bool is_dispatch_time_over(uint64_t deadline) {
  const determinism_thread *thread = job(DETERMINISM_CLOCKS);
  clockid_t clock;
  int64_t time;
  if (!read_dispatch_time(deadline, &clock, &time)) return deadline != UINT64_MAX;
  return thread && time_left(thread, clock, time) <= 0;
}

#define LEAVES(name) "called " name ", which goes on elsewhere,"

/// A call that leaves the run where `leaves`, as `action` says.
#define LEAVING_WHERE(leaves, action, type, name, parameters, arguments) \
  INTERPOSE type name parameters {                                       \
    NEXT(name);                                                          \
    if (!(leaves)) return original arguments;                            \
    action;                                                              \
    type result = original arguments;                                    \
    END_ESCAPE;                                                          \
    return result;                                                       \
  }
/// A call that leaves the run, as `words` say.
#define LEAVING(type, name, parameters, arguments, words) \
  LEAVING_WHERE(true, ESCAPE(words), type, name, parameters, arguments)
/// A call that blocks where `waits`.
#define BLOCKING(type, name, parameters, arguments, waits) \
  LEAVING_WHERE(waits, BLOCK(#name), type, name, parameters, arguments)

static bool is_zero(const struct timespec *time) { return time && time->tv_sec == 0 && time->tv_nsec == 0; }

// What a job does that waits by letting other threads run: a lock that turns is had for less than this.
static const unsigned most_yields = 10000;

/// Counts that a job lets other threads run, and reports it where that is a wait. No task of its run is on one.
static void let_others_run(const char *words, const void *caller) {
  determinism_thread *thread = job(DETERMINISM_ESCAPES);
  if (!thread) return;
  if (++thread->yields % (1 << 10) == 0) stay_where_given_up(thread);
  if (thread->yields != most_yields) return;
  report(thread, words, caller);
  begin_to_block(thread);
}

#define LETS_OTHERS_RUN(name) \
  let_others_run("called " name " again and again, which gives no task of the simulation a turn,", __builtin_return_address(0))

INTERPOSE int sched_yield(void) {
  NEXT(sched_yield);
  LETS_OTHERS_RUN("sched_yield");
  return original();
}

INTERPOSE void thrd_yield(void) {
  NEXT(thrd_yield);
  LETS_OTHERS_RUN("thrd_yield");
  original();
}

/// A sleep, which blocks; one of no time lets other threads run, as the locks of Foundation do in turns with asking
/// whether they are free.
#define SLEEPING(type, name, parameters, arguments, has_no_time) \
  BLOCKING(type, name, parameters, arguments, !(has_no_time) || (LETS_OTHERS_RUN(#name), false))
SLEEPING(int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest), is_zero(time))
SLEEPING(int, usleep, (useconds_t time), (time), time == 0)
SLEEPING(unsigned, sleep, (unsigned time), (time), time == 0)
SLEEPING(int, thrd_sleep, (const struct timespec *time, struct timespec *rest), (time, rest), is_zero(time))

INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  NEXT(clock_nanosleep);
  if (flags & TIMER_ABSTIME && is_over(clock, time)) return original(clock, flags, &long_ago, rest);
  BLOCK("clock_nanosleep");
  struct timespec deadline;
  if (escaped && (flags & TIMER_ABSTIME)) {
    deadline = real_timespec(escaped, clock, time);
    time = &deadline;
  }
  int result = original(clock, flags, time, rest);
  END_ESCAPE;
  return result;
}

// A semaphore that is free is a lock that is taken, and no wait.
INTERPOSE int sem_wait(sem_t *semaphore) {
  if (job(DETERMINISM_ESCAPES) && sem_trywait(semaphore) == 0) return 0;
  BLOCK("sem_wait");
  NEXT(sem_wait);
  int result = original(semaphore);
  END_ESCAPE;
  return result;
}

/// A wait until a `time` of a clock, which `until` does, with that of a real one as its `deadline`; where `at_once`
/// returns it is none.
#define WAITS_UNLESS(at_once, name, clock, parameters, until) \
  INTERPOSE int name parameters {                             \
    NEXT(name);                                               \
    struct timespec deadline = long_ago;                      \
    at_once;                                                  \
    BLOCK(#name);                                             \
    deadline = real_timespec(escaped, clock, time);           \
    int result = until;                                       \
    END_ESCAPE;                                               \
    return result;                                            \
  }
#define WAITS_UNTIL(name, clock, parameters, until) \
  WAITS_UNLESS(if (is_over(clock, time)) return until, name, clock, parameters, until)
// A semaphore that is free is taken whatever the time is.
#define WAITS_FOR_SEMAPHORE(name, clock, parameters, until)                           \
  WAITS_UNLESS(                                                                       \
      if (job(DETERMINISM_ESCAPES)) {                                                 \
        int result = until;                                                           \
        if (result == 0 || errno != ETIMEDOUT || is_over(clock, time)) return result; \
      },                                                                              \
      name, clock, parameters, until)
WAITS_FOR_SEMAPHORE(
    sem_timedwait, CLOCK_REALTIME, (sem_t *restrict semaphore, const struct timespec *restrict time), original(semaphore, &deadline))
WAITS_FOR_SEMAPHORE(
    sem_clockwait, clock, (sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict time),
    original(semaphore, clock, &deadline))
// Which clock it is of is unknown; the virtual ones are far apart.
WAITS_UNTIL(
    pthread_cond_timedwait, time->tv_sec < wall_start / 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME,
    (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time),
    original(condition, mutex, &deadline))
WAITS_UNTIL(
    pthread_cond_clockwait, clock,
    (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time),
    original(condition, mutex, clock, &deadline))

BLOCKING(int, pthread_join, (pthread_t other, void **result_of), (other, result_of), true)

// A join without a limit waits as `pthread_join` does.
WAITS_UNTIL(
    pthread_timedjoin_np, CLOCK_REALTIME, (pthread_t other, void **result_of, const struct timespec *time),
    original(other, result_of, time ? &deadline : NULL))
WAITS_UNTIL(
    pthread_clockjoin_np, clock, (pthread_t other, void **result_of, clockid_t clock, const struct timespec *time),
    original(other, result_of, clock, time ? &deadline : NULL))

LEAVING_WHERE(
    !job(DETERMINISM_ESCAPES) || !is_called_to_start_programs(__builtin_return_address(0)), ESCAPE(LEAVES("pthread_create")), int,
    pthread_create,
    (pthread_t *restrict made, const pthread_attr_t *restrict attributes, void *(*body)(void *), void *restrict argument),
    (made, attributes, body, argument))

// Threads of C11. Their mutexes are those of POSIX in glibc, which is their only implementation on Linux.

BLOCKING(int, thrd_join, (thrd_t other, int *result_of), (other, result_of), true)
LEAVING(int, thrd_create, (thrd_t *made, thrd_start_t body, void *argument), (made, body, argument), LEAVES("thrd_create"))
BLOCKING(int, cnd_wait, (cnd_t *condition, mtx_t *mutex), (condition, mutex), true)

WAITS_UNTIL(
    cnd_timedwait, CLOCK_REALTIME, (cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time),
    original(condition, mutex, &deadline))

// MARK: Waits that may be none
//
// What is there already is no wait: whether there is one is asked for before. Descriptors that do not block never wait.

/// How often it is asked, while another thread has a lock, whether the run is to end, in nanoseconds. Only then is the
/// wait reported: a lock that is had for a while, by a run on another thread or on a busy machine, changes nothing.
static const long nap = 50000000;

static bool is_to_end(const determinism_thread *thread) { return determinism_registered()->is_to_end(thread->executor); }

static struct timespec after_a_nap(clockid_t clock) {
  struct timespec now = real_time(clock);
  return timespec_of(nanoseconds(&now) + nap);
}

/// Blocks where `waits` and where it `is_busy` when it is asked without waiting, by `attempt`; the end of a function.
#define BLOCK_IF_BUSY(name, arguments, waits, attempt, is_busy) \
  if (!(waits)) return original arguments;                      \
  if (job(DETERMINISM_ESCAPES)) {                               \
    int result = original attempt;                              \
    if (!(is_busy)) return result;                              \
  }                                                             \
  BLOCK(name);                                                  \
  int result = original arguments;                              \
  END_ESCAPE;                                                   \
  return result
#define POLLING(name, parameters, arguments, waits, attempt)      \
  INTERPOSE int name parameters {                                 \
    NEXT(name);                                                   \
    BLOCK_IF_BUSY(#name, arguments, waits, attempt, result == 0); \
  }

POLLING(
    poll, (struct pollfd *descriptors, nfds_t count, int timeout), (descriptors, count, timeout), timeout != 0,
    (descriptors, count, 0))

POLLING(
    ppoll, (struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
    (descriptors, count, timeout, mask), !is_zero(timeout), (descriptors, count, &(struct timespec){0, 0}, mask))

/// A call that says in sets which of their descriptors are ready: `attempt` asks without waiting. A set of more
/// descriptors than fit into the type is only passed on.
#define SELECTING(name, parameters, arguments, waits, attempt)                               \
  INTERPOSE int name parameters {                                                            \
    NEXT(name);                                                                              \
    if (!(waits)) return original arguments;                                                 \
    if (job(DETERMINISM_ESCAPES) && count <= FD_SETSIZE) {                                   \
      fd_set *sets[] = {reads, writes, errors}, before[3];                                   \
      for (int index = 0; index < 3; index++) if (sets[index]) before[index] = *sets[index]; \
      int ready = original attempt;                                                          \
      if (ready != 0) return ready;                                                          \
      for (int index = 0; index < 3; index++) if (sets[index]) *sets[index] = before[index]; \
    }                                                                                        \
    BLOCK(#name);                                                                            \
    int result = original arguments;                                                         \
    END_ESCAPE;                                                                              \
    return result;                                                                           \
  }

SELECTING(
    select,
    (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors, struct timeval *restrict timeout),
    (count, reads, writes, errors, timeout), !timeout || timeout->tv_sec != 0 || timeout->tv_usec != 0,
    (count, reads, writes, errors, &(struct timeval){0, 0}))

SELECTING(
    pselect,
    (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors, const struct timespec *restrict timeout,
     const sigset_t *restrict mask),
    (count, reads, writes, errors, timeout, mask), !is_zero(timeout),
    (count, reads, writes, errors, &(struct timespec){0, 0}, mask))

POLLING(
    epoll_wait, (int descriptor, struct epoll_event *events, int count, int timeout), (descriptor, events, count, timeout),
    timeout != 0, (descriptor, events, count, 0))

POLLING(
    epoll_pwait, (int descriptor, struct epoll_event *events, int count, int timeout, const sigset_t *mask),
    (descriptor, events, count, timeout, mask), timeout != 0, (descriptor, events, count, 0, mask))

POLLING(
    epoll_pwait2,
    (int descriptor, struct epoll_event *events, int count, const struct timespec *timeout, const sigset_t *mask),
    (descriptor, events, count, timeout, mask), !is_zero(timeout), (descriptor, events, count, &(struct timespec){0, 0}, mask))

/// Whether reading from a descriptor would wait, in a job.
static bool would_wait(int descriptor) {
  if (!job(DETERMINISM_ESCAPES)) return false;
  int error = errno;
  long flags = syscall(SYS_fcntl, descriptor, F_GETFL);
  struct pollfd one = {.fd = descriptor, .events = POLLIN};
  bool waits = flags >= 0 && !(flags & O_NONBLOCK) && poll(&one, 1, 0) == 0;
  errno = error;
  return waits;
}

INTERPOSE ssize_t read(int descriptor, void *bytes, size_t count) {
  if (is_random(descriptor) && virtual_random(bytes, count)) return (ssize_t)count;
  NEXT(read);
  if (count == 0 || !would_wait(descriptor)) return original(descriptor, bytes, count);
  BLOCK("read");
  ssize_t result = original(descriptor, bytes, count);
  END_ESCAPE;
  return result;
}

BLOCKING(ssize_t, readv, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count), would_wait(descriptor))

BLOCKING(int, eventfd_read, (int descriptor, eventfd_t *value), (descriptor, value), would_wait(descriptor))

/// A wait for a queue of messages or for semaphores of System V, which `until` does with a `limit`; none where it can
/// be done at once, or where it is not to be waited for.
#define WAITS_IN_KERNEL(type, name, timed, parameters, given, error, is_none, real, until) \
  INTERPOSE type name parameters {                                                         \
    NEXT(timed);                                                                           \
    const struct timespec *time_given = given, *limit = time_given;                        \
    if (!job(DETERMINISM_ESCAPES)) return until;                                           \
    limit = &long_ago;                                                                     \
    type result = until;                                                                   \
    if (result >= 0 || errno != error || (is_none)) return result;                         \
    BLOCK(#name);                                                                          \
    struct timespec real_limit = time_given ? real : long_ago;                             \
    limit = time_given ? &real_limit : NULL;                                               \
    result = until;                                                                        \
    END_ESCAPE;                                                                            \
    return result;                                                                         \
  }
#define WAITS_FOR_QUEUE(type, name, timed, parameters, given, until)                               \
  WAITS_IN_KERNEL(                                                                                 \
      type, name, timed, parameters, given, ETIMEDOUT, is_over(CLOCK_REALTIME, time_given),        \
      real_timespec(escaped, CLOCK_REALTIME, time_given), until)
WAITS_FOR_QUEUE(
    ssize_t, mq_receive, mq_timedreceive, (mqd_t queue, char *text, size_t size, unsigned *priority), NULL,
    original(queue, text, size, priority, limit))
WAITS_FOR_QUEUE(
    ssize_t, mq_timedreceive, mq_timedreceive,
    (mqd_t queue, char *restrict text, size_t size, unsigned *restrict priority, const struct timespec *restrict time), time,
    original(queue, text, size, priority, limit))
WAITS_FOR_QUEUE(
    int, mq_send, mq_timedsend, (mqd_t queue, const char *text, size_t size, unsigned priority), NULL,
    original(queue, text, size, priority, limit))
WAITS_FOR_QUEUE(
    int, mq_timedsend, mq_timedsend,
    (mqd_t queue, const char *text, size_t size, unsigned priority, const struct timespec *time), time,
    original(queue, text, size, priority, limit))

static bool has_no_wait(const struct sembuf *operations, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (operations[index].sem_flg & IPC_NOWAIT) return true;
  }
  return false;
}
#define WAITS_FOR_SEMAPHORES(name, parameters, given)                                                                \
  WAITS_IN_KERNEL(                                                                                                   \
      int, name, semtimedop, parameters, given, EAGAIN, is_zero(time_given) || has_no_wait(operations, count), *time_given, \
      original(set, operations, count, limit))
WAITS_FOR_SEMAPHORES(semop, (int set, struct sembuf *operations, size_t count), NULL)
WAITS_FOR_SEMAPHORES(
    semtimedop, (int set, struct sembuf *operations, size_t count, const struct timespec *time), time)

// Streams of C read by calls that stay inside of the library.

/// Whether reading from a stream would wait: nothing is left of what was read before.
static bool stream_would_wait(FILE *stream) {
  if (!stream || !job(DETERMINISM_ESCAPES) || stream->_IO_read_ptr < stream->_IO_read_end) return false;
  int descriptor = fileno(stream);
  return descriptor >= 0 && would_wait(descriptor);
}

BLOCKING(int, fgetc, (FILE *stream), (stream), stream_would_wait(stream))
BLOCKING(
    char *, fgets, (char *restrict line, int size, FILE *restrict stream), (line, size, stream), stream_would_wait(stream))
BLOCKING(
    size_t, fread, (void *restrict bytes, size_t size, size_t count, FILE *restrict stream), (bytes, size, count, stream),
    stream_would_wait(stream))
BLOCKING(
    ssize_t, getline, (char **restrict line, size_t *restrict size, FILE *restrict stream), (line, size, stream),
    stream_would_wait(stream))
BLOCKING(
    ssize_t, getdelim, (char **restrict line, size_t *restrict size, int end, FILE *restrict stream), (line, size, end, stream),
    stream_would_wait(stream))
#undef getc
BLOCKING(int, getc, (FILE *stream), (stream), stream_would_wait(stream))

INTERPOSE int flock(int descriptor, int operation) {
  NEXT(flock);
  bool waits = job(DETERMINISM_ESCAPES) && !(operation & LOCK_NB) && operation & (LOCK_SH | LOCK_EX);
  BLOCK_IF_BUSY(
      "flock", (descriptor, operation), waits, (descriptor, operation | LOCK_NB), result != 0 && errno == EWOULDBLOCK);
}

INTERPOSE int lockf(int descriptor, int operation, off_t size) {
  NEXT(lockf);
  BLOCK_IF_BUSY(
      "lockf", (descriptor, operation, size), job(DETERMINISM_ESCAPES) && operation == F_LOCK, (descriptor, F_TLOCK, size),
      result != 0 && (errno == EACCES || errno == EAGAIN));
}

/// The same without waiting, of what locks a file and waits; 0 of everything else.
static int without_waiting(int command) {
  return command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : 0;
}

#define LOCKS_BY_FCNTL(name)                                                                                                       \
  INTERPOSE int name(int descriptor, int command, ...) {                                                                           \
    va_list list;                                                                                                                  \
    va_start(list, command);                                                                                                       \
    void *argument = va_arg(list, void *);                                                                                         \
    va_end(list);                                                                                                                  \
    NEXT(name);                                                                                                                    \
    int attempt = without_waiting(command);                                                                                        \
    BLOCK_IF_BUSY(                                                                                                                 \
        "fcntl for a lock", (descriptor, command, argument), attempt && job(DETERMINISM_ESCAPES), (descriptor, attempt, argument), \
        result != 0 && (errno == EACCES || errno == EAGAIN));                                                                      \
  }
LOCKS_BY_FCNTL(fcntl)
LOCKS_BY_FCNTL(fcntl64)

// Locks that are held in memory. Those of Swift (`Mutex`) and of Dispatch wait by `syscall`, those of C and Foundation
// here.

/// Waits for a lock that another thread has, until the deadline or until the run is to end; `ETIMEDOUT` then.
///
/// `attempt` waits until `limit`, a time of `clock`. Nothing on this thread counts meanwhile.
#define WAIT_IN_NAPS(result, clock, deadline, attempt)             \
  determinism_thread *thread = determinism_this_thread();          \
  thread->runs_job = false;                                        \
  const struct timespec *end = deadline;                           \
  struct timespec limit;                                           \
  bool is_last;                                                    \
  do {                                                             \
    limit = after_a_nap(clock);                                    \
    is_last = end && !is_before(&limit, end);                      \
    if (is_last) limit = *end;                                     \
    result = attempt;                                              \
  } while (result == ETIMEDOUT && !is_last && !is_to_end(thread)); \
  thread->runs_job = true

static bool is_before(const struct timespec *time, const struct timespec *other) {
  return time->tv_sec < other->tv_sec || (time->tv_sec == other->tv_sec && time->tv_nsec < other->tv_nsec);
}

/// Whether this thread has a lock: a run has its thread to itself, so no other thread will ever unlock it.
static bool is_mine(const pthread_mutex_t *mutex) {
#if defined(__GLIBC__)
  return mutex->__data.__owner != 0 && mutex->__data.__owner == (int)syscall(SYS_gettid);
#else
  (void)mutex;
  return false;
#endif
}

#define OWN_LOCK(name) "called " name " for a lock that this run has already, which blocks the thread of the simulation,"

#define LOCKS(name, type, free, is_own, clock, timed)     \
  INTERPOSE int name(type *lock) {                        \
    NEXT(name);                                           \
    if (!job(DETERMINISM_ESCAPES)) return original(lock); \
    int result = free(lock);                              \
    if (result != EBUSY) return result;                   \
    bool has_it = is_own;                                 \
    if (!has_it) {                                        \
      WAIT_IN_NAPS(result, clock, NULL, timed);           \
      if (result != ETIMEDOUT) return result;             \
    }                                                     \
    BLOCK_AS(has_it ? OWN_LOCK(#name) : BLOCKS(#name));   \
    result = original(lock);                              \
    END_ESCAPE;                                           \
    return result;                                        \
  }
LOCKS(
    pthread_mutex_lock, pthread_mutex_t, pthread_mutex_trylock, is_mine(lock), CLOCK_MONOTONIC,
    pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &limit))
LOCKS(
    pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, false, CLOCK_REALTIME,
    pthread_rwlock_timedrdlock(lock, &limit))
LOCKS(
    pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, false, CLOCK_REALTIME,
    pthread_rwlock_timedwrlock(lock, &limit))

// ICU sets up what it knows of a language when that is first asked for, and a second thread waits for the first: as for
// a lock that another thread has.
INTERPOSE int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  NEXT(pthread_cond_wait);
  if (!job(DETERMINISM_ESCAPES) || is_called_to_start_programs(__builtin_return_address(0))) return original(condition, mutex);
  int result;
  if (is_called_by_icu(__builtin_return_address(0))) {
    WAIT_IN_NAPS(result, CLOCK_MONOTONIC, NULL, pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &limit));
    if (result != ETIMEDOUT) return result;
  }
  BLOCK("pthread_cond_wait");
  result = original(condition, mutex);
  END_ESCAPE;
  return result;
}

// A lock with a deadline has it in virtual time; where that is over, real time has decided.

#define LOCKS_UNTIL(name, lock, free, clock, parameters, arguments, attempt)                          \
  INTERPOSE int name parameters {                                                                     \
    NEXT(name);                                                                                       \
    if (!job(DETERMINISM_ESCAPES)) return original arguments;                                         \
    int result = free(lock);                                                                          \
    if (result != EBUSY) return result;                                                               \
    if (is_over(clock, time)) return ETIMEDOUT;                                                       \
    struct timespec deadline;                                                                         \
    WAIT_IN_NAPS(result, clock, (deadline = real_timespec(thread, clock, time), &deadline), attempt); \
    if (result != ETIMEDOUT) return result;                                                           \
    BLOCK(#name);                                                                                     \
    if (!is_last) {                                                                                   \
      limit = deadline;                                                                               \
      result = attempt;                                                                               \
    }                                                                                                 \
    END_ESCAPE;                                                                                       \
    return result;                                                                                    \
  }
LOCKS_UNTIL(
    pthread_mutex_timedlock, mutex, pthread_mutex_trylock, CLOCK_REALTIME,
    (pthread_mutex_t *restrict mutex, const struct timespec *restrict time), (mutex, time), original(mutex, &limit))
LOCKS_UNTIL(
    pthread_mutex_clocklock, mutex, pthread_mutex_trylock, clock,
    (pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time), (mutex, clock, time),
    original(mutex, clock, &limit))
LOCKS_UNTIL(
    pthread_rwlock_timedrdlock, lock, pthread_rwlock_tryrdlock, CLOCK_REALTIME,
    (pthread_rwlock_t *restrict lock, const struct timespec *restrict time), (lock, time), original(lock, &limit))
LOCKS_UNTIL(
    pthread_rwlock_timedwrlock, lock, pthread_rwlock_trywrlock, CLOCK_REALTIME,
    (pthread_rwlock_t *restrict lock, const struct timespec *restrict time), (lock, time), original(lock, &limit))

INTERPOSE int mtx_lock(mtx_t *mutex) {
  NEXT(mtx_lock);
  if (!job(DETERMINISM_ESCAPES)) return original(mutex);
  return pthread_mutex_lock((pthread_mutex_t *)mutex) == 0 ? thrd_success : thrd_error;
}

BLOCKING(int, pthread_barrier_wait, (pthread_barrier_t * barrier), (barrier), true)

// A full pipe, such as standard output, usually has a reader. It is written in parts that fit, and the wait
// for the next one is reported where the run is to end meanwhile.

/// Whether writing to a descriptor may wait, in a job: a pipe that blocks.
static bool is_blocking_pipe(int descriptor) {
  if (!job(DETERMINISM_ESCAPES)) return false;
  int error = errno;
  struct stat status;
  long flags = syscall(SYS_fcntl, descriptor, F_GETFL);
  bool is_pipe = flags >= 0 && !(flags & O_NONBLOCK) && fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
  errno = error;
  return is_pipe;
}

/// Waits until there is room in a pipe, or an error; false where the run is to end.
static bool wait_for_room(int descriptor) {
  determinism_thread *thread = determinism_this_thread();
  int error = errno;
  struct pollfd one = {.fd = descriptor, .events = POLLOUT};
  thread->runs_job = false;
  bool has_room;
  do has_room = poll(&one, 1, (int)(nap / 1000000)) != 0;
  while (!has_room && !is_to_end(thread));
  thread->runs_job = true;
  errno = error;
  return has_room;
}

static ssize_t write_in_parts(int descriptor, const void *bytes, size_t count, const char *words, const void *caller) {
  NEXT(write);
  size_t done = 0;
  while (wait_for_room(descriptor)) {
    size_t part = count - done < PIPE_BUF ? count - done : PIPE_BUF;
    ssize_t written = original(descriptor, (const char *)bytes + done, part);
    if (written < 0) return done ? (ssize_t)done : written;
    done += (size_t)written;
    if (done == count) return (ssize_t)done;
  }
  determinism_thread *escaped = escape(words, caller);
  begin_to_block(escaped);
  ssize_t written = original(descriptor, (const char *)bytes + done, count - done);
  END_ESCAPE;
  if (written < 0) return done ? (ssize_t)done : written;
  return (ssize_t)done + written;
}

INTERPOSE ssize_t write(int descriptor, const void *bytes, size_t count) {
  NEXT(write);
  if (count == 0 || !is_blocking_pipe(descriptor)) return written(descriptor, original(descriptor, bytes, count));
  return write_in_parts(descriptor, bytes, count, BLOCKS("write"), __builtin_return_address(0));
}

INTERPOSE ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  NEXT(writev);
  if (count <= 0 || count > IOV_MAX || !is_blocking_pipe(descriptor)) return written(descriptor, original(descriptor, parts, count));
  size_t done = 0;
  for (int index = 0; index < count; index++) {
    const struct iovec *part = &parts[index];
    if (part->iov_len == 0) continue;
    ssize_t written = write_in_parts(descriptor, part->iov_base, part->iov_len, BLOCKS("writev"), __builtin_return_address(0));
    if (written < 0) return done ? (ssize_t)done : written;
    done += (size_t)written;
    if ((size_t)written < part->iov_len) break;
  }
  return (ssize_t)done;
}

CHANGES(
    ssize_t, pwrite, (int descriptor, const void *bytes, size_t count, off_t offset), (descriptor, bytes, count, offset),
    written(descriptor, result))
CHANGES(
    ssize_t, pwrite64, (int descriptor, const void *bytes, size_t count, off64_t offset), (descriptor, bytes, count, offset),
    written(descriptor, result))

// What a stream of C holds back is written by calls that stay inside of the library.

INTERPOSE int fflush(FILE *stream) {
  NEXT(fflush);
  int result = original(stream);
  if (stream && __fwriting(stream)) set_time_of(fileno(stream));
  return result;
}

INTERPOSE int fclose(FILE *stream) {
  NEXT(fclose);
  if (job(DETERMINISM_CLOCKS) && __fwriting(stream)) fflush(stream);
  int error = errno;
  opened(NULL, fileno(stream));
  errno = error;
  return original(stream);
}

static bool wait_for_lock(long number, long a, long b, long c, long d, long e, long f, const void *caller, long *result) {
  determinism_thread *thread = job(DETERMINISM_ESCAPES);
  if (!thread) return false;
  int operation = (int)b & FUTEX_CMD_MASK;
  // A lock of Swift, or what is done in place where it need not wait; one with a deadline is over by itself.
  bool waits = operation == FUTEX_LOCK_PI || (operation == FUTEX_WAIT && thread->in_place);
  if (!waits || d) return false;
  NEXT(syscall);
  do {
    // The deadline of a lock is a time of the wall clock.
    struct timespec limit = {0, nap};
    if (operation == FUTEX_LOCK_PI) limit = after_a_nap(CLOCK_REALTIME);
    *result = original(number, a, b, c, &limit, e, f);
    if (*result == 0 || errno != ETIMEDOUT) return true;
  } while (!is_to_end(thread));
  thread->runs_job = false;
  char words[128];
  snprintf(words, sizeof words, "called %s, which blocks the thread of the simulation,", thread->in_place ? thread->in_place : "Mutex.lock");
  report(thread, words, caller);
  begin_to_block(thread);
  *result = original(number, a, b, c, d, e, f);
  int error = errno;
  stay_where_given_up(thread);
  errno = error;
  thread->runs_job = true;
  return true;
}

// MARK: Programs

#define STARTS "started a program, which runs elsewhere,"

/// Swift Testing starts the process of an exit test, and goes on in one job when that has ended.
static int started_by(const void *caller, int result) {
  const determinism_thread *thread = job(DETERMINISM_ESCAPES);
  if (result == 0 && thread && is_called_by_testing(caller)) determinism_registered()->expect(thread->executor);
  return result;
}

#define STARTS_PROGRAM(name)                                                                                        \
  INTERPOSE int name(                                                                                               \
      pid_t *restrict started, const char *restrict file, const posix_spawn_file_actions_t *actions,                \
      const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]) { \
    ESCAPE(STARTS);                                                                                                 \
    NEXT(name);                                                                                                     \
    int result = original(started, file, actions, attributes, arguments, environment);                              \
    END_ESCAPE;                                                                                                     \
    return started_by(__builtin_return_address(0), result);                                                         \
  }
STARTS_PROGRAM(posix_spawn)
STARTS_PROGRAM(posix_spawnp)

LEAVING(pid_t, fork, (void), (), STARTS)

// The child runs on this very stack, so what stands before may not return twice: it ends in the place of its caller.
INTERPOSE pid_t vfork(void) {
  ESCAPE(STARTS);
  END_ESCAPE;
  NEXT(vfork);
  __attribute__((musttail)) return original();
}

LEAVING(FILE *, popen, (const char *command, const char *mode), (command, mode), STARTS)
BLOCKING(int, pclose, (FILE *stream), (stream), true)
BLOCKING(int, system, (const char *command), (command), command)

/// Whether waiting for these children would wait, in a job.
static bool child_would_wait(idtype_t type, id_t id, int options) {
  if (options & WNOHANG || !job(DETERMINISM_ESCAPES)) return false;
  int error = errno;
  siginfo_t information = {0};
  NEXT(waitid);
  int what = WEXITED | (options & (WUNTRACED | WCONTINUED));
  bool waits = original(type, id, &information, what | WNOHANG | WNOWAIT) == 0 && information.si_pid == 0;
  errno = error;
  return waits;
}

static bool process_would_wait(pid_t process, int options) {
  if (process > 0) return child_would_wait(P_PID, (id_t)process, options);
  if (process == -1) return child_would_wait(P_ALL, 0, options);
  return child_would_wait(P_PGID, process == 0 ? (id_t)getpgrp() : (id_t)-process, options);
}

BLOCKING(pid_t, wait, (int *status), (status), process_would_wait(-1, 0))
BLOCKING(
    pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options), process_would_wait(process, options))
BLOCKING(
    pid_t, wait4, (pid_t process, int *status, int options, struct rusage *usage), (process, status, options, usage),
    process_would_wait(process, options))
BLOCKING(
    int, waitid, (idtype_t type, id_t id, siginfo_t *information, int options), (type, id, information, options),
    child_would_wait(type, id, options))

BLOCKING(int, pause, (void), (), true)
BLOCKING(int, sigsuspend, (const sigset_t *mask), (mask), true)
BLOCKING(int, sigwait, (const sigset_t *restrict mask, int *restrict signal), (mask, signal), true)
BLOCKING(int, sigwaitinfo, (const sigset_t *restrict mask, siginfo_t *restrict information), (mask, information), true)

BLOCKING(
    int, sigtimedwait, (const sigset_t *restrict mask, siginfo_t *restrict information, const struct timespec *restrict time),
    (mask, information, time), !is_zero(time))

// A signal that comes some time later.
LEAVING_WHERE(seconds != 0, ESCAPE("set an alarm of the system"), unsigned, alarm, (unsigned seconds), (seconds))

LEAVING(
    int, setitimer, (__itimer_which_t which, const struct itimerval *restrict time, struct itimerval *restrict before),
    (which, time, before), "set an alarm of the system")

LEAVING(
    int, timer_settime, (timer_t timer, int flags, const struct itimerspec *time, struct itimerspec *before),
    (timer, flags, time, before), "set an alarm of the system")

// Threads of the library read and write for these.
#define READS_ELSEWHERE(name, block) LEAVING(int, name, (struct block * block), (block), LEAVES(#name))
READS_ELSEWHERE(aio_read, aiocb)
READS_ELSEWHERE(aio_write, aiocb)
READS_ELSEWHERE(aio_read64, aiocb64)
READS_ELSEWHERE(aio_write64, aiocb64)
LEAVING(
    int, lio_listio, (int mode, struct aiocb *const list[], int count, struct sigevent *event), (mode, list, count, event),
    LEAVES("lio_listio"))

// Where one of the requests is done, nothing is waited for.
#define WAITS_FOR_READS(name, block, error_of)                                                          \
  static bool name##_waits(const struct block *const list[], int count, const struct timespec *time) {  \
    if (is_zero(time) || !job(DETERMINISM_ESCAPES)) return false;                                       \
    for (int index = 0; index < count; index++) {                                                       \
      if (list[index] && error_of(list[index]) != EINPROGRESS) return false;                            \
    }                                                                                                   \
    return true;                                                                                        \
  }                                                                                                     \
  BLOCKING(                                                                                             \
      int, name, (const struct block *const list[], int count, const struct timespec *restrict time), (list, count, time), \
      name##_waits(list, count, time))
WAITS_FOR_READS(aio_suspend, aiocb, aio_error)
WAITS_FOR_READS(aio_suspend64, aiocb64, aio_error64)

// MARK: Run loops
//
// No run loop of a thread of a simulation ever runs, so what is given to it waits forever. Weak: with a static
// Foundation its own stand. The other parameters are opaque here.

/// A call of theirs that leaves the run, as `words` say.
#define LEAVING_OPAQUE(name, words, parameters, arguments) \
  INTERPOSE_OPAQUE(void name parameters) {                 \
    ESCAPE(words);                                         \
    NEXT(name);                                            \
    if (original) original arguments;                      \
    END_ESCAPE;                                            \
  }

/// One of a result, which is `otherwise` where there is no such function.
#define OPAQUE_RESULT(type, name, action, parameters, arguments, otherwise) \
  INTERPOSE_OPAQUE(type name parameters) {                                  \
    action;                                                                 \
    NEXT(name);                                                             \
    type result = original ? original arguments : otherwise;                \
    END_ESCAPE;                                                             \
    return result;                                                          \
  }

#define TIMER_WORDS "set a timer of the system, as timers of a run loop are,"
LEAVING_OPAQUE(CFRunLoopAddTimer, TIMER_WORDS, (void *loop, void *timer, const void *mode), (loop, timer, mode))
LEAVING_OPAQUE(
    CFRunLoopPerformBlock, "gave a block to a run loop, which does not run in a simulation,",
    (void *loop, const void *mode, void *block), (loop, mode, block))
LEAVING_OPAQUE(
    CFRunLoopAddObserver, "gave an observer to a run loop, which does not run in a simulation, as a `NotificationQueue` does,",
    (void *loop, void *observer, const void *mode), (loop, observer, mode))
LEAVING_OPAQUE(
    CFRunLoopAddSource, "gave a source to a run loop, which does not run in a simulation,",
    (void *loop, void *source, const void *mode), (loop, source, mode))

// What runs the loop of its thread asks this first, and continues at once where the loop is empty, as it is in a
// simulation.
OPAQUE_RESULT(
    unsigned char, _CFRunLoopFinished, BLOCK_AS("ran a run loop, which does not run in a simulation,"),
    (void *loop, const void *mode), (loop, mode), 1)
OPAQUE_RESULT(
    int32_t, CFRunLoopRunInMode, BLOCK_AS("ran a run loop, which blocks the thread of the simulation,"),
    (const void *mode, double seconds, unsigned char returns), (mode, seconds, returns), 0)

// The main actor of a simulation is on its thread, so for what runs there this is the main thread, and its queue the
// main one.

static bool is_main(void) { return job(DETERMINISM_MAIN_ACTOR) != NULL; }

INTERPOSE_OPAQUE(unsigned char _CFIsMainThread(void)) {
  if (is_main()) return 1;
  NEXT(_CFIsMainThread);
  return original ? original() : 0;
}

// Foundation keeps the thread that it thinks this is, which is the main one for a job and another for all else here.
INTERPOSE_OPAQUE(const void *_CFThreadSpecificGet(unsigned key)) {
  if (is_main()) return NULL;
  NEXT(_CFThreadSpecificGet);
  return original ? original(key) : NULL;
}

INTERPOSE_OPAQUE(void _CFThreadSpecificSet(unsigned key, const void *value)) {
  if (is_main()) return;
  NEXT(_CFThreadSpecificSet);
  if (original) original(key, value);
}

// The dictionary of the main thread, which Foundation and XCTest use, too, is another in each run: several may be on
// the main actor at a time. Programs call for it by the table of the class; with a static Foundation it is left as it
// is.

typedef SWIFT_CC void *(*object_getter)(SWIFT_SELF const void *self);
static object_getter get_dictionary, get_main_thread, make_thread;
static const void *thread_type;

extern __attribute__((weak)) void swift_release(void *object);

static SWIFT_CC void *dictionary_of_run(SWIFT_SELF const void *thread) {
  if (is_main()) {
    void *main = get_main_thread(thread_type);
    if (thread == main) {
      struct kept *kept = determinism_this_thread()->kept;
      if (!kept->thread) kept->thread = make_thread(thread_type);
      thread = kept->thread;
    }
    swift_release(main);
  }
  return get_dictionary(thread);
}

/// Puts `replacement` in the place of a function in the table of a class.
static void replace_in_table(char *type, void *function, void *replacement) {
  // How many bytes the table has, and how many of them are in front of its address (`ClassMetadata` in ABI/Metadata.h).
  uint32_t size = *(uint32_t *)(type + 32), offset = *(uint32_t *)(type + 36);
  for (void **place = (void **)type; place < (void **)(type + size - offset); place++) {
    if (*place == function) *place = replacement;
  }
}

static void replace_dictionary(void) {
  char *type = dlsym(RTLD_DEFAULT, "$s10Foundation6ThreadCN");
  get_dictionary = (object_getter)dlsym(RTLD_DEFAULT, "$s10Foundation6ThreadC16threadDictionaryAA09NSMutableD0Cvg");
  get_main_thread = (object_getter)dlsym(RTLD_DEFAULT, "$s10Foundation6ThreadC04mainB0ACvgZ");
  make_thread = (object_getter)dlsym(RTLD_DEFAULT, "$s10Foundation6ThreadCACycfC");
  if (!type || !get_dictionary || !get_main_thread || !make_thread || !&swift_release) return;
  thread_type = type;
  replace_in_table(type, (void *)get_dictionary, (void *)dictionary_of_run);
}

// A queue of operations that has one gives the next to Dispatch when that has ended, in no job: what is given to it is
// reported here. Programs call by the table of the class, and classes of their own have the names in theirs.

#define OPERATION_QUEUE(name, symbol, waits, parameters, arguments) \
  INTERPOSE_WEAK SWIFT_CC void name parameters __asm__(symbol);     \
  INTERPOSE_WEAK SWIFT_CC void name parameters {                    \
    ESCAPE(LEAVES("OperationQueue.addOperation"));                  \
    if (waits) begin_to_block(escaped);                             \
    DETERMINISM_NEXT(name, symbol);                                 \
    if (original) original arguments;                               \
    END_ESCAPE;                                                     \
  }

#define ADD_OPERATION "$s10Foundation14OperationQueueC03addB0yyAA0B0CF"
#define ADD_BLOCK "$s10Foundation14OperationQueueC03addB0yyyyYbcF"
#define ADD_OPERATIONS "$s10Foundation14OperationQueueC13addOperations_17waitUntilFinishedySayAA0B0CG_SbtF"
#define ADD_BARRIER "$s10Foundation14OperationQueueC15addBarrierBlockyyyyYbcF"
OPERATION_QUEUE(add_operation, ADD_OPERATION, false, (void *operation, SWIFT_SELF void *queue), (operation, queue))
OPERATION_QUEUE(add_block, ADD_BLOCK, false, (void *block, void *context, SWIFT_SELF void *queue), (block, context, queue))
OPERATION_QUEUE(
    add_operations, ADD_OPERATIONS, will_wait, (void *operations, bool will_wait, SWIFT_SELF void *queue), (operations, will_wait, queue))
OPERATION_QUEUE(add_barrier, ADD_BARRIER, false, (void *block, void *context, SWIFT_SELF void *queue), (block, context, queue))

static void replace_operation_queue(void) {
  char *type = dlsym(RTLD_DEFAULT, "$s10Foundation14OperationQueueCN");
  static const struct {
    const char *symbol;
    void *replacement;
  } replaced[] = {
    {ADD_OPERATION, (void *)add_operation}, {ADD_BLOCK, (void *)add_block}, {ADD_OPERATIONS, (void *)add_operations},
    {ADD_BARRIER, (void *)add_barrier},
  };
  for (size_t index = 0; type && index < sizeof replaced / sizeof *replaced; index++) {
    void *function = dlsym(RTLD_NEXT, replaced[index].symbol);
    if (function) replace_in_table(type, function, replaced[index].replacement);
  }
}

// A task without a name is known by where it was made.

static void keep_origin(const void *task, const void *caller) {
  determinism_thread *thread = determinism_this_thread();
  if (!thread->runs_job || !thread->keeps_origins) return;
  thread->runs_job = false;
  struct place place;
  find_place_of_caller(caller, &place);
  determinism_registered()->made_task(thread->executor, task, or_null(place.function), or_null(place.line));
  thread->runs_job = true;
}

struct made_task {
  void *task, *context;
};
INTERPOSE_OPAQUE(SWIFT_CC struct made_task swift_task_create(
    size_t flags, void *options, const void *type, void *function, void *context)) {
  NEXT(swift_task_create);
  struct made_task made = original(flags, options, type, function, context);
  keep_origin(made.task, __builtin_return_address(0));
  return made;
}

/// The head of an `async let`, whose task stands there twice (`AsyncLetImpl` in AsyncLet.cpp).
struct async_let {
  void *record[2], *task;
  uintptr_t task_and_flags;
};
INTERPOSE_OPAQUE(SWIFT_CC void swift_asyncLet_begin(
    struct async_let *let, void *options, const void *type, void *function, void *context, void *result)) {
  NEXT(swift_asyncLet_begin);
  original(let, options, type, function, context, result);
  if ((uintptr_t)let->task == (let->task_and_flags & ~(uintptr_t)3)) keep_origin(let->task, __builtin_return_address(0));
}

// A run loop sets one for its timers, and no run loop of a thread of a simulation ever runs.
LEAVING(
    int, timerfd_settime, (int timer, int flags, const struct itimerspec *time, struct itimerspec *before),
    (timer, flags, time, before), TIMER_WORDS)

LEAVING(int, socket, (int domain, int type, int protocol), (domain, type, protocol), "opened a socket")
LEAVING(
    int, socketpair, (int domain, int type, int protocol, int *pair), (domain, type, protocol, pair), "opened a socket")

#define USES_SOCKET(type, name, parameters, arguments) LEAVING(type, name, parameters, arguments, "called " #name " on a socket")
USES_SOCKET(
    int, connect, (int descriptor, const struct sockaddr *address, socklen_t length), (descriptor, address, length))
USES_SOCKET(ssize_t, recv, (int descriptor, void *bytes, size_t count, int flags), (descriptor, bytes, count, flags))
USES_SOCKET(ssize_t, send, (int descriptor, const void *bytes, size_t count, int flags), (descriptor, bytes, count, flags))
USES_SOCKET(
    ssize_t, recvfrom,
    (int descriptor, void *restrict bytes, size_t count, int flags, struct sockaddr *restrict address, socklen_t *restrict length),
    (descriptor, bytes, count, flags, address, length))
USES_SOCKET(
    ssize_t, sendto,
    (int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length),
    (descriptor, bytes, count, flags, address, length))
USES_SOCKET(ssize_t, recvmsg, (int descriptor, struct msghdr *message, int flags), (descriptor, message, flags))
USES_SOCKET(ssize_t, sendmsg, (int descriptor, const struct msghdr *message, int flags), (descriptor, message, flags))
USES_SOCKET(
    int, accept, (int descriptor, struct sockaddr *restrict address, socklen_t *restrict length), (descriptor, address, length))
USES_SOCKET(
    int, accept4, (int descriptor, struct sockaddr *restrict address, socklen_t *restrict length, int flags),
    (descriptor, address, length, flags))

// A number is its own address.
BLOCKING(
    int, getaddrinfo,
    (const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints, struct addrinfo **restrict list),
    (node, service, hints, list), !(hints && hints->ai_flags & AI_NUMERICHOST))

static bool is_number(const char *name) {
  struct in6_addr address;
  return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
}
BLOCKING(struct hostent *, gethostbyname, (const char *name), (name), !is_number(name))
BLOCKING(struct hostent *, gethostbyname2, (const char *name, int family), (name, family), !is_number(name))
BLOCKING(
    struct hostent *, gethostbyaddr, (const void *address, socklen_t length, int family), (address, length, family), true)
BLOCKING(
    int, getnameinfo,
    (const struct sockaddr *restrict address, socklen_t length, char *restrict node, socklen_t node_size, char *restrict service,
     socklen_t service_size, int flags),
    (address, length, node, node_size, service, service_size, flags), node && !(flags & NI_NUMERICHOST))

// MARK: Dispatch
//
// Blocks and queues are opaque here; only what happens is said, and passed on. Weak: with a static Dispatch its own
// stand.

LEAVING_OPAQUE(dispatch_async, LEAVES("dispatch_async"), (void *queue, void *block), (queue, block))
LEAVING_OPAQUE(dispatch_async_f, LEAVES("dispatch_async"), (void *queue, void *context, void *work), (queue, context, work))
LEAVING_OPAQUE(
    dispatch_after, LEAVES("dispatch_after"), (uint64_t when, void *queue, void *block),
    (real_dispatch_time(escaped, when), queue, block))
LEAVING_OPAQUE(
    dispatch_after_f, LEAVES("dispatch_after"), (uint64_t when, void *queue, void *context, void *work),
    (real_dispatch_time(escaped, when), queue, context, work))
LEAVING_OPAQUE(dispatch_barrier_async, LEAVES("dispatch_barrier_async"), (void *queue, void *block), (queue, block))
LEAVING_OPAQUE(
    dispatch_group_async, LEAVES("dispatch_group_async"), (void *group, void *queue, void *block), (group, queue, block))
LEAVING_OPAQUE(
    dispatch_group_notify, LEAVES("dispatch_group_notify"), (void *group, void *queue, void *block), (group, queue, block))
LEAVING_OPAQUE(
    dispatch_block_notify, LEAVES("dispatch_block_notify"), (void *block, void *queue, void *notified), (block, queue, notified))
LEAVING_OPAQUE(
    dispatch_source_merge_data, LEAVES("dispatch_source_merge_data"), (void *source, uintptr_t value), (source, value))
LEAVING_OPAQUE(dispatch_apply, LEAVES("dispatch_apply"), (size_t count, void *queue, void *block), (count, queue, block))
LEAVING_OPAQUE(
    dispatch_source_set_timer, "set a timer of Dispatch", (void *source, uint64_t start, uint64_t interval, uint64_t leeway),
    (source, real_dispatch_time(escaped, start), interval, leeway))

LEAVING_OPAQUE(
    dispatch_read, LEAVES("dispatch_read"), (int descriptor, size_t size, void *queue, void *block),
    (descriptor, size, queue, block))
LEAVING_OPAQUE(
    dispatch_write, LEAVES("dispatch_write"), (int descriptor, void *data, void *queue, void *block), (descriptor, data, queue, block))
LEAVING_OPAQUE(
    dispatch_io_read, LEAVES("dispatch_io_read"), (void *channel, off_t offset, size_t size, void *queue, void *block),
    (channel, offset, size, queue, block))
LEAVING_OPAQUE(
    dispatch_io_write, LEAVES("dispatch_io_write"), (void *channel, off_t offset, void *data, void *queue, void *block),
    (channel, offset, data, queue, block))
LEAVING_OPAQUE(dispatch_async_and_wait, BLOCKS("dispatch_async_and_wait"), (void *queue, void *block), (queue, block))
LEAVING_OPAQUE(dispatch_barrier_async_and_wait, BLOCKS("dispatch_barrier_async_and_wait"), (void *queue, void *block), (queue, block))

OPAQUE_RESULT(
    void *, dispatch_source_create, ESCAPE("made a source of Dispatch, whose events come from elsewhere,"),
    (const void *type, uintptr_t handle, uintptr_t mask, void *queue), (type, handle, mask, queue), NULL)

// A queue that is free runs a block in place, on this thread: that is inside, as a lock is. One that is not makes the
// thread wait, by `syscall`; and the main queue is that of the process.
extern __attribute__((weak)) char _dispatch_main_q[];

#define DISPATCH_IN_PLACE(name, parameters, arguments)                                                    \
  INTERPOSE_OPAQUE(void name parameters) {                                                                \
    NEXT(name);                                                                                           \
    determinism_thread *thread = determinism_this_thread();                                               \
    if (thread->runs_job && queue == (void *)_dispatch_main_q) {                                          \
      BLOCK(#name " on the main queue");                                                                  \
      if (original) original arguments;                                                                   \
      END_ESCAPE;                                                                                         \
      return;                                                                                             \
    }                                                                                                     \
    const char *outer = thread->in_place;                                                                 \
    thread->in_place = #name;                                                                             \
    if (original) original arguments;                                                                     \
    /* A block that runs in place is part of a job, so this is the same thread. */                        \
    thread->in_place = outer;                                                                             \
  }

DISPATCH_IN_PLACE(dispatch_sync, (void *queue, void *block), (queue, block))
DISPATCH_IN_PLACE(dispatch_sync_f, (void *queue, void *context, void *work), (queue, context, work))
DISPATCH_IN_PLACE(dispatch_barrier_sync, (void *queue, void *block), (queue, block))
DISPATCH_IN_PLACE(dispatch_barrier_sync_f, (void *queue, void *context, void *work), (queue, context, work))

INTERPOSE_OPAQUE(void dispatch_assert_queue(void *queue)) {
  if (queue == (void *)_dispatch_main_q && is_main()) return;
  NEXT(dispatch_assert_queue);
  if (original) original(queue);
}

#define DISPATCH_WAIT(name)                                                                          \
  INTERPOSE_OPAQUE(intptr_t name(void *object, uint64_t timeout)) {                                  \
    NEXT(name);                                                                                      \
    if (original && job(DETERMINISM_ESCAPES)) {                                                      \
      intptr_t result = original(object, 0);                                                         \
      if (result == 0 || is_dispatch_time_over(timeout)) return result;                              \
    }                                                                                                \
    BLOCK(#name);                                                                                    \
    intptr_t result = original ? original(object, real_dispatch_time(escaped, timeout)) : 0;         \
    END_ESCAPE;                                                                                      \
    return result;                                                                                   \
  }
DISPATCH_WAIT(dispatch_block_wait)
DISPATCH_WAIT(dispatch_semaphore_wait)
DISPATCH_WAIT(dispatch_group_wait)

// MARK: At the start

/// `Set` and `Dictionary` are seeded when the process starts: with fixed seeds it starts once more.
static void fix_hashing(char **arguments) {
  if (getenv("SWIFT_DETERMINISTIC_HASHING") || getenv("SYSTEM_INTERPOSING_KEEPS_HASHING")) return;
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
  // By its path: an emulator or valgrind answers that with the program, and would itself be started by the link.
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
    execv(path, arguments);
  }
  execv("/proc/self/exe", arguments);
  // It continues as it is: the order of a `Set` may differ from process to process.
  unsetenv("SWIFT_DETERMINISTIC_HASHING");
}

__attribute__((constructor)) static void install(int count, char **arguments) {
  (void)count;
  fix_hashing(arguments);
  replace_dictionary();
  replace_operation_queue();
  determinism_register_places(find_name_of_waiting, find_place_of_thread);
  determinism_add_features(DETERMINISM_CLOCKS | DETERMINISM_RANDOMNESS | DETERMINISM_ESCAPES);
}
#endif
