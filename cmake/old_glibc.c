// Lets what is linked on a system with a new glibc run with an older one, down to 2.31.
//
// The linker binds a call to the newest version of a function that the build's glibc has. Many of these versions came
// when functions moved between the libraries of glibc (2.32 to 2.34) without any other change. For them this file jumps
// to the version that was there before. Functions that older versions lack are written here; they are few and small.
// tests/e2e/linking fails when a function of a later glibc comes in.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(__x86_64__) || !defined(__GLIBC__)
#error "knows the versions of glibc for x86-64 alone"
#endif

#pragma GCC visibility push(hidden)

// --- Functions that moved. A call here is a jump, so that the caller that dlsym() and dladdr() see stays the same.

#define MOVED(name, version)                          \
  __asm__(".pushsection .text." #name ",\"ax\",@progbits\n" \
          ".globl " #name "\n"                         \
          ".hidden " #name "\n"                        \
          ".type " #name ", @function\n"               \
          #name ": jmp *moved_" #name "@GOTPCREL(%rip)\n" \
          ".size " #name ", . - " #name "\n"           \
          ".symver moved_" #name ", " #name "@" version "\n" \
          ".popsection\n")

MOVED(dladdr, "GLIBC_2.2.5");
MOVED(dlclose, "GLIBC_2.2.5");
MOVED(dlerror, "GLIBC_2.2.5");
MOVED(dlopen, "GLIBC_2.2.5");
MOVED(dlsym, "GLIBC_2.2.5");
MOVED(hypot, "GLIBC_2.2.5");
MOVED(__pthread_key_create, "GLIBC_2.2.5");
MOVED(pthread_cond_clockwait, "GLIBC_2.30");
MOVED(pthread_create, "GLIBC_2.2.5");
MOVED(pthread_detach, "GLIBC_2.2.5");
MOVED(pthread_getcpuclockid, "GLIBC_2.2.5");
MOVED(pthread_getspecific, "GLIBC_2.2.5");
MOVED(pthread_join, "GLIBC_2.2.5");
MOVED(pthread_key_create, "GLIBC_2.2.5");
MOVED(pthread_key_delete, "GLIBC_2.2.5");
MOVED(pthread_mutex_trylock, "GLIBC_2.2.5");
MOVED(pthread_mutexattr_destroy, "GLIBC_2.2.5");
MOVED(pthread_mutexattr_init, "GLIBC_2.2.5");
MOVED(pthread_mutexattr_settype, "GLIBC_2.2.5");
MOVED(pthread_once, "GLIBC_2.2.5");
MOVED(pthread_rwlock_rdlock, "GLIBC_2.2.5");
MOVED(pthread_rwlock_unlock, "GLIBC_2.2.5");
MOVED(pthread_rwlock_wrlock, "GLIBC_2.2.5");
MOVED(pthread_setname_np, "GLIBC_2.12");
MOVED(pthread_setspecific, "GLIBC_2.2.5");
MOVED(pthread_sigmask, "GLIBC_2.2.5");
MOVED(timer_create, "GLIBC_2.3.3");
MOVED(timer_delete, "GLIBC_2.3.3");
MOVED(timer_settime, "GLIBC_2.3.3");

// --- 2.32: __libc_single_threaded. Never true here: reference counts then always count atomically.

char __libc_single_threaded = 0;

// --- 2.33: stat() and its like. The kernel's struct is that of glibc.

int fstatat(int folder, const char* path, struct stat* found, int flags) {
  return (int)syscall(SYS_newfstatat, folder, path, found, flags);
}
int stat(const char* path, struct stat* found) { return fstatat(AT_FDCWD, path, found, 0); }
int lstat(const char* path, struct stat* found) {
  return fstatat(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}
int fstat(int descriptor, struct stat* found) { return (int)syscall(SYS_fstat, descriptor, found); }

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one struct, two names");
int fstatat64(int folder, const char* path, struct stat64* found, int flags) {
  return (int)syscall(SYS_newfstatat, folder, path, found, flags);
}
int stat64(const char* path, struct stat64* found) { return fstatat64(AT_FDCWD, path, found, 0); }
int lstat64(const char* path, struct stat64* found) {
  return fstatat64(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}
int fstat64(int descriptor, struct stat64* found) { return (int)syscall(SYS_fstat, descriptor, found); }

// --- 2.35: _dl_find_object(), by which exceptions find the tables of the function that they pass.

struct Search {
  uintptr_t pc;
  struct dl_find_object* found;
};

static int look_into(struct dl_phdr_info* module, size_t bytes, void* data) {
  (void)bytes;
  const struct Search* const search = data;
  const ElfW(Phdr)* loaded = NULL;
  const ElfW(Phdr)* tables = NULL;
  for (size_t i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &module->dlpi_phdr[i];
    const uintptr_t begin = module->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && search->pc - begin < part->p_memsz) loaded = part;
    if (part->p_type == PT_GNU_EH_FRAME) tables = part;
  }
  if (loaded == NULL || tables == NULL) return 0;
  search->found->dlfo_eh_frame = (void*)(module->dlpi_addr + tables->p_vaddr);
  return 1;
}

int _dl_find_object(void* pc, struct dl_find_object* found) {
  struct Search search = {(uintptr_t)pc, found};
  return dl_iterate_phdr(look_into, &search) == 1 ? 0 : -1;
}

// --- 2.36: arc4random(), the source of std::random_device.

uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
    if (errno != EINTR) abort();
  }
  return number;
}

#pragma GCC visibility pop
