#include "report/part/method_choice.h"

#include <map>
#include <utility>

#include "base/glob.h"
#include "base/glob_guess.h"
#include "base/shell_word.h"
#include "report/text/display_names.h"

namespace copse::report {
namespace {

std::vector<bool> methods_in_contexts(const ReportModel& model) {
  std::vector<bool> occur(model.methods.name.size());
  for (std::size_t row = 1; row < model.nodes.method.size(); ++row) {
    occur[static_cast<std::size_t>(model.nodes.method[row])] = true;
  }
  return occur;
}

Status matched_nothing(const ReportModel& model, const std::vector<bool>& occur,
                       const std::string& option, const std::string& glob) {
  std::map<std::string_view, std::vector<std::string>> by_class;
  for (std::size_t m = 0; m < occur.size(); ++m) {
    if (occur[m]) by_class[model.methods.class_name[m]].push_back(model.methods.name[m]);
  }
  KnownNames names;
  std::vector<std::vector<std::string>> methods;
  for (auto& [class_name, of_class] : by_class) {
    names.classes.push_back(class_name);
    methods.push_back(std::move(of_class));
  }
  names.methods = [&methods](std::size_t index) { return methods[index]; };
  const GlobGuess guess = guess_glob(glob, names);
  return Status::error(
      Fault::kNotFound,
      option + " " + shell_word(glob) + ": matched nothing" +
          (guess.reason.empty() ? "" : "; " + guess.reason) +
          (guess.glob.empty() ? ""
                              : "; did you mean " + option + " " + shell_word(guess.glob) + "?"));
}

}  // namespace

Result<MethodChoice> choose_methods(const ReportModel& model, std::string_view option,
                                    const std::vector<std::string>& globs) {
  const std::vector<bool> occur = methods_in_contexts(model);
  const GlobList list(globs);
  MethodChoice choice{std::string(option), globs, std::vector<bool>(occur.size())};
  for (std::size_t m = 0; m < occur.size(); ++m) {
    if (!occur[m]) continue;
    const std::string& class_name = model.methods.class_name[m];
    // Both are asked, so that each glob is found in use.
    const bool has_class = list.matches(class_name);
    const bool has_method = list.matches(display_name(class_name, model.methods.name[m]));
    choice.methods[m] = has_class || has_method;
  }
  if (const std::vector<std::string> unused = list.unused(); !unused.empty()) {
    return matched_nothing(model, occur, choice.option, unused.front());
  }
  return choice;
}

}  // namespace copse::report
