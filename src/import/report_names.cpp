#include "import/report_names.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <sstream>
#include <string_view>

#include "agent/run_description.h"

namespace copse::join {
namespace {

std::string key_of(std::string_view class_name, std::string_view method) {
  return std::string(class_name) + ' ' + std::string(method);
}

std::vector<std::string> globs(const report::ReportModel& model, const char* option) {
  const auto found = model.options.find(option);
  std::istringstream words(found == model.options.end() ? "" : found->second);
  std::vector<std::string> globs;
  for (std::string word; words >> word;) globs.push_back(word);
  return globs;
}

bool has_jdk(const report::ReportModel& model) {
  const auto found = model.options.find("jdk");
  return found != model.options.end() && found->second == "true";
}

}  // namespace

ReportNames::ReportNames(const report::ReportModel& model)
    : model_(model), filter_(globs(model, "include"), globs(model, "exclude")) {
  const report::ReportModel::Methods& methods = model.methods;
  const bool jdk_is_recorded = has_jdk(model);
  may_lack_outer_frames_ = jdk_is_recorded || std::find(model.notes.begin(), model.notes.end(),
                                                        agent::attach_note()) != model.notes.end();
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    // The row stands for no method of the program.
    if (methods.class_name[row].empty() || is_evicted_method(methods, row)) continue;
    std::string name = comparable_class(methods.class_name[row]);
    rows_[key_of(name, methods.name[row])].push_back(static_cast<std::int32_t>(row));
    const std::string& loader = methods.loader[row];
    if (jdk_is_recorded || (loader != "boot" && loader != "platform")) {
      recorded_classes_.insert(std::move(name));
    }
  }
  // A row for overloads that samples did not tell apart is none of them.
  const auto is_known = [&](std::int32_t row) {
    return !methods.descriptor[static_cast<std::size_t>(row)].empty();
  };
  for (auto& [name, rows] : rows_) {
    if (std::none_of(rows.begin(), rows.end(), is_known)) continue;  // no method has one
    rows.erase(std::remove_if(rows.begin(), rows.end(), std::not_fn(is_known)), rows.end());
  }
  for (const report::ReportModel::Skipped& skipped : model.skipped) {
    const std::string name = comparable_class(skipped.class_name);
    const std::string method = skipped.method.substr(0, skipped.method.find('('));
    skipped_.insert(method.empty() ? name : key_of(name, method));
  }
}

// Returns true if calls of the method would be in the report. False for a class without any call,
// which may not have been recorded.
bool ReportNames::is_recorded(const Frame& frame) const {
  return recorded_classes_.count(frame.class_name) != 0 && skipped_.count(frame.class_name) == 0 &&
         skipped_.count(key_of(frame.class_name, frame.method)) == 0 &&
         filter_.includes_method(frame.class_name, frame.method) && model_.totals.calls_of.empty();
}

ReportNames::Answer ReportNames::methods_of(const Frame& frame) const {
  Answer answer;
  if (const auto found = rows_.find(key_of(frame.class_name, frame.method)); found != rows_.end()) {
    const auto take = [&](const auto& fits) {
      std::ranges::copy_if(found->second, std::back_inserter(answer.methods),
                           [&](std::int32_t row) {
                             return fits(model_.methods.descriptor[static_cast<std::size_t>(row)]);
                           });
    };
    if (!frame.descriptor.empty()) {
      take([&](const std::string& descriptor) { return descriptor == frame.descriptor; });
    }
    if (answer.methods.empty()) {
      take([&](const std::string& descriptor) {
        return may_be_spelled(descriptor, frame.descriptor);
      });
    }
  }
  if (!answer.methods.empty()) {
    answer.known = Known::kYes;
  } else if (is_recorded(frame)) {
    answer.known = Known::kNotCalled;
  }
  return answer;
}

}  // namespace copse::join
