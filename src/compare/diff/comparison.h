// Two reports merged context by context: the subject of `copse diff`.
//
// Contexts of OLD and NEW are the same when their paths are the same by the rules of stable ids
// (compare/identity/id_rules.h), without call sites unless these are asked for. Names are compared as they are, after
// those of --renamed (renames.h) and of numbered classes (numbered_classes.h). Nothing else is taken for the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "base/status.h"
#include "compare/diff/renames.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::diff {

// Sums that leave_out() took out of a measure's values (cut.h).
struct LeftOut {
  std::uint64_t jvm = 0;   // of the JVM's own threads
  std::uint64_t idle = 0;  // of threads that wait for work
};

struct ComparedMeasure {
  std::string name;  // "calls", "cpu_ns"
  std::string unit;
  // True if the report has the measure; its values are 0 otherwise. A report with contexts and
  // without any call has not counted calls.
  bool in_old = true, in_new = true;
  std::uint64_t old_lost = 0, new_lost = 0;
  // Sums of the whole reports, also after cut() (cut.h).
  std::uint64_t old_whole = 0, new_whole = 0;
  NumberColumn old_values = {};  // one per node of both, exclusive
  std::vector<std::uint64_t> old_of_threads =
      {};  // one per thread of the older report; may be empty
  LeftOut old_left_out = {}, new_left_out = {};
};

// Most calls of a method in one slice of a report, by names with their class.
struct SliceCalls {
  std::int32_t of = 0;              // row of the slices' method in the report
  std::string of_class, of_method;  // its names
  std::string class_name, method;
  std::uint64_t most = 0;
  std::uint64_t slice = 0;  // its id
};
// Slices of a report.
struct ReportSlices {
  bool are_followed = false;
  std::uint64_t not_whole = 0;  // slices that are not in the numbers of calls
  std::vector<SliceCalls> calls;
};

struct Comparison {
  std::string old_name, new_name;  // file names
  identity::IdRules rules;
  // OLD without its methods, sites, nodes and values. Its threads refer to nodes of `both`.
  report::ReportModel old_about;
  // NEW with the methods, sites and nodes of both. Nodes that are only in OLD have 0 in all
  // columns.
  report::ReportModel both;
  std::vector<std::uint8_t> presence;     // by node: kInOld, kInNew, or both bits; ROOT has both
  std::vector<ComparedMeasure> measures;  // calls, then the measures of `both` in their order
  std::vector<Renamed> renamed;           // by --renamed, and classes with another number
  ReportSlices old_slices, new_slices;
  std::vector<std::string> part;  // cuts (cut.h), each relative to the one before; empty if none
  // Outcomes of the gate's rules, if any (compare/gate/outcome_text.h).
  std::vector<report::ReportModel::Compared::Rule> judged;
  bool evicted_alike = false;  // contexts that OLD evicted are evicted in NEW, too (cut.h)

  static constexpr std::uint8_t kInOld = 1, kInNew = 2;
  // Returns true if both reports have counted calls, which makes call numbers comparable.
  bool compares_calls() const { return measures[0].in_old && measures[0].in_new; }
  // Index of the measure that counts the samples of a measure, if that comes from samples.
  std::optional<std::size_t> samples_of(std::size_t measure) const;
  bool in_old(std::size_t node) const noexcept { return (presence[node] & kInOld) != 0; }
  bool in_new(std::size_t node) const noexcept { return (presence[node] & kInNew) != 0; }
  const NumberColumn& old_values(std::size_t measure) const { return measures[measure].old_values; }
  const NumberColumn& new_values(std::size_t measure) const {
    return measure == 0 ? both.nodes.calls : both.measures[measure - 1].values;
  }
};

// Describes the part that a comparison was cut to, "contexts through Dao.** (--focus), of these
// what Log.log does (--root)"; "" means the whole.
std::string part_in_words(const Comparison& comparison);

// Says that OLD, or NEW, does not have a measure (report::absent_measure()).
std::string absent_measure(const Comparison& comparison, std::size_t measure, bool in_new);

// Returns the sum of a column.
std::uint64_t sum_of(const NumberColumn& values);

struct CompareOptions {
  identity::IdRules rules = identity::kByMethodsAlone;
  Renames renames;
};

// The error is the reason why the reports cannot be compared: "cpu_ns is in ns in one and in us in
// the other". Cost: linear in the nodes except for sorting siblings. Memory: both reports and the
// result.
Result<Comparison> compare(report::ReportModel old_report, const std::string& old_name,
                           report::ReportModel new_report, const std::string& new_name,
                           const CompareOptions& options);

}  // namespace copse::diff
