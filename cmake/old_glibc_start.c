// Starts a program with a glibc before 2.34, which leaves a program's constructors to code that was linked into it.
// With a later glibc the older version of the function does so, too.
#include <stddef.h>

#pragma GCC visibility push(hidden)

typedef void Constructor(int, char**, char**);
typedef int Main(int, char**, char**);

extern Constructor* __init_array_start[];
extern Constructor* __init_array_end[];

static void construct(int argc, char** argv, char** environment) {
  const size_t count = (size_t)(__init_array_end - __init_array_start);
  for (size_t i = 0; i < count; ++i) __init_array_start[i](argc, argv, environment);
}

__attribute__((visibility("default"))) int start_of_old(Main*, int, char**, Constructor*, void (*)(void),
                                                        void (*)(void), void*);
__asm__(".symver start_of_old, __libc_start_main@GLIBC_2.2.5");

int __libc_start_main(Main* main, int argc, char** argv, Constructor* init, void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end) {
  (void)init;
  return start_of_old(main, argc, argv, construct, fini, loader_fini, stack_end);
}

#pragma GCC visibility pop
