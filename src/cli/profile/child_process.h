// Runs a command in its own process and measures it. The command keeps its own exit status and signals.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace copse::cli {

enum class CommandOutput {
  kItsOwn,           // standard input, output and error are ours
  kOnlyItsMessages,  // standard error is ours; standard input is empty, standard output discarded
};

struct CommandEnd {
  // 128 + n if signal n killed it; 127 or 126 if the program was not found or cannot be executed, with the reason in
  // `not_started`. As in a shell.
  int exit_status = 0;
  std::string not_started;       // "NAME: why"; "" if it was started
  double wall_seconds = 0;       // from its start to its end
  std::uint64_t peak_bytes = 0;  // resident, of its largest process
};

// Keeps signals from ending this process while an object lives. A running command still receives them, see below.
class SignalsKept {
 public:
  SignalsKept();
  ~SignalsKept();
  SignalsKept(const SignalsKept&) = delete;
  SignalsKept& operator=(const SignalsKept&) = delete;

  // Signal received since, whether or not a command ran; 0 means none.
  static int last() noexcept;

 private:
  struct Before;
  const std::unique_ptr<Before> before_;
};

// Starts `words` (at least one) and waits. `environment`: NAME=VALUE of variables set for the command alone. Keyboard
// signals reach the command directly; other signals are passed on. Error: no process could be created.
Result<CommandEnd> run_command(const std::vector<std::string>& words, CommandOutput output,
                               const std::vector<std::string>& environment = {});

}  // namespace copse::cli
