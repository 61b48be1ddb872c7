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
#include "Places.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
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
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

DETERMINISM_CODE

// Where a library that is linked statically defines one of these too, that one stands, and the feature is not there.
#define INTERPOSE __attribute__((visibility("default")))
#define INTERPOSE_WEAK __attribute__((visibility("default"), weak))

// MARK: Whether this is a job

static const determinism_thread *job(unsigned feature) {
  const determinism_thread *thread = determinism_this_thread();
  return thread->runs_job && (thread->features & feature) ? thread : NULL;
}

/// The function of the library that this one stands before.
static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

#define NEXT(name)                                    \
  static _Atomic(void *) cached;                      \
  void *found = atomic_load(&cached);                 \
  if (!found) {                                       \
    found = next(#name);                              \
    atomic_store(&cached, found);                     \
  }                                                   \
  __typeof__(&name) original = (__typeof__(&name))found

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

static void begin_to_block(determinism_thread *thread) {
  if (thread && !thread->blocks_since) thread->blocks_since = determinism_real_nanoseconds();
}

static bool virtual_time(clockid_t clock, struct timespec *time, const void *caller) {
  if (!job(DETERMINISM_CLOCKS)) return false;
  determinism_thread *thread = determinism_this_thread();
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
  int64_t now = virtual_now(thread);
  time->tv_sec = start + now / 1000000000;
  time->tv_nsec = now % 1000000000;
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
  if (number == SYS_futex && wait_for_lock(number, a, b, c, d, e, f, __builtin_return_address(0), &result)) return result;
  NEXT(syscall);
  if (number != SYS_futex || !waits_for_word((const uint32_t *)a, (int)b, (uint32_t)c, __builtin_return_address(0))) {
    return original(number, a, b, c, d, e, f);
  }
  BLOCK("syscall for a futex");
  result = original(number, a, b, c, d, e, f);
  END_ESCAPE;
  return result;
}

// The generators of C have one state for the whole process: in a job they draw from its seed, and seeding them does
// nothing.
static bool virtual_word(uint64_t *word) { return virtual_random(word, sizeof *word); }
static double fraction(uint64_t word) { return (double)(word >> 11) * 0x1p-53; }

#define C_GENERATOR(type, name, from_word)    \
  INTERPOSE type name(void) {                 \
    uint64_t word;                            \
    if (virtual_word(&word)) return from_word; \
    NEXT(name);                               \
    return original();                        \
  }
#define C_SEED(type, name)                    \
  INTERPOSE void name(type seed) {            \
    if (job(DETERMINISM_RANDOMNESS)) return;  \
    NEXT(name);                               \
    original(seed);                           \
  }

C_GENERATOR(int, rand, (int)(word >> 33))
C_GENERATOR(long, random, (long)(word >> 33))
C_GENERATOR(double, drand48, fraction(word))
C_GENERATOR(long, lrand48, (long)(word >> 33))
C_GENERATOR(long, mrand48, (long)(int32_t)(word >> 32))
C_SEED(unsigned, srand)
C_SEED(unsigned, srandom)
C_SEED(long, srand48)

// `UUID()` of Foundation and other old functions read a device. Descriptors of it are remembered, also those opened
// elsewhere.
enum { device_limit = 4096 };
static _Atomic unsigned char is_random_device[device_limit];

static int opened(const char *path, int descriptor) {
  bool is_device = path && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
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
    int64_t now = virtual_now(thread);
    struct timespec time = {.tv_sec = wall_start + now / 1000000000, .tv_nsec = now % 1000000000};
    futimens(descriptor, (struct timespec[2]){time, time});
  }
  errno = error;
}

struct opening {
  determinism_thread *escaped;
  /// Whether it makes or empties a file, in a job.
  bool makes;
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
    opening.makes = flags & O_TRUNC || (path && faccessat(folder, path, F_OK, 0) != 0);
    errno = error;
  }
  return opening;
}

static int end_to_open(const char *path, int descriptor, struct opening opening) {
  if (opening.escaped) end_escape(opening.escaped);
  if (opening.makes && descriptor >= 0) set_time_of(descriptor);
  return opened(path, descriptor);
}

#define MODE_OF(flags, list) ((flags) & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0)

INTERPOSE int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = MODE_OF(flags, list);
  va_end(list);
  NEXT(open);
  struct opening opening = begin_to_open(AT_FDCWD, path, flags, __builtin_return_address(0));
  return end_to_open(path, original(path, flags, mode), opening);
}

INTERPOSE int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = MODE_OF(flags, list);
  va_end(list);
  NEXT(open64);
  struct opening opening = begin_to_open(AT_FDCWD, path, flags, __builtin_return_address(0));
  return end_to_open(path, original(path, flags, mode), opening);
}

INTERPOSE int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = MODE_OF(flags, list);
  va_end(list);
  NEXT(openat);
  struct opening opening = begin_to_open(folder, path, flags, __builtin_return_address(0));
  return end_to_open(path, original(folder, path, flags, mode), opening);
}

#define OPENS_STREAM(name)                                                                             \
  INTERPOSE FILE *name(const char *restrict path, const char *restrict mode) {                          \
    NEXT(name);                                                                                         \
    int flags = strchr(mode, '+') ? O_RDWR : strchr(mode, 'r') ? O_RDONLY : O_WRONLY;                   \
    flags |= strchr(mode, 'w') ? O_CREAT | O_TRUNC : strchr(mode, 'a') ? O_CREAT : 0;                    \
    struct opening opening = begin_to_open(AT_FDCWD, path, flags, __builtin_return_address(0));         \
    FILE *stream = original(path, mode);                                                                \
    end_to_open(path, stream ? fileno(stream) : -1, opening);                                           \
    return stream;                                                                                      \
  }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

static bool is_random(int descriptor) {
  return descriptor >= 0 && descriptor < device_limit
    && atomic_load_explicit(&is_random_device[descriptor], memory_order_relaxed);
}

INTERPOSE int close(int descriptor) {
  if (descriptor >= 0 && descriptor < device_limit) {
    atomic_store_explicit(&is_random_device[descriptor], 0, memory_order_relaxed);
  }
  NEXT(close);
  return original(descriptor);
}

// MARK: What leaves

// The thread, where it is one of a simulation: until `END_ESCAPE` nothing on it counts.
static determinism_thread *escape(const char *words, const void *caller) {
  determinism_thread *thread = determinism_this_thread();
  if (!thread->runs_job || !(thread->features & (DETERMINISM_ESCAPES | DETERMINISM_CLOCKS))) return NULL;
  // What waits for the process of an exit test, and reads what it writes, is not the test's.
  if (is_called_by_testing(caller)) return NULL;
  thread->runs_job = false;
  report(thread, words, caller);
  return thread;
}

static void end_escape(determinism_thread *escaped) {
  // The call may have set `errno` last, which what happens here must not change.
  int error = errno;
  stay_where_given_up(escaped);
  escaped->runs_job = true;
  errno = error;
}

/// Where no caller waits for the run of this thread any more, its job stops here: what it would return to may be gone.
static void stay_where_given_up(determinism_thread *thread) {
  if (determinism_registered()->is_given_up(thread->executor)) determinism_park_thread();
}

static void report(determinism_thread *thread, const char *words, const void *caller) {
  if (!(thread->features & DETERMINISM_ESCAPES)) return;
  bool runs_job = thread->runs_job;
  int error = errno;
  thread->runs_job = false;
  struct place place;
  bool is_known = find_place_of_caller(caller, &place);
  determinism_registered()->escape(
      thread->executor, words, is_known && *place.function ? place.function : NULL, is_known && *place.line ? place.line : NULL);
  thread->runs_job = runs_job;
  errno = error;
}

// A call that leaves does so in real time, and so must its deadline: that of a simulation may never come.

/// The deadline on a real clock that is as far ahead as `deadline` is on the virtual one, in nanoseconds.
static int64_t real_deadline(const determinism_thread *escaped, clockid_t clock, int64_t deadline) {
  if (!escaped || !(escaped->features & DETERMINISM_CLOCKS)) return deadline;
  int64_t start = clock == CLOCK_REALTIME ? wall_start : monotonic_start;
  int64_t left = deadline - (start * 1000000000 + virtual_now(escaped));
  struct timespec now;
  // Nothing on this thread counts now, so this is the real time.
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + (left > 0 ? left : 0);
}

static struct timespec real_timespec(const determinism_thread *escaped, clockid_t clock, const struct timespec *deadline) {
  int64_t real = real_deadline(escaped, clock, (int64_t)deadline->tv_sec * 1000000000 + deadline->tv_nsec);
  return (struct timespec){.tv_sec = real / 1000000000, .tv_nsec = real % 1000000000};
}

/// The same of a `dispatch_time_t`: zero is now, all bits are never, a negative one is of the wall clock.
static uint64_t real_dispatch_time(const determinism_thread *escaped, uint64_t deadline) {
  const uint64_t continuous = UINT64_C(1) << 62;
  // The last but one is the wall clock's now.
  if (deadline == 0 || deadline >= UINT64_MAX - 1) return deadline;
  if (deadline >> 63) return (uint64_t)-real_deadline(escaped, CLOCK_REALTIME, -(int64_t)deadline);
  if (deadline & continuous) {
    return continuous | (uint64_t)real_deadline(escaped, CLOCK_BOOTTIME, (int64_t)(deadline & ~continuous));
  }
  return (uint64_t)real_deadline(escaped, CLOCK_MONOTONIC, (int64_t)deadline);
}

#define LEAVES(name) "called " name ", which goes on elsewhere,"

/// A call that leaves the run, as `words` say.
#define LEAVING(type, name, parameters, arguments, words) \
  INTERPOSE type name parameters {                        \
    ESCAPE(words);                                        \
    NEXT(name);                                           \
    type result = original arguments;                     \
    END_ESCAPE;                                           \
    return result;                                        \
  }

/// A call that blocks where `waits`.
#define BLOCKING(type, name, parameters, arguments, waits) \
  INTERPOSE type name parameters {                         \
    NEXT(name);                                            \
    if (!(waits)) return original arguments;               \
    BLOCK(#name);                                          \
    type result = original arguments;                      \
    END_ESCAPE;                                            \
    return result;                                         \
  }

static bool is_zero(const struct timespec *time) { return time && time->tv_sec == 0 && time->tv_nsec == 0; }

// A sleep of no time lets other threads run, as the locks of Foundation do in turns with asking whether they are free.
BLOCKING(int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest), !is_zero(time))

INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  BLOCK("clock_nanosleep");
  NEXT(clock_nanosleep);
  struct timespec deadline;
  if (escaped && (flags & TIMER_ABSTIME)) {
    deadline = real_timespec(escaped, clock, time);
    time = &deadline;
  }
  int result = original(clock, flags, time, rest);
  END_ESCAPE;
  return result;
}

BLOCKING(int, usleep, (useconds_t time), (time), time != 0)
BLOCKING(unsigned, sleep, (unsigned time), (time), time != 0)

// A semaphore that is free is a lock that is taken, and no wait.
INTERPOSE int sem_wait(sem_t *semaphore) {
  if (job(DETERMINISM_ESCAPES) && sem_trywait(semaphore) == 0) return 0;
  BLOCK("sem_wait");
  NEXT(sem_wait);
  int result = original(semaphore);
  END_ESCAPE;
  return result;
}

INTERPOSE int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
  if (job(DETERMINISM_ESCAPES) && sem_trywait(semaphore) == 0) return 0;
  BLOCK("sem_timedwait");
  NEXT(sem_timedwait);
  struct timespec deadline = real_timespec(escaped, CLOCK_REALTIME, time);
  int result = original(semaphore, &deadline);
  END_ESCAPE;
  return result;
}

INTERPOSE int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
  BLOCK("pthread_cond_timedwait");
  NEXT(pthread_cond_timedwait);
  // Which clock it is of is unknown; the virtual ones are far apart.
  struct timespec deadline = real_timespec(escaped, time->tv_sec < wall_start / 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME, time);
  int result = original(condition, mutex, &deadline);
  END_ESCAPE;
  return result;
}

INTERPOSE int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time) {
  BLOCK("pthread_cond_clockwait");
  NEXT(pthread_cond_clockwait);
  struct timespec deadline = real_timespec(escaped, clock, time);
  int result = original(condition, mutex, clock, &deadline);
  END_ESCAPE;
  return result;
}

BLOCKING(int, pthread_join, (pthread_t other, void **result_of), (other, result_of), true)

LEAVING(
    int, pthread_create,
    (pthread_t *restrict made, const pthread_attr_t *restrict attributes, void *(*body)(void *), void *restrict argument),
    (made, attributes, body, argument), LEAVES("pthread_create"))

// Threads of C11. Their mutexes are those of POSIX in glibc, which is their only implementation on Linux.

BLOCKING(int, thrd_sleep, (const struct timespec *time, struct timespec *rest), (time, rest), !is_zero(time))
BLOCKING(int, thrd_join, (thrd_t other, int *result_of), (other, result_of), true)
LEAVING(int, thrd_create, (thrd_t *made, thrd_start_t body, void *argument), (made, body, argument), LEAVES("thrd_create"))
BLOCKING(int, cnd_wait, (cnd_t *condition, mtx_t *mutex), (condition, mutex), true)

INTERPOSE int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time) {
  BLOCK("cnd_timedwait");
  NEXT(cnd_timedwait);
  struct timespec deadline = real_timespec(escaped, CLOCK_REALTIME, time);
  int result = original(condition, mutex, &deadline);
  END_ESCAPE;
  return result;
}

// MARK: Waits that may be none
//
// What is there already is no wait: whether there is one is asked for before. Descriptors that do not block never wait.

/// How often it is asked, while another thread has a lock, whether the run is to end, in nanoseconds. Only then is the
/// wait reported: a lock that is had for a while, by a run on another thread or on a busy machine, changes nothing.
static const long nap = 50000000;

static bool is_to_end(const determinism_thread *thread) { return determinism_registered()->is_to_end(thread->executor); }

static struct timespec after_a_nap(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  time.tv_nsec += nap;
  if (time.tv_nsec >= 1000000000) {
    time.tv_nsec -= 1000000000;
    time.tv_sec++;
  }
  return time;
}

/// A call that blocks where `waits` and where nothing is there when it is asked without waiting, by `attempt`.
#define POLLING(name, parameters, arguments, waits, attempt) \
  INTERPOSE int name parameters {                            \
    NEXT(name);                                              \
    if (!(waits)) return original arguments;                 \
    if (job(DETERMINISM_ESCAPES)) {                          \
      int ready = original attempt;                          \
      if (ready != 0) return ready;                          \
    }                                                        \
    BLOCK(#name);                                            \
    int result = original arguments;                         \
    END_ESCAPE;                                              \
    return result;                                           \
  }

POLLING(
    poll, (struct pollfd *descriptors, nfds_t count, int timeout), (descriptors, count, timeout), timeout != 0,
    (descriptors, count, 0))

POLLING(
    ppoll, (struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
    (descriptors, count, timeout, mask), !is_zero(timeout), (descriptors, count, &(struct timespec){0, 0}, mask))

struct sets {
  fd_set reads, writes, errors;
};

static void copy_set(fd_set *to, const fd_set *from) {
  if (to && from) *to = *from;
}

INTERPOSE int select(
    int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors, struct timeval *restrict timeout) {
  NEXT(select);
  bool waits = !timeout || timeout->tv_sec != 0 || timeout->tv_usec != 0;
  // A set of more descriptors than fit into the type is only passed on.
  if (waits && job(DETERMINISM_ESCAPES) && count <= FD_SETSIZE) {
    struct sets before;
    copy_set(&before.reads, reads);
    copy_set(&before.writes, writes);
    copy_set(&before.errors, errors);
    struct timeval now = {0, 0};
    int ready = original(count, reads, writes, errors, &now);
    if (ready != 0) return ready;
    copy_set(reads, &before.reads);
    copy_set(writes, &before.writes);
    copy_set(errors, &before.errors);
  }
  if (!waits) return original(count, reads, writes, errors, timeout);
  BLOCK("select");
  int result = original(count, reads, writes, errors, timeout);
  END_ESCAPE;
  return result;
}

BLOCKING(
    int, pselect,
    (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors, const struct timespec *restrict timeout,
     const sigset_t *restrict mask),
    (count, reads, writes, errors, timeout, mask), !is_zero(timeout))

POLLING(
    epoll_wait, (int descriptor, struct epoll_event *events, int count, int timeout), (descriptor, events, count, timeout),
    timeout != 0, (descriptor, events, count, 0))

POLLING(
    epoll_pwait, (int descriptor, struct epoll_event *events, int count, int timeout, const sigset_t *mask),
    (descriptor, events, count, timeout, mask), timeout != 0, (descriptor, events, count, 0, mask))

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
  if (!job(DETERMINISM_ESCAPES) || operation & LOCK_NB || !(operation & (LOCK_SH | LOCK_EX))) return original(descriptor, operation);
  int result = original(descriptor, operation | LOCK_NB);
  if (result == 0 || errno != EWOULDBLOCK) return result;
  BLOCK("flock");
  result = original(descriptor, operation);
  END_ESCAPE;
  return result;
}

INTERPOSE int lockf(int descriptor, int operation, off_t size) {
  NEXT(lockf);
  if (!job(DETERMINISM_ESCAPES) || operation != F_LOCK) return original(descriptor, operation, size);
  int result = original(descriptor, F_TLOCK, size);
  if (result == 0 || (errno != EACCES && errno != EAGAIN)) return result;
  BLOCK("lockf");
  result = original(descriptor, operation, size);
  END_ESCAPE;
  return result;
}

/// The same without waiting, of what locks a file and waits; 0 of everything else.
static int without_waiting(int command) {
  return command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : 0;
}

#define LOCKS_BY_FCNTL(name)                                                       \
  INTERPOSE int name(int descriptor, int command, ...) {                           \
    va_list list;                                                                  \
    va_start(list, command);                                                       \
    void *argument = va_arg(list, void *);                                         \
    va_end(list);                                                                  \
    NEXT(name);                                                                    \
    int attempt = without_waiting(command);                                        \
    if (!attempt || !job(DETERMINISM_ESCAPES)) return original(descriptor, command, argument); \
    int result = original(descriptor, attempt, argument);                          \
    if (result == 0 || (errno != EACCES && errno != EAGAIN)) return result;        \
    BLOCK("fcntl for a lock");                                                     \
    result = original(descriptor, command, argument);                              \
    END_ESCAPE;                                                                    \
    return result;                                                                 \
  }
LOCKS_BY_FCNTL(fcntl)
LOCKS_BY_FCNTL(fcntl64)

// Locks that are held in memory. Those of Swift (`Mutex`) and of Dispatch wait by `syscall`, those of C and Foundation
// here.

/// Waits for a lock that another thread has, until the deadline or until the run is to end; `ETIMEDOUT` then.
///
/// `attempt` waits until a time of `clock`. Nothing on this thread counts meanwhile.
#define WAIT_IN_NAPS(result, thread, clock, deadline, attempt)                                        \
  do {                                                                                                \
    (thread)->runs_job = false;                                                                       \
    do {                                                                                              \
      limit = after_a_nap(clock);                                                                     \
      is_last = (deadline) && !is_before(&limit, (deadline));                                         \
      if (is_last) limit = *(deadline);                                                               \
      result = attempt;                                                                               \
    } while (result == ETIMEDOUT && !is_last && !is_to_end(thread));                                  \
    (thread)->runs_job = true;                                                                        \
  } while (0)

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

INTERPOSE int pthread_mutex_lock(pthread_mutex_t *mutex) {
  NEXT(pthread_mutex_lock);
  if (!job(DETERMINISM_ESCAPES)) return original(mutex);
  int result = pthread_mutex_trylock(mutex);
  if (result != EBUSY) return result;
  if (is_mine(mutex)) {
    BLOCK_AS(OWN_LOCK("pthread_mutex_lock"));
    result = original(mutex);
    END_ESCAPE;
    return result;
  }
  determinism_thread *thread = determinism_this_thread();
  struct timespec limit;
  bool is_last;
  const struct timespec *never = NULL;
  WAIT_IN_NAPS(result, thread, CLOCK_MONOTONIC, never, pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &limit));
  if (result != ETIMEDOUT) return result;
  BLOCK("pthread_mutex_lock");
  result = original(mutex);
  END_ESCAPE;
  return result;
}

// ICU sets up what it knows of a language when that is first asked for, and a second thread waits for the first: as for
// a lock that another thread has.
INTERPOSE int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  NEXT(pthread_cond_wait);
  if (!job(DETERMINISM_ESCAPES)) return original(condition, mutex);
  int result;
  if (is_called_by_icu(__builtin_return_address(0))) {
    determinism_thread *thread = determinism_this_thread();
    struct timespec limit;
    bool is_last;
    const struct timespec *never = NULL;
    WAIT_IN_NAPS(
        result, thread, CLOCK_MONOTONIC, never, pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &limit));
    if (result != ETIMEDOUT) return result;
  }
  BLOCK("pthread_cond_wait");
  result = original(condition, mutex);
  END_ESCAPE;
  return result;
}

// A lock with a deadline has it in virtual time; where that is over, real time has decided.

#define LOCKS_UNTIL(name, lock, free, clock, parameters, arguments, attempt)                             \
  INTERPOSE int name parameters {                                                                        \
    NEXT(name);                                                                                          \
    if (!job(DETERMINISM_ESCAPES)) return original arguments;                                            \
    int result = free(lock);                                                                             \
    if (result != EBUSY) return result;                                                                  \
    determinism_thread *thread = determinism_this_thread();                                              \
    thread->runs_job = false;                                                                            \
    struct timespec deadline = real_timespec(thread, clock, time), limit;                                \
    bool is_last;                                                                                        \
    WAIT_IN_NAPS(result, thread, clock, &deadline, attempt);                                             \
    if (result != ETIMEDOUT) return result;                                                              \
    BLOCK(#name);                                                                                        \
    if (!is_last) {                                                                                      \
      limit = deadline;                                                                                  \
      result = attempt;                                                                                  \
    }                                                                                                    \
    END_ESCAPE;                                                                                          \
    return result;                                                                                       \
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

#define LOCKS(name, free, timed)                                                                         \
  INTERPOSE int name(pthread_rwlock_t *lock) {                                                           \
    NEXT(name);                                                                                          \
    if (!job(DETERMINISM_ESCAPES)) return original(lock);                                                \
    int result = free(lock);                                                                             \
    if (result != EBUSY) return result;                                                                  \
    determinism_thread *thread = determinism_this_thread();                                              \
    struct timespec limit;                                                                               \
    bool is_last;                                                                                        \
    const struct timespec *never = NULL;                                                                 \
    WAIT_IN_NAPS(result, thread, CLOCK_REALTIME, never, timed(lock, &limit));                            \
    if (result != ETIMEDOUT) return result;                                                              \
    BLOCK(#name);                                                                                        \
    result = original(lock);                                                                             \
    END_ESCAPE;                                                                                          \
    return result;                                                                                       \
  }
LOCKS(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_timedrdlock)
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_timedwrlock)

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

static ssize_t written(int descriptor, ssize_t count) {
  if (count > 0) set_time_of(descriptor);
  return count;
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

INTERPOSE ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  return written(descriptor, original(descriptor, bytes, count, offset));
}

INTERPOSE ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  NEXT(pwrite64);
  return written(descriptor, original(descriptor, bytes, count, offset));
}

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
  return original(stream);
}

static bool wait_for_lock(long number, long a, long b, long c, long d, long e, long f, const void *caller, long *result) {
  determinism_thread *thread = determinism_this_thread();
  if (!thread->runs_job || !(thread->features & DETERMINISM_ESCAPES)) return false;
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
INTERPOSE unsigned alarm(unsigned seconds) {
  NEXT(alarm);
  if (seconds == 0) return original(seconds);
  ESCAPE("set an alarm of the system");
  unsigned result = original(seconds);
  END_ESCAPE;
  return result;
}

LEAVING(
    int, setitimer, (__itimer_which_t which, const struct itimerval *restrict time, struct itimerval *restrict before),
    (which, time, before), "set an alarm of the system")

// MARK: Run loops
//
// No run loop of a thread of a simulation ever runs, so what is given to it waits forever. Weak: with a static
// Foundation its own stand. The other parameters are opaque here.

#define RUN_LOOP(name, words, parameters, arguments) \
  INTERPOSE_WEAK void name parameters;               \
  INTERPOSE_WEAK void name parameters {              \
    ESCAPE(words);                                   \
    NEXT(name);                                      \
    if (original) original arguments;                \
    END_ESCAPE;                                      \
  }

#define TIMER_WORDS "set a timer of the system, as timers of a run loop are,"
RUN_LOOP(CFRunLoopAddTimer, TIMER_WORDS, (void *loop, void *timer, const void *mode), (loop, timer, mode))
RUN_LOOP(
    CFRunLoopPerformBlock, "gave a block to a run loop, which does not run in a simulation,",
    (void *loop, const void *mode, void *block), (loop, mode, block))
RUN_LOOP(
    CFRunLoopAddSource, "gave a source to a run loop, which does not run in a simulation,",
    (void *loop, void *source, const void *mode), (loop, source, mode))

// What runs the loop of its thread asks this first, and continues at once where the loop is empty, as it is in a
// simulation.
INTERPOSE_WEAK unsigned char _CFRunLoopFinished(void *loop, const void *mode);
INTERPOSE_WEAK unsigned char _CFRunLoopFinished(void *loop, const void *mode) {
  ESCAPE("ran a run loop, which does not run in a simulation,");
  begin_to_block(escaped);
  NEXT(_CFRunLoopFinished);
  unsigned char result = original ? original(loop, mode) : 1;
  END_ESCAPE;
  return result;
}

INTERPOSE_WEAK int32_t CFRunLoopRunInMode(const void *mode, double seconds, unsigned char returns);
INTERPOSE_WEAK int32_t CFRunLoopRunInMode(const void *mode, double seconds, unsigned char returns) {
  ESCAPE("ran a run loop, which blocks the thread of the simulation,");
  begin_to_block(escaped);
  NEXT(CFRunLoopRunInMode);
  int32_t result = original ? original(mode, seconds, returns) : 0;
  END_ESCAPE;
  return result;
}

// The main actor of a simulation is on its thread, so for what runs there this is the main thread, and its queue the
// main one.

static bool is_main(void) { return job(DETERMINISM_MAIN_ACTOR) != NULL; }

INTERPOSE_WEAK unsigned char _CFIsMainThread(void);
INTERPOSE_WEAK unsigned char _CFIsMainThread(void) {
  if (is_main()) return 1;
  NEXT(_CFIsMainThread);
  return original ? original() : 0;
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

// MARK: Dispatch
//
// Blocks and queues are opaque here; only what happens is said, and passed on. Weak: with a static Dispatch its own
// stand.

#define DISPATCH_VOID(name, words, parameters, arguments)  \
  INTERPOSE_WEAK void name parameters;                     \
  INTERPOSE_WEAK void name parameters {                    \
    ESCAPE(words);                                   \
    NEXT(name);                        \
    if (original) original arguments;                      \
    END_ESCAPE;                                            \
  }

DISPATCH_VOID(dispatch_async, LEAVES("dispatch_async"), (void *queue, void *block), (queue, block))
DISPATCH_VOID(dispatch_async_f, LEAVES("dispatch_async"), (void *queue, void *context, void *work), (queue, context, work))
DISPATCH_VOID(dispatch_after, LEAVES("dispatch_after"), (uint64_t when, void *queue, void *block), (real_dispatch_time(escaped, when), queue, block))
DISPATCH_VOID(
    dispatch_after_f, LEAVES("dispatch_after"), (uint64_t when, void *queue, void *context, void *work),
    (real_dispatch_time(escaped, when), queue, context, work))
DISPATCH_VOID(dispatch_barrier_async, LEAVES("dispatch_barrier_async"), (void *queue, void *block), (queue, block))
DISPATCH_VOID(
    dispatch_group_async, LEAVES("dispatch_group_async"), (void *group, void *queue, void *block), (group, queue, block))
DISPATCH_VOID(
    dispatch_group_notify, LEAVES("dispatch_group_notify"), (void *group, void *queue, void *block), (group, queue, block))
DISPATCH_VOID(dispatch_apply, LEAVES("dispatch_apply"), (size_t count, void *queue, void *block), (count, queue, block))
DISPATCH_VOID(
    dispatch_source_set_timer, "set a timer of Dispatch", (void *source, uint64_t start, uint64_t interval, uint64_t leeway),
    (source, real_dispatch_time(escaped, start), interval, leeway))

DISPATCH_VOID(dispatch_read, LEAVES("dispatch_read"), (int descriptor, size_t size, void *queue, void *block), (descriptor, size, queue, block))
DISPATCH_VOID(
    dispatch_write, LEAVES("dispatch_write"), (int descriptor, void *data, void *queue, void *block), (descriptor, data, queue, block))
DISPATCH_VOID(
    dispatch_io_read, LEAVES("dispatch_io_read"), (void *channel, off_t offset, size_t size, void *queue, void *block),
    (channel, offset, size, queue, block))
DISPATCH_VOID(
    dispatch_io_write, LEAVES("dispatch_io_write"), (void *channel, off_t offset, void *data, void *queue, void *block),
    (channel, offset, data, queue, block))
DISPATCH_VOID(dispatch_async_and_wait, BLOCKS("dispatch_async_and_wait"), (void *queue, void *block), (queue, block))
DISPATCH_VOID(dispatch_barrier_async_and_wait, BLOCKS("dispatch_barrier_async_and_wait"), (void *queue, void *block), (queue, block))

INTERPOSE_WEAK void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue);
INTERPOSE_WEAK void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  ESCAPE("made a source of Dispatch, whose events come from elsewhere,");
  NEXT(dispatch_source_create);
  void *result = original ? original(type, handle, mask, queue) : NULL;
  END_ESCAPE;
  return result;
}

// A queue that is free runs a block in place, on this thread: that is inside, as a lock is. One that is not makes the
// thread wait, by `syscall`; and the main queue is that of the process.
extern __attribute__((weak)) char _dispatch_main_q[];

#define DISPATCH_IN_PLACE(name, parameters, arguments)                                                    \
  INTERPOSE_WEAK void name parameters;                                                                    \
  INTERPOSE_WEAK void name parameters {                                                                   \
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

INTERPOSE_WEAK void dispatch_assert_queue(void *queue);
INTERPOSE_WEAK void dispatch_assert_queue(void *queue) {
  if (queue == (void *)_dispatch_main_q && is_main()) return;
  NEXT(dispatch_assert_queue);
  if (original) original(queue);
}

INTERPOSE_WEAK intptr_t dispatch_block_wait(void *block, uint64_t timeout);
INTERPOSE_WEAK intptr_t dispatch_block_wait(void *block, uint64_t timeout) {
  BLOCK("dispatch_block_wait");
  NEXT(dispatch_block_wait);
  intptr_t result = original ? original(block, real_dispatch_time(escaped, timeout)) : 0;
  END_ESCAPE;
  return result;
}

INTERPOSE_WEAK intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout);
INTERPOSE_WEAK intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  NEXT(dispatch_semaphore_wait);
  if (original && job(DETERMINISM_ESCAPES) && original(semaphore, 0) == 0) return 0;
  BLOCK("dispatch_semaphore_wait");
  intptr_t result = original ? original(semaphore, real_dispatch_time(escaped, timeout)) : 0;
  END_ESCAPE;
  return result;
}

INTERPOSE_WEAK intptr_t dispatch_group_wait(void *group, uint64_t timeout);
INTERPOSE_WEAK intptr_t dispatch_group_wait(void *group, uint64_t timeout) {
  NEXT(dispatch_group_wait);
  if (original && job(DETERMINISM_ESCAPES) && original(group, 0) == 0) return 0;
  BLOCK("dispatch_group_wait");
  intptr_t result = original ? original(group, real_dispatch_time(escaped, timeout)) : 0;
  END_ESCAPE;
  return result;
}

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
  determinism_register_namer(find_name_of_waiting);
  determinism_register_locator(find_place_of_thread);
  determinism_add_features(DETERMINISM_CLOCKS | DETERMINISM_RANDOMNESS | DETERMINISM_ESCAPES);
}
#endif
