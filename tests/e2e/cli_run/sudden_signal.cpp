// Sends copse a SIGTERM at one moment of the start or the end of its command: put before it with LD_PRELOAD. The variable
// COPSE_TEST_SIGNAL names the moment: "before" the process is made, "after" it, or when its end is "taken" from the system.
// COPSE_TEST_STRAYS names a file that gets a line for each signal sent to a process whose end was taken, whose number
// another process may have by then.
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

pid_t taken = 0;

void signal_at(const char* moment) {
  const char* const wanted = std::getenv("COPSE_TEST_SIGNAL");
  if (wanted == nullptr || std::strcmp(wanted, moment) != 0) return;
  if (std::strcmp(program_invocation_short_name, "copse") != 0) return;
  unsetenv("COPSE_TEST_SIGNAL");  // once
  std::raise(SIGTERM);
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" pid_t fork() {
  signal_at("before");
  const pid_t child = next<pid_t()>("fork")();
  if (child > 0) signal_at("after");
  return child;
}

extern "C" pid_t wait4(pid_t child, int* status, int options, rusage* used) {
  const pid_t ended = next<pid_t(pid_t, int*, int, rusage*)>("wait4")(child, status, options, used);
  if (ended > 0) {
    taken = ended;
    signal_at("taken");
  }
  return ended;
}

extern "C" int kill(pid_t process, int signal) {
  const char* const strays = std::getenv("COPSE_TEST_STRAYS");
  if (strays != nullptr && process == taken && taken != 0) {
    if (std::FILE* const file = std::fopen(strays, "a"); file != nullptr) {
      std::fprintf(file, "%d to %d\n", signal, process);
      std::fclose(file);
    }
    errno = ESRCH;
    return -1;
  }
  return static_cast<int>(syscall(SYS_kill, process, signal));
}
