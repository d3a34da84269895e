#include "compare/diff/text_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/printable.h"
#include "base/thread_group.h"
#include "compare/diff/change_words.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/row.h"
#include "report/text/context_lines.h"
#include "report/text/display_names.h"
#include "report/text/quantity.h"
#include "report/text/text_lines.h"
#include "report/text/text_table.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;
using report::TextTable;
using report::Unit;

constexpr const char* kNothing = "-";  // the report does not have the context

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
        unit_(report::unit_named(measure_.unit)),
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
    const std::size_t measure = findings_.measure;
    lines_.wrapped("only ", printable(part_in_words(comparison_)) + ": " +
                                share_of_whole(comparison_.old_values(measure), measure_.old_whole,
                                               comparison_.old_name) +
                                ", " +
                                share_of_whole(comparison_.new_values(measure), measure_.new_whole,
                                               comparison_.new_name));
  }

  std::string share_of_whole(const NumberColumn& values, std::uint64_t whole,
                             const std::string& name) const {
    return report::in_words(unit_, sum_of(values)) + " of " + report::in_words(unit_, whole) + " " +
           words_ + " in " + printable(name);
  }

  void write_totals() {
    lines_.heading("Totals");
    TextTable table({{"", "old"}, {"", "new"}, {"", "change"}, {"", ""}});
    std::vector<std::string> names;
    const auto add = [&](const std::string& name, std::uint64_t before, std::uint64_t now,
                         Unit unit) {
      table.add({report::in_words(unit, before), report::in_words(unit, now),
                 change_in_words(unit, before, now), change_in_percent(before, now)});
      names.push_back(name);
    };
    for (std::size_t i = 0; i < comparison_.measures.size(); ++i) {
      const ComparedMeasure& measure = comparison_.measures[i];
      if (!measure.in_old || !measure.in_new) continue;
      const std::uint64_t before = sum_of(comparison_.old_values(i));
      const std::uint64_t now = sum_of(comparison_.new_values(i));
      // States in which no thread was, and their samples.
      if (i != findings_.measure && before == 0 && now == 0) continue;
      add(measure_in_words(comparison_, measure.name), before, now,
          report::unit_named(measure.unit));
    }
    const ContextCounts& contexts = findings_.contexts;
    const std::uint64_t both = contexts.more + contexts.fewer + contexts.equal;
    const std::string counted_by =
        comparison_.compares_calls() ? std::string(report::kCallsMeasure) : words_;
    add("contexts with " + counted_by, both + contexts.only_old, both + contexts.only_new,
        Unit::kCount);
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
    std::vector<TextTable::Heading> headings{{"", "change"}, {"", ""}};
    if (is_calls) {
      for (const char* heading : {"old calls", "new calls"}) headings.push_back({"", heading});
      headings.push_back({"per call of", "caller: old"});
      headings.push_back({"", "new"});
    } else {
      headings.push_back({"", "old"});
      headings.push_back({"", "new"});
      headings.push_back({"", "old calls"});
      headings.push_back({"", "new calls"});
    }
    TextTable table(std::move(headings));
    const NumberColumn& old_calls = comparison_.old_values(0);
    const NumberColumn& new_calls = comparison_.new_values(0);
    Inclusive amounts;
    if (!is_calls) {
      amounts = amounts_of(comparison_, findings_.measure, findings_.changes, changes);
    }
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const Change& change = changes[i];
      const std::size_t node = at(change.node);
      const bool had = comparison_.in_old(node), has = comparison_.in_new(node);
      const ComparedMeasure& counted = comparison_.measures.front();
      std::vector<std::string> cells{signed_in_words(unit_, change.effect),
                                     kind_in_words(comparison_, change, is_calls)};
      const auto calls = [&](bool there, std::uint64_t count) {
        cells.push_back(there ? grouped(count) : kNothing);
      };
      if (is_calls) {
        calls(had, old_calls[node]);
        calls(has, new_calls[node]);
        cells.push_back(had ? per_call_of_caller(node, old_calls) : kNothing);
        cells.push_back(has ? per_call_of_caller(node, new_calls) : kNothing);
      } else {
        cells.push_back(had ? report::in_words(unit_, amounts.before[i]) : kNothing);
        cells.push_back(has ? report::in_words(unit_, amounts.now[i]) : kNothing);
        calls(had && counted.in_old, old_calls[node]);
        calls(has && counted.in_new, new_calls[node]);
      }
      table.add(std::move(cells));
    }
    // One of the last two columns is of no use without the other.
    table.make_room({4, 5}, report::ContextLines::kLeastRoom, lines_.width());
    return table;
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
    const auto [all_changes, of_jvm] = changes_of_program(comparison_, findings_);
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
      const double others = std::accumulate(
          all_changes.begin() + static_cast<std::ptrdiff_t>(changes.size()), all_changes.end(), 0.0,
          [](double sum, const Change& change) { return sum + change.effect; });
      lines_.wrapped("", "The other " + counted(all - changes.size(), "change") + ": " +
                             signed_in_words(unit_, others) + " in all.");
    }
    if (std::abs(of_jvm) >= 0.5) {
      lines_.wrapped("", "Not of the program: " + signed_in_words(unit_, of_jvm) + " in " +
                             std::string(report::kThreadsWithoutCalls) + ".");
    }
    const double rest = findings_.changes.rest;
    if (std::abs(rest) >= 0.5) {
      lines_.wrapped("", "The other " + signed_in_words(unit_, rest) +
                             " may be chance: less than two standard errors of the samples.");
    }
  }

  void write_methods() {
    // Methods with differences only below come last.
    const auto all = static_cast<std::size_t>(std::count_if(
        findings_.groups.methods.begin(), findings_.groups.methods.end(),
        [](const MethodChange& method) { return method.old_exclusive != method.new_exclusive; }));
    if (all == 0) return;
    const std::size_t shown = std::min(options_.top, all);
    heading_of_list("Methods", shown, all);
    const bool is_calls = findings_.measure == 0;
    std::vector<TextTable::Heading> headings{{"", "change"}, {"", "old"}, {"", "new"}};
    if (!is_calls) {
      for (const char* heading : {"old calls", "new calls"}) headings.push_back({"", heading});
    }
    TextTable table(std::move(headings));
    for (std::size_t i = 0; i < shown; ++i) {
      const MethodChange& method = findings_.groups.methods[i];
      std::vector<std::string> cells = amounts(method.old_exclusive, method.new_exclusive);
      if (!is_calls) {
        cells.push_back(grouped(method.old_calls));
        cells.push_back(grouped(method.new_calls));
      }
      table.add(std::move(cells));
    }
    lines_.line(table.lower() + "method");
    for (std::size_t i = 0; i < shown; ++i) {
      const std::size_t room = lines_.width() - std::min(lines_.width(), table.width());
      lines_.row(table.row(i), names_.method(findings_.groups.methods[i].method, room));
    }
  }

  void write_packages() {
    if (findings_.groups.packages.empty()) return;
    const std::size_t shown = std::min(options_.top, findings_.groups.packages.size());
    heading_of_list("Packages", shown, findings_.groups.packages.size());
    TextTable table({{"", "change"}, {"", "old"}, {"", "new"}});
    for (std::size_t i = 0; i < shown; ++i) {
      const PackageChange& package = findings_.groups.packages[i];
      table.add(amounts(package.old_exclusive, package.new_exclusive));
    }
    lines_.line(table.lower() + "package");
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string& name = findings_.groups.packages[i].package;
      lines_.row(table.row(i), name.empty() ? "(none)" : printable(name));
    }
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

  void heading_of_list(const std::string& what, std::size_t shown, std::size_t all) {
    const std::string some = shown == all ? "" : ", " + grouped(shown) + " of " + grouped(all);
    lines_.heading(what + " by exclusive " + words_ + some);
  }

  std::vector<std::string> amounts(std::uint64_t before, std::uint64_t now) const {
    return {change_in_words(unit_, before, now), report::in_words(unit_, before),
            report::in_words(unit_, now)};
  }

  const Comparison& comparison_;
  const Findings& findings_;
  const TextOptions& options_;
  report::TextLines lines_;
  const ComparedMeasure& measure_;
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
