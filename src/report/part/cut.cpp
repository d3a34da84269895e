#include "report/part/cut.h"

#include "base/shell_word.h"
#include "report/model/report_builder.h"
#include "report/part/callers.h"
#include "report/part/focused.h"
#include "report/part/joined.h"
#include "report/part/method_choice.h"
#include "report/part/rooted.h"
#include "report/part/subtracted.h"
#include "report/part/thread_choice.h"

namespace copse::report {
namespace {

using Cut = ReportModel (*)(const ReportModel&, const MethodChoice&);

Status take(ReportModel& model, const char* option, const std::vector<std::string>& names,
            const FindContext& find_context, Cut part) {
  if (names.empty()) return {};
  const Result<MethodChoice> choice = choose_methods(model, option, names, find_context);
  if (!choice.ok()) return choice.status();
  model = part(model, *choice);
  return {};
}

// Objects of events, and threads, are no methods: they stay below what calls them.
Status fold(ReportModel& model, const std::string& glob) {
  Result<MethodChoice> choice = choose_methods(model, "--fold", {glob});
  if (!choice.ok()) return choice.status();
  bool any = false;
  for (std::size_t method = 0; method < choice->methods.size(); ++method) {
    if (model.methods.class_name[method].empty()) choice->methods[method] = false;
    any = any || choice->methods[method];
  }
  if (!any) {
    return Status::error(Fault::kNotFound, "--fold " + shell_word(glob) + ": matched no method");
  }
  const std::int32_t frame = add_method({"", glob, "", "", "", ""}, model.methods);
  model = folded(model, *choice, frame);
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
    model = of_threads(model, *threads);
  }
  const auto take_part = [&](const char* option, const std::vector<std::string>& names, Cut part) {
    return take(model, option, names, options.find_context, part);
  };
  if (Status status = take_part("--focus", options.focus, focused); !status) return status;
  if (Status status = take_part("--subtract", options.subtract, subtracted); !status) return status;
  if (Status status = take_part("--hide", options.hide, without_frames); !status) return status;
  for (const std::string& glob : options.fold) {
    if (Status status = fold(model, glob); !status) return status;
  }
  if (Status status = take_part("--root", options.root, rooted); !status) return status;
  return take_part("--callers", options.callers, calls_into);
}

}  // namespace copse::report
