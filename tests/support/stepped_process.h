// A child process that is stopped after every instruction. A test looks at the file that it
// leaves there: a promise about "every instant" must not be tested by luck.
#pragma once

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>

#include "support/lack.h"

namespace copse::test {

// The child calls these around the instructions to look at.
inline void begin_to_be_stepped() {
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(3);
  raise(SIGSTOP);
}
inline void end_of_steps() { raise(SIGSTOP); }

// Steps would take too long: instrumented code has ten times the instructions.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kHasTooManySteps = true;
#else
inline constexpr bool kHasTooManySteps = false;
#endif

// Waits for a child to begin_to_be_stepped(). Returns false if processes cannot be traced, or with kHasTooManySteps.
inline bool is_to_be_stepped(pid_t child) {
  int status = 0;
  const bool stopped = waitpid(child, &status, 0) == child && WIFSTOPPED(status);
  if (stopped && kHasTooManySteps) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  return stopped && !kHasTooManySteps;
}

// Ends a test whose child cannot be stepped.
#define COPSE_NEED_STEPS(child)                                               \
  if (!copse::test::is_to_be_stepped(child)) {                                \
    if (copse::test::kHasTooManySteps) GTEST_SKIP() << "steps take too long"; \
    COPSE_LACK("processes cannot be traced here");                            \
  }

// Runs one instruction. Returns false if the child is at the end of its steps, or dead.
inline bool step(pid_t child) {
  int status = 0;
  if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return false;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return false;
  return WSTOPSIG(status) == SIGTRAP;
}

// Number of the child's threads.
inline std::size_t threads_of(pid_t child) {
  const std::filesystem::directory_iterator tasks("/proc/" + std::to_string(child) + "/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), std::filesystem::end(tasks)));
}

inline void end(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// Copies a sparse file as it is at this moment. Returns false on failure.
inline bool copy_with_holes(const std::string& from, const std::string& to) {
  const int source = open(from.c_str(), O_RDONLY | O_CLOEXEC);
  const int target = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  bool good = source >= 0 && target >= 0;
  off_t end_of_data = 0;
  for (off_t data = 0; good && (data = lseek(source, end_of_data, SEEK_DATA)) >= 0;) {
    end_of_data = lseek(source, data, SEEK_HOLE);
    for (off_t at = data; good && at < end_of_data;) {
      char bytes[65536];
      const auto wanted = static_cast<std::size_t>(
          end_of_data - at < off_t{sizeof bytes} ? end_of_data - at : off_t{sizeof bytes});
      const ssize_t got = pread(source, bytes, wanted, at);
      good = got > 0 && pwrite(target, bytes, static_cast<std::size_t>(got), at) == got;
      at += got;
    }
  }
  good = good && ftruncate(target, lseek(source, 0, SEEK_END)) == 0;
  if (source >= 0) close(source);
  if (target >= 0) close(target);
  return good;
}

}  // namespace copse::test
