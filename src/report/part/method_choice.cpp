#include "report/part/method_choice.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/shell_word.h"
#include "report/model/row.h"
#include "report/part/typed_name.h"

namespace copse::report {
namespace {

std::vector<bool> methods_in_contexts(const ReportModel& model) {
  std::vector<bool> occur(model.methods.name.size());
  for (std::size_t row = 1; row < model.nodes.method.size(); ++row) {
    occur[static_cast<std::size_t>(model.nodes.method[row])] = true;
  }
  return occur;
}

// Returns the classes of the methods, sorted.
std::vector<std::string> classes_of(const ReportModel::Methods& methods,
                                    const std::vector<bool>& rows) {
  std::set<std::string> names;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]) names.insert(methods.class_name[row]);
  }
  return {names.begin(), names.end()};
}

}  // namespace

GlobGuess guess_methods(const ReportModel::Methods& methods, const std::vector<bool>& rows,
                        std::string_view glob) {
  std::map<std::string_view, std::vector<std::string>> by_class;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]) by_class[methods.class_name[row]].push_back(methods.name[row]);
  }
  KnownNames names;
  std::vector<std::vector<std::string>> methods_of;
  for (auto& [class_name, of_class] : by_class) {
    for (const std::string& method : of_class) {
      names.all_methods.push_back(class_name.empty() ? method
                                                     : std::string(class_name) + "." + method);
    }
    names.classes.push_back(class_name);
    methods_of.push_back(std::move(of_class));
  }
  names.methods = [&methods_of](std::size_t index) { return methods_of[index]; };
  return guess_glob(glob, names);
}

Result<MethodChoice> choose_methods(const ReportModel& model, std::string_view option,
                                    const std::vector<std::string>& globs,
                                    const FindContext& find_context) {
  const std::vector<bool> occur = methods_in_contexts(model);
  MethodChoice choice{std::string(option), globs, std::vector<bool>(occur.size()), {}};
  for (const std::string& glob : globs) {
    if (find_context && glob.starts_with('@')) {
      const Result<std::vector<std::int32_t>> found = find_context(model, glob.substr(1));
      if (!found.ok()) return found.status().behind(choice.option + " @");
      choice.contexts.resize(model.nodes.parent.size());
      for (const std::int32_t row : *found) choice.contexts[at(row)] = true;
      choice.classes.emplace_back();
      continue;
    }
    const TypedName name(glob);
    const std::vector<bool> rows = name.rows(model.methods, occur);
    if (std::find(rows.begin(), rows.end(), true) == rows.end()) {
      const auto spelled = [&](std::string_view typed) {
        return choice.option + " " + shell_word(typed);
      };
      return Status::error(Fault::kNotFound,
                           spelled(glob) + ": matched nothing" +
                               guess_methods(model.methods, occur, glob).hint(spelled));
    }
    std::transform(rows.begin(), rows.end(), choice.methods.begin(), choice.methods.begin(),
                   std::logical_or<>());
    choice.classes.push_back(name.is_single() ? classes_of(model.methods, rows)
                                              : std::vector<std::string>());
  }
  return choice;
}

}  // namespace copse::report
