#include "cli/live_validation.h"

#include <fmt/format.h>

#include <utility>

#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/run_program.h"

namespace copse {

int validate_live(const LiveValidation& wanted) {
  RunRequest request;
  request.command = wanted.command;
  request.options.out = "copse-validate-%p.json";
  request.options.encoder = wanted.encoder;
  request.options.graph = wanted.graph;
  request.options.marks = wanted.marks.empty() ? std::vector<std::string>{"**"} : wanted.marks;
  request.options.check_every = wanted.every;
  if (const Status status = check_agent_options(request.options); !status) {
    return usage_error(status.message());
  }
  const Result<RunEnd> ended = run_program(std::move(request));
  if (!ended.ok()) return failure(ended.message());
  if (ended->command.exit_status != 0) {
    fmt::print(stderr, "copse: the command's own exit status was {}\n", ended->command.exit_status);
  }
  if (ended->ids_checked == 0) {
    return failure(
        "validate: no id was checked: no JVM ran, or too few entries were marked; "
        "--every 1 checks all");
  }
  return ended->ids_wrong == 0 ? 0 : 1;
}

}  // namespace copse
