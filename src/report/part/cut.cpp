#include "report/part/cut.h"

#include "report/part/callers.h"
#include "report/part/focused.h"
#include "report/part/hidden.h"
#include "report/part/method_choice.h"
#include "report/part/rooted.h"
#include "report/part/thread_choice.h"

namespace copse::report {
namespace {

using Cut = ReportModel (*)(const ReportModel&, const MethodChoice&);

Status take(ReportModel& model, const char* option, const std::vector<std::string>& globs,
            Cut part) {
  if (globs.empty()) return {};
  const Result<MethodChoice> choice = choose_methods(model, option, globs);
  if (!choice.ok()) return choice.status();
  model = part(model, *choice);
  return {};
}

}  // namespace

Status check_part(const PartOptions& options) {
  if (options.root.empty() || options.callers.empty()) return {};
  return Status::error(
      Fault::kUsage,
      "--callers: not with --root, which shows what methods do and not who calls them; --focus "
      "goes "
      "with both");
}

Status cut(ReportModel& model, const PartOptions& options) {
  if (!options.threads.empty()) {
    const Result<MethodChoice> threads = choose_threads(model, options.threads);
    if (!threads.ok()) return threads.status();
    model = focused(model, *threads);
  }
  if (Status status = take(model, "--focus", options.focus, focused); !status) return status;
  if (Status status = take(model, "--hide", options.hide, without_frames); !status) return status;
  if (Status status = take(model, "--root", options.root, rooted); !status) return status;
  return take(model, "--callers", options.callers, calls_into);
}

}  // namespace copse::report
