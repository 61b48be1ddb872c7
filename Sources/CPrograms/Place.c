// Says where a path of another process leads.
#if defined(__linux__)
#define _GNU_SOURCE
#include "CPrograms.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static unsigned long kind_of(int file) {
  struct statfs system;
  return fstatfs(file, &system) == 0 ? (unsigned long)system.f_type : 0;
}

static bool is_same(int left, int right) {
  struct stat first, second;
  return fstat(left, &first) == 0 && fstat(right, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/// What a file is, and its path as text.
static enum programs_place place_of(int file, char *path, size_t size) {
  struct stat status;
  char own[32];
  snprintf(own, sizeof own, "/proc/self/fd/%d", file);
  ssize_t length = readlink(own, path, size - 1);
  path[length < 0 ? 0 : length] = 0;
  unsigned long kind = kind_of(file);
  if (kind == SYSFS_MAGIC || kind == PROC_SUPER_MAGIC || kind == DEBUGFS_MAGIC) return PROGRAMS_KERNEL_FILE;
  // The number of /dev/rfkill (Documentation/admin-guide/devices.txt).
  if (fstat(file, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(10, 242)) return PROGRAMS_RADIO_SWITCH;
  return PROGRAMS_ELSEWHERE;
}

/// Opens a path that no link of procfs is part of and that does not leave its start, the folder or root, in one call;
/// -1 where it takes more.
static int open_plain(int start, const char *path, bool follows) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW),
                         .resolve = RESOLVE_NO_MAGICLINKS | (*path == '/' ? RESOLVE_IN_ROOT : RESOLVE_BENEATH)};
  return (int)syscall(SYS_openat2, start, path, &how, sizeof how);
}

enum programs_place programs_place(int process, int directory, const char *path, bool follows, bool has_own_root, char *target, size_t size) {
  enum { path_size = 4096, flags = O_PATH | O_CLOEXEC };
  char name[64], folder[64], rest[2 * path_size], part[256], link[path_size];
  *target = 0;
  if (snprintf(rest, sizeof rest, "%s", path) >= path_size) return PROGRAMS_ELSEWHERE;
  snprintf(folder, sizeof folder, directory == AT_FDCWD ? "/proc/%d/cwd" : "/proc/%d/fd/%d", process, directory);
  snprintf(name, sizeof name, "/proc/%d/root", process);
  bool is_absolute = *path == '/', is_missing = false;
  int place = open(is_absolute && !has_own_root ? name : folder, flags);
  if (place >= 0 && !has_own_root) {
    int plain = open_plain(place, path, follows);
    // What a process calls itself is not what this one is.
    if (plain >= 0 && kind_of(plain) != PROC_SUPER_MAGIC) {
      close(place);
      enum programs_place found = place_of(plain, target, size);
      close(plain);
      return found;
    }
    if (plain >= 0) close(plain);
    // Of what is not there, the folder is found in one call.
    char *last = plain < 0 && errno == ENOENT ? strrchr(rest, '/') : NULL;
    if (last && last > rest && last[1]) {
      *last = 0;
      plain = open_plain(place, rest, true);
      if (plain >= 0 && kind_of(plain) != PROC_SUPER_MAGIC) {
        close(place);
        place = plain;
        is_absolute = false;
        memmove(rest, last + 1, strlen(last + 1) + 1);
      } else {
        if (plain >= 0) close(plain);
        *last = '/';
      }
    }
  }
  int root = has_own_root ? dup(place) : open(name, flags), links = 0;
  while (root >= 0) {
    if (is_absolute) {
      if (place >= 0) close(place);
      place = dup(root);
      is_absolute = false;
    }
    size_t start = strspn(rest, "/"), length = strcspn(rest + start, "/");
    if (place < 0 || !length || length >= sizeof part) break;
    memcpy(part, rest + start, length);
    part[length] = 0;
    char *behind = rest + start + length;
    bool is_last = !behind[strspn(behind, "/")], is_up = strcmp(part, "..") == 0;
    int next = -1;
    if (is_up && is_same(place, root)) next = dup(place);
    else next = openat(place, part, flags | O_NOFOLLOW | (is_up ? O_DIRECTORY : 0));
    if (next < 0) {
      is_missing = errno == ENOENT || errno == ENOTDIR;
      break;
    }
    struct stat status;
    ssize_t count = 0;
    if (fstat(next, &status) == 0 && S_ISLNK(status.st_mode) && (follows || !is_last || *behind)) {
      if (++links > 40) { close(next); break; }
      if (kind_of(next) == PROC_SUPER_MAGIC) {
        // What a process calls itself is not what this one is. Other links of procfs lead where no text says.
        bool is_self = strcmp(part, "self") == 0 || strcmp(part, "thread-self") == 0;
        close(next);
        snprintf(name, sizeof name, "/proc/%d", process);
        next = is_self ? open(name, flags) : openat(place, part, flags);
      } else {
        count = readlinkat(next, "", link, sizeof link - 1);
        close(next);
        next = count <= 0 || (size_t)count + strlen(behind) + 2 > sizeof rest ? -1 : dup(place);
      }
      if (next < 0) break;
    }
    close(place);
    place = next;
    if (count > 0) {
      memmove(rest + count, behind, strlen(behind) + 1);
      memcpy(rest, link, (size_t)count);
      is_absolute = *rest == '/';
    } else {
      memmove(rest, behind, strlen(behind) + 1);
    }
  }
  enum programs_place found = PROGRAMS_NOWHERE;
  if (place >= 0 && root >= 0) {
    found = place_of(place, target, size);
    size_t length = strlen(target);
    if (is_missing && found == PROGRAMS_ELSEWHERE) found = PROGRAMS_MISSING;
    if (is_missing) snprintf(target + length, size - length, "%s%s", length > 1 ? "/" : "", rest + strspn(rest, "/"));
  }
  if (place >= 0) close(place);
  if (root >= 0) close(root);
  return found;
}
#endif
