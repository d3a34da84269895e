#include "compare/diff/writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/normal_names.h"
#include "base/printable.h"
#include "compare/diff/change_words.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/quantity.h"
#include "report/model/row.h"
#include "report/model/text_lines.h"
#include "report/text/context_lines.h"
#include "report/text/text_table.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;
using report::TextTable;
using report::Unit;

constexpr const char* kNothing = "-";  // the report does not have the context
constexpr std::size_t kErrorColumn = 1;
constexpr double kStandardErrors = 2;  // of differences that may be chance

// Names that changed alike, with a star for what tells them apart.
struct RenamedAlike {
  Renamed names;
  std::uint64_t times = 1;
};

// Returns what many names have in common: a class that is renamed and keeps its methods, "a.Old.* is now a.New.*", but for
// their numbers; or all but numbers, "Foo$* is now Bar$*".
Renamed pattern_of(const Renamed& one) {
  const auto in_parts = [](const std::string& name) {
    const std::size_t dot = name.rfind('.', name.find('('));
    return dot == std::string::npos ? std::pair{std::string(), name}
                                    : std::pair{name.substr(0, dot), name.substr(dot)};
  };
  const auto [old_class, old_name] = in_parts(one.from);
  const auto [new_class, new_name] = in_parts(one.to);
  if (old_class != new_class && thread_group(old_name) == thread_group(new_name)) {
    return {old_class + ".*", new_class + ".*"};
  }
  return {thread_group(one.from), thread_group(one.to)};
}

// Puts many names of one pattern together, in order of their first. Few stand one by one.
std::vector<RenamedAlike> renamed_alike(const std::vector<Renamed>& renamed) {
  constexpr std::size_t kFew = 3;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < renamed.size(); ++i) {
    const Renamed pattern = pattern_of(renamed[i]);
    alike[{pattern.from, pattern.to}].push_back(i);
  }
  std::map<std::size_t, RenamedAlike> all;  // by place
  for (const auto& [pattern, places] : alike) {
    if (places.size() <= kFew) {
      for (const std::size_t i : places) all[i] = {renamed[i]};
      continue;
    }
    all[places.front()] = {{pattern.first, pattern.second}, places.size()};
  }
  std::vector<RenamedAlike> listed;
  for (auto& [place, one] : all) listed.push_back(std::move(one));
  return listed;
}

class TextWriter {
 public:
  TextWriter(const Comparison& comparison, const Findings& findings, const TextOptions& options,
             report::Output& out)
      : comparison_(comparison),
        findings_(findings),
        options_(options),
        lines_(out, options.width),
        measure_(comparison.measures[findings.measure]),
        amounts_(comparison, findings.measure),
        unit_(amounts_.unit()),
        words_(measure_in_words(comparison, measure_.name)) {}

  void write() {
    write_sides();
    write_totals();
    write_notes();
    write_changes();
    write_methods();
    write_packages();
    write_renamed();
    write_suggestions();
  }

 private:
  void write_side(const char* which, const std::string& name, const ReportModel& about) {
    if (const std::string& slice = about.one_slice.text; !slice.empty()) {
      return lines_.wrapped(which, printable(name) + ": " + slice);
    }
    std::string words;
    for (const std::string& word : about.program.command) {
      words += (words.empty() ? "" : " ") + word;
    }
    if (words.empty()) words = "(command not known)";
    std::string text = printable(name) + ": " + report::fitted(printable(words), 60);
    if (!about.program.started.empty()) text += ", " + printable(about.program.started);
    if (about.merged.reports != 0) text += ", sum of " + counted(about.merged.reports, "report");
    lines_.wrapped(which, text);
  }

  void write_sides() {
    write_side("old  ", comparison_.old_name, comparison_.old_about);
    write_side("new  ", comparison_.new_name, comparison_.both);
    if (comparison_.part.empty()) return;
    lines_.wrapped("only ", printable(part_in_words(comparison_)) + ": " + share_of_whole(false) +
                                ", " + share_of_whole(true));
  }

  std::string share_of_whole(bool is_new) const {
    const auto whole_of = [&](const ComparedMeasure& measure) {
      return is_new ? measure.new_whole : measure.old_whole;
    };
    const std::optional<std::size_t>& samples = amounts_.samples();
    const Amount whole =
        amounts_.of(whole_of(measure_), samples ? whole_of(comparison_.measures[*samples]) : 0);
    return in_words(unit_, amounts_.sum(is_new)) + " of " + in_words(unit_, whole) + " " + words_ +
           " in " + printable(is_new ? comparison_.new_name : comparison_.old_name);
  }

  void write_totals() {
    lines_.heading("Totals");
    TextTable table({{"", "old"}, {"", "new"}, {"", "change"}, {"", "error"}, {"", ""}});
    std::vector<std::string> names;
    bool has_errors = false;
    const auto add = [&](const Total& total) {
      const double error = error_of(total.before, total.now);
      has_errors = has_errors || error != 0;
      table.add({in_words(total.unit, total.before), in_words(total.unit, total.now),
                 change_in_words(total.unit, total.before, total.now),
                 error == 0 ? "" : report::in_words_with_error(total.unit, error, error),
                 ratio_in_words(total.before, total.now)});
      names.push_back(total.name);
    };
    for (const Total& total : totals_of(comparison_, findings_.measure)) add(total);
    const ContextCounts& contexts = findings_.contexts;
    const std::uint64_t both = contexts.more + contexts.fewer + contexts.equal;
    const std::string counted_by =
        comparison_.compares_calls() ? std::string(report::kCallsMeasure) : words_;
    add({"contexts with " + counted_by,
         Unit::kCount,
         {both + contexts.only_old, 0},
         {both + contexts.only_new, 0}});
    if (!has_errors) table.drop(3);
    const std::string heading = table.lower();
    lines_.line(heading.substr(0, heading.find_last_not_of(' ') + 1));
    for (std::size_t row = 0; row < names.size(); ++row) lines_.row(table.row(row), names[row]);
    lines_.wrapped(
        "  ",
        fmt::format("contexts: {} new, {} gone, {} with more {}, {} with fewer, {} with as many",
                    grouped(contexts.only_new), grouped(contexts.only_old), grouped(contexts.more),
                    counted_by, grouped(contexts.fewer), grouped(contexts.equal)));
  }

  void write_notes() {
    for (const std::string& note : notes_on(comparison_, findings_.measure)) {
      lines_.wrapped("  ", note);
    }
  }

  std::string per_call_of_caller(std::size_t node, const NumberColumn& calls) const {
    const std::size_t parent = at(comparison_.both.nodes.parent[node]);
    if (parent == 0 || calls[parent] == 0) return "";
    if (calls[node] % calls[parent] == 0) return grouped(calls[node] / calls[parent]);
    return report::in_digits(static_cast<double>(calls[node]) / static_cast<double>(calls[parent]));
  }

  TextTable table_of(const std::vector<Change>& changes) const {
    const bool is_calls = findings_.measure == 0;
    std::vector<TextTable::Heading> headings{{"", "change"}, {"", "error"}, {"", ""}};
    if (is_calls) {
      for (const char* heading : {"old calls", "new calls"}) headings.push_back({"", heading});
      headings.push_back({"per call of", "caller: old"});
      headings.push_back({"", "new"});
    } else {
      for (const char* heading : {"old", "new", "old calls", "new calls"}) {
        headings.push_back({"", heading});
      }
    }
    TextTable table(std::move(headings));
    const NumberColumn& old_calls = comparison_.old_values(0);
    const NumberColumn& new_calls = comparison_.new_values(0);
    const std::vector<FromTo> amounts = amounts_in_words(comparison_, findings_, changes);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const Change& change = changes[i];
      const std::size_t node = at(change.node);
      const bool had = comparison_.in_old(node), has = comparison_.in_new(node);
      const ComparedMeasure& counted = comparison_.measures.front();
      std::vector<std::string> cells{
          change_in_words(unit_, change.effect, change.error), error_in_words(change.error),
          kind_in_words(comparison_, change, is_calls), had ? amounts[i].before : kNothing,
          has ? amounts[i].now : kNothing};
      if (is_calls) {
        cells.push_back(had ? per_call_of_caller(node, old_calls) : kNothing);
        cells.push_back(has ? per_call_of_caller(node, new_calls) : kNothing);
      } else {
        cells.push_back(had && counted.in_old ? grouped(old_calls[node]) : kNothing);
        cells.push_back(has && counted.in_new ? grouped(new_calls[node]) : kNothing);
      }
      table.add(std::move(cells));
    }
    if (!amounts_.is_sampled()) table.drop(kErrorColumn);
    // One of the last two columns is of no use without the other.
    table.make_room({5, 6}, report::ContextLines::kLeastRoom, lines_.width());
    return table;
  }

  std::string error_in_words(double error) const {
    return error == 0 ? "" : report::in_words_with_error(unit_, error, error);
  }

  void write_contexts(const TextTable& table, const std::vector<std::int32_t>& nodes) {
    if (const std::string upper = table.upper(); !upper.empty()) lines_.line(upper);
    lines_.line(table.lower() + "context");
    const report::ContextLines contexts(comparison_.both, names_, nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i] == 0) {
        lines_.line(table.row(i) + words_of_root(comparison_, findings_.measure));
        continue;
      }
      for (const std::string& line : contexts.row(table.row(i), i, lines_.width())) {
        lines_.line(line);
      }
    }
    const std::string all = "all within ";
    const std::string common = contexts.common(lines_.width() - all.size());
    if (!common.empty()) lines_.line(all + common);
    const TextTable::LeftOut left_out = table.left_out();
    lines_.left_out(left_out.columns, left_out.width + left_out.room);
  }

  void write_changes() {
    const std::vector<Change>& all_changes = findings_.changes.list;
    const std::size_t all = all_changes.size();
    const std::vector<Change> changes(
        all_changes.begin(),
        all_changes.begin() + static_cast<std::ptrdiff_t>(std::min(options_.top, all)));
    if (findings_.changes.list.empty()) {
      lines_.heading("No change of " + words_ +
                     (findings_.changes.rest == 0 ? "." : " beyond chance."));
    } else if (!changes.empty()) {
      const std::string some =
          changes.size() == all ? "" : ", " + grouped(changes.size()) + " of " + grouped(all);
      lines_.heading("Topmost changes of " + words_ + some +
                     " (with everything below them, but what other changes tell)");
      std::vector<std::int32_t> nodes;
      for (const Change& change : changes) nodes.push_back(change.node);
      write_contexts(table_of(changes), nodes);
    }
    if (changes.size() < all) {
      double others = 0, error = 0;
      for (std::size_t i = changes.size(); i < all; ++i) {
        others += all_changes[i].effect;
        error = std::hypot(error, all_changes[i].error);
      }
      lines_.wrapped("", "The other " + counted(all - changes.size(), "change") + ": " +
                             change_in_words(unit_, others, error) + " in all.");
    }
    const std::string rest = change_in_words(unit_, findings_.changes.rest, error_of_totals_);
    if (rest != "0") {
      lines_.wrapped("", "The other " + rest +
                             " may be chance: less than two standard errors of the samples.");
    }
  }

  // Amounts of a method or a package; differences below, and by chance, are none.
  struct Group {
    std::int32_t method = -1;  // or `package`
    std::string package;
    Amount before, now;
    std::vector<std::string> calls;
    bool is_changed() const {
      const double change = static_cast<double>(now.value) - static_cast<double>(before.value);
      return change != 0 && std::abs(change) >= kStandardErrors * error_of(before, now);
    }
  };

  template <typename Change>
  Group group_of(const Change& change) const {
    return {-1,
            "",
            amounts_.of(change.old_exclusive, change.old_samples),
            amounts_.of(change.new_exclusive, change.new_samples),
            {}};
  }

  void write_groups(const std::string& what, const std::string& one, std::vector<Group> groups) {
    std::erase_if(groups, [](const Group& group) { return !group.is_changed(); });
    if (groups.empty()) return;
    const std::size_t shown = std::min(options_.top, groups.size());
    const std::string some =
        shown == groups.size() ? "" : ", " + grouped(shown) + " of " + grouped(groups.size());
    lines_.heading(what + " by exclusive " + words_ + some);
    TextTable table({{"", "change"},
                     {"", "error"},
                     {"", "old"},
                     {"", "new"},
                     {"", "old calls"},
                     {"", "new calls"}});
    for (std::size_t i = 0; i < shown; ++i) {
      const Group& group = groups[i];
      const bool has_calls = !group.calls.empty();
      table.add({change_in_words(unit_, group.before, group.now),
                 error_in_words(error_of(group.before, group.now)), in_words(unit_, group.before),
                 in_words(unit_, group.now), has_calls ? group.calls[0] : "",
                 has_calls ? group.calls[1] : ""});
    }
    if (!amounts_.is_sampled()) table.drop(kErrorColumn);
    if (groups.front().calls.empty()) {
      for (const std::size_t column : {4u, 5u}) table.drop(column);
    }
    lines_.line(table.lower() + one);
    const std::size_t room = lines_.width() - std::min(lines_.width(), table.width());
    for (std::size_t i = 0; i < shown; ++i) {
      const Group& group = groups[i];
      lines_.row(table.row(i),
                 group.method < 0 ? group.package : names_.method(group.method, room));
    }
  }

  void write_methods() {
    std::vector<Group> groups;
    for (const MethodChange& method : findings_.groups.methods) {
      Group group = group_of(method);
      group.method = method.method;
      if (findings_.measure != 0) {
        group.calls = {grouped(method.old_calls), grouped(method.new_calls)};
      }
      groups.push_back(std::move(group));
    }
    write_groups("Methods", "method", std::move(groups));
  }

  void write_packages() {
    std::vector<Group> groups;
    for (const PackageChange& package : findings_.groups.packages) {
      Group group = group_of(package);
      group.package = package.package.empty() ? "(none)" : printable(package.package);
      groups.push_back(std::move(group));
    }
    write_groups("Packages", "package", std::move(groups));
  }

  void write_renamed() {
    const std::vector<RenamedAlike> renamed = renamed_alike(comparison_.renamed);
    if (renamed.empty()) return;
    const std::size_t shown = std::min(options_.top, renamed.size());
    const std::string some =
        shown == renamed.size() ? "" : ", " + grouped(shown) + " of " + grouped(renamed.size());
    lines_.heading("Renamed" + some + " (by --renamed, and numbers that moved)");
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& [one, times] = renamed[i];
      lines_.wrapped("  ",
                     one.from + " is now " + one.to + (times == 1 ? "" : ": " + grouped(times)));
    }
  }

  void write_suggestions() {
    constexpr std::size_t kMost = 3;
    const std::vector<Suggestion>& all = findings_.suggestions;
    if (all.empty()) return;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, all.size()); ++i) {
      text += (i == 0 ? "" : "; ") + all[i].from + " -> " + all[i].to + " (" + all[i].option + ")";
    }
    if (all.size() > kMost) text += "; and " + grouped(all.size() - kMost) + " more";
    lines_.line("");
    lines_.wrapped("perhaps renamed: ", text);
  }

  const Comparison& comparison_;
  const Findings& findings_;
  const TextOptions& options_;
  report::TextLines lines_;
  const ComparedMeasure& measure_;
  const Amounts amounts_;
  const double error_of_totals_ = error_of(amounts_.sum(false), amounts_.sum(true));
  const Unit unit_;
  const std::string words_;
  const report::DisplayNames names_{comparison_.both.methods};
};

}  // namespace

void write_text(const Comparison& comparison, const Findings& findings, const TextOptions& options,
                report::Output& out) {
  TextWriter(comparison, findings, options, out).write();
}

}  // namespace copse::diff
