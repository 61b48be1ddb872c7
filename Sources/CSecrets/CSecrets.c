#ifdef __linux__
#define _GNU_SOURCE
#include <malloc.h>
#include <string.h>
#include <sys/prctl.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "CSecrets.h"

static atomic_bool wipes;

void secrets_protect(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
  atomic_store(&wipes, 1);
}

#ifdef __linux__
// What the linker's --wrap makes of `free` and `realloc`, in every object: copies that a string, an array or a buffer
// of the server leaves behind are gone whichever of them had the secret. Weak: a build without --wrap has no such
// names, and nothing calls what is below.
extern void __real_free(void *memory) __attribute__((weak));
extern void *__real_realloc(void *memory, size_t size) __attribute__((weak));
void __wrap_free(void *memory);
void *__wrap_realloc(void *memory, size_t size);

void __wrap_free(void *memory) {
  if (memory != NULL && atomic_load_explicit(&wipes, memory_order_relaxed)) explicit_bzero(memory, malloc_usable_size(memory));
  __real_free(memory);
}

void *__wrap_realloc(void *memory, size_t size) {
  if (memory == NULL || size == 0 || !atomic_load_explicit(&wipes, memory_order_relaxed)) return __real_realloc(memory, size);
  // The C library would move the bytes and leave a copy.
  size_t old = malloc_usable_size(memory);
  if (size <= old && size >= old / 2) return memory;
  void *moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, memory, old < size ? old : size);
  __wrap_free(memory);
  return moved;
}
#endif
