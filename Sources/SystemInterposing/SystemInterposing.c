// Clocks, randomness and what leaves, in programs that test: functions of the C library, defined here once more. In a job of a
// simulation they answer from its virtual time and its seed, or report what is done; everywhere else they pass everything on.
//
// Linux only: on other systems a program cannot define a function of a library in its place so simply, and this is empty.
#if defined(__linux__)
#define _GNU_SOURCE
#include "SystemInterposing.h"

#include "CDeterminism.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

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

// What a job does that waits by reading the clock, and would for ever: nothing but its end moves the virtual time.
static const unsigned most_reads = 10000000;

static void report(determinism_thread *thread, const char *words, const void *caller);

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
  if (++thread->clock_reads == most_reads) {
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

// The standard library of Swift calls this one; glibc itself does not.
INTERPOSE long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long), e = va_arg(list, long),
       f = va_arg(list, long);
  va_end(list);
  if (number == SYS_getrandom && virtual_random((void *)a, (size_t)b)) return b;
  NEXT(syscall);
  return original(number, a, b, c, d, e, f);
}

// The generators of C have one state for the whole process: in a job they draw from its seed, and seeding them does nothing.
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

// `UUID()` of Foundation and other old hands read a device. Descriptors of it are remembered, also those opened elsewhere.
enum { device_limit = 4096 };
static _Atomic unsigned char is_random_device[device_limit];

static int opened(const char *path, int descriptor) {
  bool is_device = path && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
  if (descriptor >= 0 && descriptor < device_limit) {
    atomic_store_explicit(&is_random_device[descriptor], is_device, memory_order_relaxed);
  }
  return descriptor;
}

#define MODE_OF(flags, list) ((flags) & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0)

INTERPOSE int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = MODE_OF(flags, list);
  va_end(list);
  NEXT(open);
  return opened(path, original(path, flags, mode));
}

INTERPOSE int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = MODE_OF(flags, list);
  va_end(list);
  NEXT(open64);
  return opened(path, original(path, flags, mode));
}

INTERPOSE int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = MODE_OF(flags, list);
  va_end(list);
  NEXT(openat);
  return opened(path, original(folder, path, flags, mode));
}

INTERPOSE ssize_t read(int descriptor, void *bytes, size_t count) {
  if (descriptor >= 0 && descriptor < device_limit
      && atomic_load_explicit(&is_random_device[descriptor], memory_order_relaxed) && virtual_random(bytes, count)) {
    return (ssize_t)count;
  }
  NEXT(read);
  return original(descriptor, bytes, count);
}

INTERPOSE int close(int descriptor) {
  if (descriptor >= 0 && descriptor < device_limit) {
    atomic_store_explicit(&is_random_device[descriptor], 0, memory_order_relaxed);
  }
  NEXT(close);
  return original(descriptor);
}

// MARK: Who does something
//
// Read from the symbol table of the program when something is to be reported; a stripped one has none.

struct program {
  const char *start;
  size_t size;
  const ElfW(Sym) *symbols;
  size_t count;
  const char *names;
  uintptr_t base;
};

static int find_base(struct dl_phdr_info *info, size_t size, void *base) {
  (void)size;
  *(uintptr_t *)base = info->dlpi_addr;
  // The first is the program itself.
  return 1;
}

static bool read_program(struct program *program) {
  NEXT(open);
  int file = original("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  bool is_read = fstat(file, &status) == 0 && status.st_size > (off_t)sizeof(ElfW(Ehdr));
  if (is_read) {
    program->size = (size_t)status.st_size;
    program->start = mmap(NULL, program->size, PROT_READ, MAP_PRIVATE, file, 0);
    is_read = program->start != MAP_FAILED;
  }
  close(file);
  if (!is_read) return false;
  const ElfW(Ehdr) *header = (const void *)program->start;
  if (header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > program->size) return false;
  const ElfW(Shdr) *sections = (const void *)(program->start + header->e_shoff);
  for (size_t index = 0; index < header->e_shnum; index++) {
    if (sections[index].sh_type != SHT_SYMTAB || sections[index].sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *names = &sections[sections[index].sh_link];
    if (sections[index].sh_offset + sections[index].sh_size > program->size) continue;
    if (names->sh_offset + names->sh_size > program->size) continue;
    program->symbols = (const void *)(program->start + sections[index].sh_offset);
    program->count = sections[index].sh_size / sizeof(ElfW(Sym));
    program->names = program->start + names->sh_offset;
    dl_iterate_phdr(find_base, &program->base);
    return true;
  }
  return false;
}

static struct program program;
static bool has_program;

static void read_program_once(void) { has_program = read_program(&program); }

static bool can_name(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_program_once);
  return has_program;
}

extern __attribute__((weak)) char *swift_demangle(
    const char *mangled, size_t length, char *output, size_t *size, uint32_t flags);

/// Whether a symbol is of what simulates, and not of what is simulated.
static bool is_ours(const char *name) {
  static const char *const ours[] = {
    "$s11Determinism", "$s12RuntimeHooks", "determinism_", "swift_", "$ss", "$sS", "dispatch_",
  };
  for (size_t index = 0; index < sizeof ours / sizeof *ours; index++) {
    if (strncmp(name, ours[index], strlen(ours[index])) == 0) return true;
  }
  return false;
}

static void cut(char *name, const char *end) { memmove(name, end, strlen(end) + 1); }

/// Takes out of a name what the compiler made of the function, and what tells private ones of two files apart:
/// `(1) await resume partial function for Model.(follow in _842D…)()` is `Model.follow()`.
static void simplify(char *name) {
  static const char *const parts[] = {" partial function for ", " specialization <"};
  const char *end;
  if (name[0] == '(' && (end = strstr(name, parts[0]))) cut(name, end + strlen(parts[0]));
  // Such as `function signature specialization <Arg[0] = Dead> of …` and `generic specialization <Int> of …`.
  if ((end = strstr(name, parts[1])) && end - name < 20 && (end = strstr(end, "> of "))) cut(name, end + strlen("> of "));
  for (char *begin = name; (begin = strstr(begin, " in _"));) {
    char *hash = begin + strlen(" in _");
    size_t digits = strspn(hash, "0123456789ABCDEF");
    char *open = begin;
    while (open > name && *open != '(') open--;
    if (digits < 16 || hash[digits] != ')' || *open != '(') {
      begin = hash;
      continue;
    }
    cut(begin, hash + digits + 1);
    cut(open, open + 1);
  }
}

/// Writes the name of the innermost function of the program behind `caller`; false where there is none.
static bool find_name(void *const *frames, int count, const void *caller, char *name, size_t size) {
  int frame = 0;
  while (frame < count && frames[frame] != caller) frame++;
  // Without frame pointers in what is here, the chain begins behind the caller.
  bool begins_behind = frame == count;
  if (begins_behind) frame = 0;
  for (; frame < count; frame++) {
    uintptr_t address = (uintptr_t)frames[frame] - 1 - program.base;
    const ElfW(Sym) *found = NULL;
    for (size_t index = 0; index < program.count && !found; index++) {
      const ElfW(Sym) *symbol = &program.symbols[index];
      if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && address >= symbol->st_value && address - symbol->st_value < symbol->st_size) {
        found = symbol;
      }
    }
    if (!found || is_ours(program.names + found->st_name)) continue;
    if (begins_behind && strncmp(program.names + found->st_name, "$s", 2) != 0) continue;
    const char *mangled = program.names + found->st_name;
    char *words = swift_demangle ? swift_demangle(mangled, strlen(mangled), NULL, NULL, 0) : NULL;
    snprintf(name, size, "%s", words ? words : mangled);
    free(words);
    simplify(name);
    return true;
  }
  return false;
}

/// The same of functions that are to go on, which begin at these addresses.
static bool name_of_waiting(void *const *addresses, int count, char *name, size_t size) {
  if (!can_name()) return false;
  for (int index = 0; index < count; index++) {
    void *inside = (char *)addresses[index] + 1;
    if (find_name(&inside, 1, inside, name, size)) return true;
  }
  return false;
}

/// Whether a word of the stack is an address of the program behind a call.
static bool is_return_address(uintptr_t word) {
#if defined(__x86_64__)
  extern char __executable_start, etext;
  if (word < (uintptr_t)&__executable_start + 8 || word > (uintptr_t)&etext) return false;
  const unsigned char *code = (const unsigned char *)word;
  // A near call, or one by a register or through memory.
  return code[-5] == 0xE8 || (code[-2] == 0xFF && (code[-1] & 0xF8) == 0xD0) || (code[-3] == 0xFF && (code[-2] & 0xF8) == 0x50)
    || (code[-6] == 0xFF && (code[-5] & 0xF8) == 0x90);
#else
  (void)word;
  return false;
#endif
}

/// The return addresses on the chain of frame pointers, as far as it stays on this thread's stack.
///
/// A function of a library that keeps no frame pointer is passed over by the chain, and the return address to who called it is
/// somewhere between the frames around it: behind `caller`, what looks like one counts.
static int follow_frames(void **frames, int limit, const void *caller) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *stack = NULL;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  uintptr_t end = (uintptr_t)stack + size;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  int count = 0;
  while (count < limit && frame % sizeof(void *) == 0 && frame + 2 * sizeof(void *) <= end) {
    // In the frame of an asynchronous function of Swift a high bit of it is set.
    uintptr_t next = ((const uintptr_t *)frame)[0] & ~((uintptr_t)1 << 60);
    frames[count++] = (void *)((const uintptr_t *)frame)[1];
    if (next <= frame) break;
    if (frames[count - 1] == caller && next <= end && next - frame < 4096) {
      for (uintptr_t place = frame + 2 * sizeof(void *); place < next && count < limit; place += sizeof(void *)) {
        uintptr_t word = *(const uintptr_t *)place;
        if (is_return_address(word)) frames[count++] = (void *)word;
      }
    }
    frame = next;
  }
  return count;
}

/// Writes the name of the innermost function of the program that is on the stack; false where there is none to be had.
static bool name_of_caller(const void *caller, char *name, size_t size) {
  if (!can_name()) return false;
  void *frames[48];
  int limit = sizeof frames / sizeof *frames;
  if (find_name(frames, backtrace(frames, limit), caller, name, size)) return true;
  // A library on the way may say too little about its frames, as the overlay of Dispatch does.
  return find_name(frames, follow_frames(frames, limit, caller), caller, name, size);
}

// MARK: What leaves

/// Reports what the task that runs now does, and lets it; not what that itself does again.
#define ESCAPE(words) determinism_thread *escaped = escape(words, __builtin_return_address(0))
#define END_ESCAPE \
  if (escaped) escaped->runs_job = true

// The thread, where it is one of a simulation: until `END_ESCAPE` nothing on it counts.
static determinism_thread *escape(const char *words, const void *caller) {
  determinism_thread *thread = determinism_this_thread();
  if (!thread->runs_job || !(thread->features & (DETERMINISM_ESCAPES | DETERMINISM_CLOCKS))) return NULL;
  thread->runs_job = false;
  report(thread, words, caller);
  return thread;
}

static void report(determinism_thread *thread, const char *words, const void *caller) {
  if (!(thread->features & DETERMINISM_ESCAPES)) return;
  bool runs_job = thread->runs_job;
  thread->runs_job = false;
  char function[1024];
  determinism_registered()->escape(thread->executor, words, name_of_caller(caller, function, sizeof function) ? function : NULL);
  thread->runs_job = runs_job;
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

#define BLOCKS(name) "called " name ", which blocks the thread of the simulation,"
// Real time goes by in it, and so does the job's from here on: what waits in steps for a time to come must end.
#define BLOCK(name)      \
  ESCAPE(BLOCKS(name));  \
  begin_to_block(escaped)
#define LEAVES(name) "called " name ", which goes on elsewhere,"

INTERPOSE int nanosleep(const struct timespec *time, struct timespec *rest) {
  BLOCK("nanosleep");
  NEXT(nanosleep);
  int result = original(time, rest);
  END_ESCAPE;
  return result;
}

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

INTERPOSE int usleep(useconds_t time) {
  BLOCK("usleep");
  NEXT(usleep);
  int result = original(time);
  END_ESCAPE;
  return result;
}

INTERPOSE unsigned sleep(unsigned time) {
  BLOCK("sleep");
  NEXT(sleep);
  unsigned result = original(time);
  END_ESCAPE;
  return result;
}

INTERPOSE int sem_wait(sem_t *semaphore) {
  BLOCK("sem_wait");
  NEXT(sem_wait);
  int result = original(semaphore);
  END_ESCAPE;
  return result;
}

INTERPOSE int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
  BLOCK("sem_timedwait");
  NEXT(sem_timedwait);
  struct timespec deadline = real_timespec(escaped, CLOCK_REALTIME, time);
  int result = original(semaphore, &deadline);
  END_ESCAPE;
  return result;
}

INTERPOSE int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  BLOCK("pthread_cond_wait");
  NEXT(pthread_cond_wait);
  int result = original(condition, mutex);
  END_ESCAPE;
  return result;
}

INTERPOSE int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
  BLOCK("pthread_cond_timedwait");
  NEXT(pthread_cond_timedwait);
  // Which clock it is of is not to be had; the virtual ones are far apart.
  struct timespec deadline = real_timespec(escaped, time->tv_sec < wall_start / 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME, time);
  int result = original(condition, mutex, &deadline);
  END_ESCAPE;
  return result;
}

INTERPOSE int pthread_join(pthread_t other, void **result_of) {
  BLOCK("pthread_join");
  NEXT(pthread_join);
  int result = original(other, result_of);
  END_ESCAPE;
  return result;
}

INTERPOSE int pthread_create(
    pthread_t *restrict made, const pthread_attr_t *restrict attributes, void *(*body)(void *), void *restrict argument) {
  ESCAPE(LEAVES("pthread_create"));
  NEXT(pthread_create);
  int result = original(made, attributes, body, argument);
  END_ESCAPE;
  return result;
}

INTERPOSE int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  BLOCK("poll");
  NEXT(poll);
  int result = original(descriptors, count, timeout);
  END_ESCAPE;
  return result;
}

INTERPOSE int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  BLOCK("ppoll");
  NEXT(ppoll);
  int result = original(descriptors, count, timeout, mask);
  END_ESCAPE;
  return result;
}

INTERPOSE int select(
    int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors, struct timeval *restrict timeout) {
  BLOCK("select");
  NEXT(select);
  int result = original(count, reads, writes, errors, timeout);
  END_ESCAPE;
  return result;
}

INTERPOSE int epoll_wait(int descriptor, struct epoll_event *events, int count, int timeout) {
  BLOCK("epoll_wait");
  NEXT(epoll_wait);
  int result = original(descriptor, events, count, timeout);
  END_ESCAPE;
  return result;
}

// A run loop sets one for its timers, and nobody runs the loop of a thread of a simulation.
INTERPOSE int timerfd_settime(int timer, int flags, const struct itimerspec *time, struct itimerspec *before) {
  ESCAPE("set a timer of the system, as timers of a run loop are,");
  NEXT(timerfd_settime);
  int result = original(timer, flags, time, before);
  END_ESCAPE;
  return result;
}

INTERPOSE int socket(int domain, int type, int protocol) {
  ESCAPE("opened a socket");
  NEXT(socket);
  int result = original(domain, type, protocol);
  END_ESCAPE;
  return result;
}

INTERPOSE int socketpair(int domain, int type, int protocol, int *pair) {
  ESCAPE("opened a socket");
  NEXT(socketpair);
  int result = original(domain, type, protocol, pair);
  END_ESCAPE;
  return result;
}

INTERPOSE int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
  ESCAPE("called connect on a socket");
  NEXT(connect);
  int result = original(descriptor, address, length);
  END_ESCAPE;
  return result;
}

INTERPOSE ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  ESCAPE("called recv on a socket");
  NEXT(recv);
  ssize_t result = original(descriptor, bytes, count, flags);
  END_ESCAPE;
  return result;
}

INTERPOSE ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  ESCAPE("called send on a socket");
  NEXT(send);
  ssize_t result = original(descriptor, bytes, count, flags);
  END_ESCAPE;
  return result;
}

// MARK: Dispatch
//
// Blocks and queues are opaque here; only what happens is said, and passed on. Weak: with a static Dispatch its own stand.

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

INTERPOSE_WEAK intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout);
INTERPOSE_WEAK intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  BLOCK("dispatch_semaphore_wait");
  NEXT(dispatch_semaphore_wait);
  intptr_t result = original ? original(semaphore, real_dispatch_time(escaped, timeout)) : 0;
  END_ESCAPE;
  return result;
}

INTERPOSE_WEAK intptr_t dispatch_group_wait(void *group, uint64_t timeout);
INTERPOSE_WEAK intptr_t dispatch_group_wait(void *group, uint64_t timeout) {
  BLOCK("dispatch_group_wait");
  NEXT(dispatch_group_wait);
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
  // It goes on as it is: the order of a `Set` may differ from process to process.
  unsetenv("SWIFT_DETERMINISTIC_HASHING");
}

__attribute__((constructor)) static void install(int count, char **arguments) {
  (void)count;
  fix_hashing(arguments);
  determinism_register_namer(name_of_waiting);
  determinism_add_features(DETERMINISM_CLOCKS | DETERMINISM_RANDOMNESS | DETERMINISM_ESCAPES);
}
#endif
