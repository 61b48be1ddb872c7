#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CDeterminism.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

DETERMINISM_CODE

static __thread determinism_thread this_thread;

__attribute__((noinline)) determinism_thread *determinism_this_thread(void) {
  // The compiler must not conclude that two calls give the same.
  __asm__ volatile("" ::: "memory");
  return &this_thread;
}

void *determinism_current_executor(void) { return determinism_this_thread()->executor; }

static determinism_callbacks registered;

void determinism_register(determinism_callbacks callbacks) { registered = callbacks; }
const determinism_callbacks *determinism_registered(void) { return &registered; }

static _Atomic(const determinism_task_layout *) task_layout;
static _Atomic(determinism_namer) namer;
static _Atomic(determinism_locator) locator;

void determinism_register_tasks(const determinism_task_layout *layout) { atomic_store(&task_layout, layout); }
const determinism_task_layout *determinism_tasks(void) {
  return atomic_load_explicit(&task_layout, memory_order_acquire);
}
void determinism_register_places(determinism_namer new_namer, determinism_locator new_locator) {
  atomic_store(&namer, new_namer);
  atomic_store(&locator, new_locator);
}
bool determinism_name(void *const *addresses, int count, char *name, size_t size) {
  determinism_namer current = atomic_load(&namer);
  return current && current(addresses, count, name, size);
}
bool determinism_locate(uintptr_t thread, char *place, size_t size) {
  determinism_locator current = atomic_load(&locator);
  return current && current(thread, place, size);
}

static _Atomic(determinism_hooks) hooks;

void determinism_register_hooks(determinism_hooks other) { atomic_store(&hooks, other); }
uint64_t determinism_put_hooks(void **culprit) {
  determinism_hooks current = atomic_load(&hooks);
  return current ? current(culprit) : 0;
}

uintptr_t determinism_thread_self(void) { return (uintptr_t)pthread_self(); }

int64_t determinism_thread_nanoseconds(uintptr_t thread) {
#if defined(__linux__)
  clockid_t clock;
  struct timespec time;
  if (pthread_getcpuclockid((pthread_t)thread, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
#else
  (void)thread;
  return -1;
#endif
}

static const int trap_signals[] = {SIGILL, SIGTRAP, SIGFPE, SIGSEGV, SIGBUS, SIGABRT};
enum { trap_count = sizeof trap_signals / sizeof *trap_signals };
static struct sigaction trap_before[trap_count];

static void write_last_words(int signal, siginfo_t *information, void *context) {
  (void)context;
  int error = errno;
  // What is written now is no job's.
  this_thread.runs_job = false;
  const char *words = this_thread.last_words;
  for (size_t length = words ? strlen(words) : 0; length > 0;) {
    ssize_t written = write(STDERR_FILENO, words, length);
    if (written <= 0) break;
    words += written, length -= (size_t)written;
  }
  // The signal comes again when this returns: a trap as it is repeated, another as it is sent here.
  for (int index = 0; index < trap_count; index++) {
    if (trap_signals[index] == signal) sigaction(signal, &trap_before[index], NULL);
  }
  if (information->si_code <= 0) raise(signal);
  errno = error;
}

void determinism_catch_traps(void) {
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&is_done)) return;
  struct sigaction action = {.sa_sigaction = write_last_words, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  for (int index = 0; index < trap_count; index++) sigaction(trap_signals[index], &action, &trap_before[index]);
}

static atomic_int naming;

void determinism_add_naming(int change) { atomic_fetch_add(&naming, change); }
bool determinism_is_naming(void) { return atomic_load(&naming) > 0; }

static atomic_int running;
static atomic_uint features;

void determinism_add_running(int change) { atomic_fetch_add(&running, change); }
bool determinism_is_running(void) { return atomic_load_explicit(&running, memory_order_relaxed) > 0; }
void determinism_add_features(unsigned more) { atomic_fetch_or(&features, more); }
unsigned determinism_features(void) { return atomic_load_explicit(&features, memory_order_relaxed); }

int64_t determinism_real_nanoseconds(void) {
  struct timespec now;
  // It may be interposed in this program, and is real where no job runs.
  bool runs_job = this_thread.runs_job;
  this_thread.runs_job = false;
  clock_gettime(CLOCK_MONOTONIC, &now);
  this_thread.runs_job = runs_job;
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct start {
  void (*body)(void *);
  void *argument;
};

// Its name distinguishes it from simulated code.
static void *determinism_run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  // A thread of Dispatch gets no signals, nor does one that it starts; by this one it is asked where it is.
  sigset_t asking;
  sigemptyset(&asking);
  sigaddset(&asking, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &asking, NULL);
  start.body(start.argument);
  return NULL;
}

bool determinism_start_thread(void (*body)(void *), void *argument) {
  struct start *start = malloc(sizeof *start);
  if (!start) return false;
  start->body = body;
  start->argument = argument;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  // Threads of ours are no escape.
  bool runs_job = this_thread.runs_job;
  this_thread.runs_job = false;
  pthread_t thread;
  int result = pthread_create(&thread, &attributes, determinism_run_thread, start);
  this_thread.runs_job = runs_job;
  pthread_attr_destroy(&attributes);
  if (result != 0) free(start);
  return result == 0;
}

int determinism_processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (int)count;
}

struct determinism_gate {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool is_open;
};

determinism_gate *determinism_gate_make(void) {
  determinism_gate *gate = calloc(1, sizeof *gate);
  if (!gate) abort();
  pthread_mutex_init(&gate->mutex, NULL);
#if defined(__linux__)
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&gate->condition, &attributes);
  pthread_condattr_destroy(&attributes);
#else
  pthread_cond_init(&gate->condition, NULL);
#endif
  return gate;
}

void determinism_gate_free(determinism_gate *gate) {
  pthread_cond_destroy(&gate->condition);
  pthread_mutex_destroy(&gate->mutex);
  free(gate);
}

void determinism_gate_open(determinism_gate *gate) {
  pthread_mutex_lock(&gate->mutex);
  gate->is_open = true;
  pthread_cond_signal(&gate->condition);
  pthread_mutex_unlock(&gate->mutex);
}

bool determinism_gate_wait(determinism_gate *gate, int64_t nanoseconds) {
  bool runs_job = this_thread.runs_job;
  this_thread.runs_job = false;
  int64_t start = determinism_real_nanoseconds();
  pthread_mutex_lock(&gate->mutex);
  while (!gate->is_open) {
    if (nanoseconds < 0) {
      pthread_cond_wait(&gate->condition, &gate->mutex);
      continue;
    }
    int64_t left = nanoseconds - (determinism_real_nanoseconds() - start);
    if (left <= 0) break;
    struct timespec time;
#if defined(__linux__)
    int64_t until = start + nanoseconds;
    time.tv_sec = until / 1000000000;
    time.tv_nsec = until % 1000000000;
    pthread_cond_timedwait(&gate->condition, &gate->mutex, &time);
#else
    time.tv_sec = left / 1000000000;
    time.tv_nsec = left % 1000000000;
    pthread_cond_timedwait_relative_np(&gate->condition, &gate->mutex, &time);
#endif
  }
  bool was_open = gate->is_open;
  gate->is_open = false;
  pthread_mutex_unlock(&gate->mutex);
  this_thread.runs_job = runs_job;
  return was_open;
}

// Of the Swift runtime, which every caller of these links.
extern __attribute__((weak)) size_t swift_retainCount(void *object);
extern __attribute__((weak)) void swift_release(void *object);

size_t determinism_retain_count(void *context) { return &swift_retainCount ? swift_retainCount(context) : 0; }
void determinism_release(void *context) {
  if (&swift_release) swift_release(context);
}

void determinism_park_thread(void) {
  this_thread.runs_job = false;
  while (true) pause();
}
