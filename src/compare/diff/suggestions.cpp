#include "compare/diff/suggestions.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/printable.h"
#include "base/shell_word.h"
#include "report/model/display_names.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;

constexpr std::uint8_t kOld = Comparison::kInOld, kNew = Comparison::kInNew;

class Search {
 public:
  explicit Search(const Comparison& comparison)
      : comparison_(comparison), methods_(comparison.both.methods) {}

  std::vector<Suggestion> found() && {
    find_sides();
    const auto has_one = [&](std::uint8_t side) {
      return std::ranges::find(side_of_, side) != side_of_.end();
    };
    if (!has_one(kOld) || !has_one(kNew)) return {};
    find_calls();
    suggest_classes();
    suggest_methods(
        [&](std::size_t row) { return methods_.class_name[row] + ' ' + methods_.name[row]; });
    suggest_methods([&](std::size_t row) { return by_calls(row); });
    std::ranges::stable_sort(list_, std::greater<>(), &std::pair<std::uint64_t, Suggestion>::first);
    std::vector<Suggestion> suggestions;
    for (auto& [calls, suggestion] : list_) suggestions.push_back(std::move(suggestion));
    return suggestions;
  }

 private:
  // Methods with a name of their own. Lambdas and numbered classes go with the method around them.
  bool is_named(std::size_t row) const {
    return !methods_.descriptor[row].empty() && methods_.stable_class[row].empty() &&
           !methods_.name[row].starts_with("lambda$");
  }

  void find_sides() {
    const ReportModel::Nodes& nodes = comparison_.both.nodes;
    side_of_.resize(methods_.name.size());
    calls_.resize(methods_.name.size());
    for (std::size_t node = 1; node < nodes.method.size(); ++node) {
      side_of_[at(nodes.method[node])] |= comparison_.presence[node];
      calls_[at(nodes.method[node])] += comparison_.old_values(0)[node];
    }
    for (std::size_t row = 0; row < side_of_.size(); ++row) {
      if (is_named(row)) sides_of_class_[methods_.class_name[row]] |= side_of_[row];
    }
    for (std::size_t row = 0; row < side_of_.size(); ++row) {
      if (!is_named(row)) side_of_[row] = 0;
    }
  }

  void find_calls() {
    const ReportModel::Nodes& nodes = comparison_.both.nodes;
    for (std::size_t node = 1; node < nodes.method.size(); ++node) {
      const std::int32_t callee = nodes.method[node], caller = nodes.method[at(nodes.parent[node])];
      if (caller < 0 || caller == callee) continue;
      if (is_of_one(at(callee))) callers_[at(callee)].insert(caller);
      if (is_of_one(at(caller)) && !methods_.descriptor[at(callee)].empty()) {
        callees_[at(caller)].insert(callee);
      }
    }
  }
  bool is_of_one(std::size_t row) const { return side_of_[row] == kOld || side_of_[row] == kNew; }

  // Calls `suggest` for each text that one row of each report has.
  template <typename Text, typename Suggest>
  void each_pair(Text text, Suggest suggest) {
    std::map<std::string, std::array<std::vector<std::size_t>, 2>> alike;
    for (std::size_t row = 0; row < side_of_.size(); ++row) {
      if (is_of_one(row)) alike[text(row)][side_of_[row] == kNew ? 1 : 0].push_back(row);
    }
    for (const auto& [words, rows] : alike) {
      if (!words.empty() && rows[0].size() == 1 && rows[1].size() == 1) {
        suggest(rows[0][0], rows[1][0]);
      }
    }
  }

  void add(std::uint64_t calls, std::string from, std::string to, const std::string& value) {
    list_.emplace_back(calls, Suggestion{printable(from), printable(to),
                                         "--renamed " + single_quoted(printable(value))});
  }

  template <typename Text>
  void suggest_methods(Text text) {
    each_pair(text, [&](std::size_t before, std::size_t now) {
      if (callees_[before].empty() && methods_.name[before] != methods_.name[now] &&
          std::ranges::none_of(callers_[before], [&](std::int32_t caller) {
            return callers_[now].contains(caller);
          })) {
        return;
      }
      const auto name = [&](std::size_t row) {
        return report::display_name(methods_.class_name[row], methods_.name[row]);
      };
      add(calls_[before], names_.method(static_cast<std::int32_t>(before)),
          names_.method(static_cast<std::int32_t>(now)), name(before) + '=' + name(now));
      side_of_[before] = side_of_[now] = 0;
    });
  }

  std::string by_calls(std::size_t row) {
    if (methods_.name[row].starts_with('<')) return "";
    std::string text = methods_.class_name[row] + ' ' + methods_.descriptor[row];
    for (const std::int32_t callee : callees_[row]) text += ' ' + std::to_string(callee);
    return text;
  }

  // The name of a class without its package, or the package; and the methods, without the class in their signatures.
  void suggest_classes() {
    std::map<std::string, std::vector<std::size_t>> rows;
    for (std::size_t row = 0; row < side_of_.size(); ++row) {
      if (is_of_one(row) && sides_of_class_[methods_.class_name[row]] == side_of_[row]) {
        rows[methods_.class_name[row]].push_back(row);
      }
    }
    for (const bool by_package : {false, true}) {
      std::map<std::string, std::array<std::vector<std::string>, 2>> alike;
      for (const auto& [class_name, of_class] : rows) {
        if (!is_of_one(of_class.front())) continue;
        const std::size_t dot = class_name.rfind('.') + 1;  // npos + 1 is 0
        std::set<std::string> signatures;
        for (const std::size_t row : of_class) signatures.insert(signature(row));
        if (by_package && signatures.size() < 2) continue;
        std::string text = by_package ? class_name.substr(0, dot) : class_name.substr(dot);
        for (const std::string& one : signatures) text += ' ' + one;
        alike[text][side_of_[of_class.front()] == kNew ? 1 : 0].push_back(class_name);
      }
      for (const auto& [text, names] : alike) {
        if (names[0].size() != 1 || names[1].size() != 1) continue;
        const std::string &before = names[0][0], &now = names[1][0];
        std::uint64_t calls = 0;
        for (const std::size_t row : rows[before]) calls += calls_[row];
        add(calls, before, now, before + '=' + now);
        for (const std::string& name : {before, now}) {
          for (const std::size_t row : rows[name]) side_of_[row] = 0;
        }
      }
    }
  }

  std::string signature(std::size_t row) const {
    std::string own = 'L' + methods_.class_name[row] + ';';
    std::ranges::replace(own, '.', '/');
    std::string descriptor = methods_.descriptor[row];
    for (std::size_t found = 0; (found = descriptor.find(own, found)) != descriptor.npos;) {
      descriptor.replace(found, own.size(), "L;");
    }
    return methods_.name[row] + descriptor;
  }

  const Comparison& comparison_;
  const ReportModel::Methods& methods_;
  const report::DisplayNames names_{methods_};
  std::vector<std::uint8_t> side_of_;  // by method: in OLD, NEW, or both; 0: is not asked about
  std::vector<std::uint64_t> calls_;   // in OLD
  std::map<std::string, std::uint8_t> sides_of_class_;
  std::map<std::size_t, std::set<std::int32_t>> callers_, callees_;  // of methods in one report
  std::vector<std::pair<std::uint64_t, Suggestion>> list_;
};

}  // namespace

std::vector<Suggestion> suggest_renames(const Comparison& comparison) {
  return Search(comparison).found();
}

}  // namespace copse::diff
