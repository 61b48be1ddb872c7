// The private part of Determinism: hooks of the Swift concurrency runtime (6.0 to 6.3), in this file alone, and linked into
// programs that test, never into the command. What a runtime lacks is left out: the hooks are weak symbols.
//
// Answered by thread. On a thread that runs the jobs of a simulation its executor is the main actor's, and what is for the
// global pool goes to it; on all other threads everything is as it was.
#include "CDeterminism.h"

#define SWIFT_CC __attribute__((swiftcall))

typedef SWIFT_CC determinism_executor_ref (*get_main_original)(void);
typedef SWIFT_CC bool (*is_main_original)(determinism_executor_ref);
typedef SWIFT_CC void (*enqueue_original)(void *job);

extern __attribute__((weak)) SWIFT_CC determinism_executor_ref (*swift_task_getMainExecutor_hook)(get_main_original);
extern __attribute__((weak)) SWIFT_CC bool (*swift_task_isMainExecutor_hook)(determinism_executor_ref, is_main_original);
extern __attribute__((weak)) SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *, enqueue_original);

extern __attribute__((weak)) SWIFT_CC uint64_t swift_task_getJobTaskId(void *job);

// The number of a job's task, which no other task of the process ever has; 0 where there is none to be had.
static uint64_t task_of(void *job) { return &swift_task_getJobTaskId ? swift_task_getJobTaskId(job) : 0; }

static SWIFT_CC determinism_executor_ref get_main(get_main_original original) {
  determinism_thread *thread = determinism_this_thread();
  return thread->features & DETERMINISM_MAIN_ACTOR ? thread->main : original();
}

static SWIFT_CC bool is_main(determinism_executor_ref ref, is_main_original original) {
  determinism_thread *thread = determinism_this_thread();
  return thread->features & DETERMINISM_MAIN_ACTOR ? ref.identity == thread->main.identity : original(ref);
}

static SWIFT_CC void enqueue_global(void *job, enqueue_original original) {
  determinism_thread *thread = determinism_this_thread();
  if (thread->features & DETERMINISM_GLOBAL_POOL) {
    determinism_registered()->enqueue_global(thread->executor, job, task_of(job));
  } else if (!determinism_is_running() || !determinism_registered()->adopt(job, task_of(job))) {
    original(job);
  }
}

// In Swift: what a default actor asks to wait.
extern __attribute__((weak)) void runtime_hooks_set_default_executor(void);

__attribute__((constructor)) static void install(void) {
  if (runtime_hooks_set_default_executor) runtime_hooks_set_default_executor();
  // Another that is there already, such as that of `withMainSerialExecutor`, stays.
  if (&swift_task_getMainExecutor_hook && &swift_task_isMainExecutor_hook && !swift_task_getMainExecutor_hook
      && !swift_task_isMainExecutor_hook) {
    swift_task_getMainExecutor_hook = get_main;
    swift_task_isMainExecutor_hook = is_main;
    determinism_add_features(DETERMINISM_MAIN_ACTOR);
  }
  if (&swift_task_enqueueGlobal_hook && !swift_task_enqueueGlobal_hook) {
    swift_task_enqueueGlobal_hook = enqueue_global;
    determinism_add_features(DETERMINISM_GLOBAL_POOL);
  }
}
