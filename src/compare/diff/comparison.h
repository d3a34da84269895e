// Two reports laid over each other, context by context: what `copse diff` shows.
//
// A context of OLD and one of NEW are the same when their paths are, by the rules of stable ids
// (compare/identity/id_rules.h), after what moved in the code was found again: numbered classes
// (numbered_classes.h), methods with another name (renamed.h), call sites elsewhere in their method
// (moved_sites.h). All names are NEW's then.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/diff/renamed.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::diff {

struct ComparedMeasure {
  std::string name;  // "calls", "cpu_ns"
  std::string unit;
  // Whether the report has it; its values are 0 otherwise. A report with contexts and without any calls has
  // not counted them.
  bool in_old = true, in_new = true;
  std::uint64_t old_lost = 0, new_lost = 0;
  // Of the whole reports, where they are cut (cut.h), too.
  std::uint64_t old_whole = 0, new_whole = 0;
  std::vector<std::uint64_t> old_values = {};  // one per node of both, exclusive
};

struct Comparison {
  std::string old_name, new_name;  // of the files
  identity::IdRules rules;
  // OLD without its tree: methods, sites, nodes, values. Its threads have the nodes of `both`.
  report::ReportModel old_about;
  // NEW with the methods, sites and nodes of both. Nodes that NEW does not have, have 0 of everything.
  report::ReportModel both;
  std::vector<std::uint8_t> presence;     // by node: kInOld, kInNew, or both; ROOT has both
  std::vector<ComparedMeasure> measures;  // calls, then those of `both` in their order
  std::vector<Renamed> renamed;
  std::vector<std::string>
      part;  // what was kept (cut.h), in words, each of what is before it; empty: all
  // What became of the gate's rules, where there were any (compare/gate/judged_rules.h).
  std::vector<report::ReportModel::Compared::Rule> judged;
  std::uint64_t moved_sites = 0;  // call sites of OLD that stand elsewhere in their method in NEW

  static constexpr std::uint8_t kInOld = 1, kInNew = 2;
  // Whether both reports have counted calls, so that a context's number is of both.
  bool compares_calls() const { return measures[0].in_old && measures[0].in_new; }
  bool in_old(std::size_t node) const noexcept { return (presence[node] & kInOld) != 0; }
  bool in_new(std::size_t node) const noexcept { return (presence[node] & kInNew) != 0; }
  const std::vector<std::uint64_t>& old_values(std::size_t measure) const {
    return measures[measure].old_values;
  }
  const std::vector<std::uint64_t>& new_values(std::size_t measure) const {
    return measure == 0 ? both.nodes.calls : both.measures[measure - 1].values;
  }
};

// What a comparison was cut to, "contexts through Dao.** (--focus), of these what Log.log does (--root)"; "" for all.
std::string part_in_words(const Comparison& comparison);

// Of a column, over all nodes.
std::uint64_t sum_of(const std::vector<std::uint64_t>& values);

struct CompareOptions {
  identity::IdRules rules;
  bool find_moved_code = true;  // otherwise names and call sites are taken as they are
};

// The error says why the two cannot be compared: "cpu_ns is in ns in one and in us in the other".
// Cost: linear in the nodes but for the sorting of siblings. Memory: both reports and the result.
Result<Comparison> compare(report::ReportModel old_report, const std::string& old_name,
                           report::ReportModel new_report, const std::string& new_name,
                           const CompareOptions& options);

}  // namespace copse::diff
