#include "report/part/cut.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/shell_word.h"
#include "report/model/report_builder.h"
#include "report/part/callers.h"
#include "report/part/focused.h"
#include "report/part/joined.h"
#include "report/part/method_choice.h"
#include "report/part/rooted.h"
#include "report/part/subtracted.h"
#include "report/part/thread_choice.h"
#include "report/part/typed_name.h"

namespace copse::report {
namespace {

using Cut = ReportModel (*)(const ReportModel&, const MethodChoice&);

// The steps of a cut. Each looks for its names in what the steps before it left.
class Steps {
 public:
  // REQUIRES: both outlive this.
  Steps(ReportModel& model, const FindContext& find_context)
      : model_(model), find_context_(find_context) {}

  // Puts what a step has left in place of the report.
  void replace(const char* option, ReportModel part) {
    if (taken_.empty()) whole_ = std::move(model_.methods);
    model_ = std::move(part);
    taken_ += (taken_.empty() ? "" : ", ") + std::string(option);
  }

  Status take(const char* option, const std::vector<std::string>& names, Cut part) {
    if (names.empty()) return {};
    const Result<MethodChoice> choice = choose(option, names);
    if (!choice.ok()) return choice.status();
    replace(option, part(model_, *choice));
    return {};
  }

  // Objects of events, and threads, are no methods: they stay below what calls them.
  Status fold(const std::string& glob) {
    Result<MethodChoice> choice = choose("--fold", {glob});
    if (!choice.ok()) return choice.status();
    bool any = false;
    for (std::size_t method = 0; method < choice->methods.size(); ++method) {
      if (model_.methods.class_name[method].empty()) choice->methods[method] = false;
      any = any || choice->methods[method];
    }
    if (!any) {
      return Status::error(Fault::kNotFound, "--fold " + shell_word(glob) + ": matched no method");
    }
    const std::int32_t frame = add_method({"", glob, "", "", "", ""}, model_.methods);
    replace("--fold", folded(model_, *choice, frame));
    return {};
  }

 private:
  // The error tells a name that the whole report lacks from one that only this part lacks.
  Result<MethodChoice> choose(const char* option, const std::vector<std::string>& names) {
    Result<MethodChoice> choice = choose_methods(model_, option, names, find_context_);
    if (choice.ok() || taken_.empty()) return choice;
    for (const std::string& name : names) {
      if (choose_methods(model_, option, {name}, find_context_).ok()) continue;
      const std::vector<bool> rows = TypedName(name).rows(whole_);
      if (std::ranges::find(rows, true) == rows.end()) break;
      return Status::error(Fault::kNotFound, std::string(option) + " " + shell_word(name) +
                                                 ": matched nothing in what is left by " + taken_);
    }
    return choice;
  }

  ReportModel& model_;
  const FindContext& find_context_;
  ReportModel::Methods whole_;  // the report's, from the first step on
  std::string taken_;           // options of the steps so far
};

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
  Steps steps(model, options.find_context);
  if (!options.threads.empty()) {
    const Result<MethodChoice> threads = choose_threads(model, options.threads);
    if (!threads.ok()) return threads.status();
    steps.replace("--thread", of_threads(model, *threads));
  }
  const std::tuple<const char*, const std::vector<std::string>&, Cut> before_folds[] = {
      {"--focus", options.focus, focused},
      {"--subtract", options.subtract, subtracted},
      {"--hide", options.hide, without_frames}};
  for (const auto& [option, names, part] : before_folds) {
    if (Status status = steps.take(option, names, part); !status) return status;
  }
  for (const std::string& glob : options.fold) {
    if (Status status = steps.fold(glob); !status) return status;
  }
  if (Status status = steps.take("--root", options.root, rooted); !status) return status;
  return steps.take("--callers", options.callers, calls_into);
}

}  // namespace copse::report
