// A command in a process of its own, and what it took. How it exits and which signals reach it are
// the command's own affair.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace copse::cli {

enum class CommandOutput {
  kItsOwn,           // standard input, output and error are ours
  kOnlyItsMessages,  // standard error is ours; it reads nothing, and what it prints is discarded
};

struct CommandEnd {
  // 128 + n when signal n killed it; 127 or 126 when the program was not found or cannot be
  // executed, and then `not_started` says why. All as a shell has it.
  int exit_status = 0;
  std::string not_started;       // "NAME: why"; "": it was
  double wall_seconds = 0;       // from its start to its end
  std::uint64_t peak_bytes = 0;  // resident, of that of its processes which had most
};

// While one lives, signals that would end us do not. They still reach a command that runs, as below.
class SignalsKept {
 public:
  SignalsKept();
  ~SignalsKept();
  SignalsKept(const SignalsKept&) = delete;
  SignalsKept& operator=(const SignalsKept&) = delete;

  // That came since, whether or not a command ran; 0: none.
  static int last() noexcept;

 private:
  struct Before;
  const std::unique_ptr<Before> before_;
};

// Starts `words` (at least one) and waits. `environment`: NAME=VALUE of variables that are set for
// the command alone. While it runs, keyboard signals are the command's, others are passed on to it.
// An error: there is no process to start it in.
Result<CommandEnd> run_command(const std::vector<std::string>& words, CommandOutput output,
                               const std::vector<std::string>& environment = {});

}  // namespace copse::cli
