#include "report/part/cut.h"

#include "report/part/focused.h"
#include "report/part/method_choice.h"
#include "report/part/rooted.h"

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

Status cut(ReportModel& model, const PartOptions& options) {
  if (Status status = take(model, "--focus", options.focus, focused); !status) return status;
  return take(model, "--root", options.root, rooted);
}

}  // namespace copse::report
