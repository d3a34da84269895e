#include "fleet/import_selection.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/grouped.h"
#include "base/utf8.h"
#include "compare/identity/id_rules.h"
#include "compare/identity/stable_ids.h"
#include "fleet/row_binary.h"
#include "fleet/tables.h"
#include "report/exports/names.h"
#include "report/model/measure_view.h"
#include "report/model/model_check.h"
#include "report/model/report_builder.h"

namespace copse::fleet {
namespace {

using report::ReportModel;

// Sums over the runs of a selection for one name of tables.h.
struct RunSum {
  std::uint64_t rows = 0;  // runs, or parts of them
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  std::uint64_t first_day = 0, last_day = 0;  // days since 1970
};

std::string text_of_day(std::uint64_t day) {
  constexpr std::uint64_t kNsPerDay = 86'400'000'000'000;
  return report::time_of_nanoseconds(day * kNsPerDay).substr(0, kDayLength);
}

class SelectionReader {
 public:
  SelectionReader(Server& server, const Selection& selection)
      : server_(server), selection_(selection) {}

  Result<ReportModel> read() {
    for (const auto step : {&SelectionReader::read_counts, &SelectionReader::check_runs,
                            &SelectionReader::read_measures, &SelectionReader::read_methods,
                            &SelectionReader::read_contexts}) {
      if (Status status = (this->*step)(); !status) return status;
    }
    Result<ReportModel> model = model_of_rows(rows_);
    if (!model.ok()) return model.status().behind(server_.name() + ": ");
    rows_ = {};
    if (Status status = complete(*model); !status) return status;
    return model;
  }

 private:
  Status failed(Fault fault, const std::string& why) const {
    return Status::error(fault, server_.name() + ": " + why);
  }

  // Calls `take_row(reader)` for each row of the answer.
  template <typename TakeRow>
  Status ask(const std::string& sql, TakeRow take_row) {
    const Outcome outcome = server_.ask(sql + " FORMAT RowBinary");
    if (outcome.kind != Outcome::Kind::kDone) return failed(Fault::kSystem, outcome.body);
    RowBinaryReader reader(outcome.body);
    while (!reader.at_end()) take_row(reader);
    return reader.is_whole() ? Status()
                             : failed(Fault::kMalformed, "gave an answer that ends too early");
  }

  std::string labels() const {
    std::string sql = "1";
    if (!selection_.service.empty()) sql += " AND service = " + quoted_text(selection_.service);
    if (!selection_.version.empty()) sql += " AND version = " + quoted_text(selection_.version);
    if (selection_.where) sql += " AND " + selection_.where->sql_of_labels();
    return sql;
  }
  std::string labels_and_days() const {
    std::string sql = labels();
    if (selection_.where) sql += " AND " + selection_.where->sql();
    if (!selection_.since.empty()) sql += " AND day >= toDate('" + selection_.since + "')";
    if (!selection_.until.empty()) sql += " AND day <= toDate('" + selection_.until + "')";
    return sql;
  }
  std::string table(const char* name) const { return server_.database() + ".all_" + name; }

  // Runs and contexts in one statement, which reads each server as it is at one moment: a run that
  // comes meanwhile is in both or in neither. Names come before counts, and are read after them.
  Status read_counts() {
    const std::string of_a_run = "measure LIKE '(%'";
    return ask(
        "SELECT measure, key, count(), sum(v), max(v), toUInt16(min(first)), toUInt16(max(last)) "
        "FROM (SELECT measure, context, sum(value) AS v, min(day) AS first, max(day) AS last "
        "FROM " +
            table("counts") + " WHERE " + labels_and_days() +
            " GROUP BY measure, context) GROUP BY measure, if(" + of_a_run +
            ", toFixedString('', 16), context) AS key",
        [this](RowBinaryReader& reader) {
          const std::string_view measure = reader.text();
          const StableId context = reader.id();
          const RunSum sum = {reader.number(8), reader.number(8), reader.number(8),
                              reader.number(2), reader.number(2)};
          if (measure.starts_with('(')) {
            runs_[std::string(measure)] = sum;
          } else {
            counts_[std::string(measure)].push_back({context, sum.sum});
          }
        });
  }

  Status check_runs() {
    const RunSum &there = runs_[kPart], &expected = runs_[kParts];
    if (there.rows == 0) return failed(Fault::kNotFound, "has no runs of that selection");
    if (there.most > 1)
      return failed(Fault::kRefused, "has a run twice: it was sent to other servers, too");
    if (there.sum != expected.sum) {
      return failed(Fault::kRefused,
                    "has runs in part only; send them again: " + grouped(there.sum) + " of " +
                        counted(expected.sum, "part") + " are there");
    }
    return {};
  }

  Status read_measures() {
    rows_.calls = std::move(counts_[kCalls]);
    counts_.erase(kCalls);
    const Status status = ask("SELECT name, any(unit) FROM " + table("measures") + " WHERE " +
                                  labels() + " GROUP BY name ORDER BY name",
                              [this](RowBinaryReader& reader) {
                                ReportModel::Measure measure;
                                measure.name = reader.text();
                                measure.unit = reader.text();
                                measure.lost = runs_[kLostBegin + measure.name + ')'].sum;
                                const auto counted = counts_.find(measure.name);
                                // The measure has values on other days only.
                                if (counted == counts_.end() && measure.lost == 0) return;
                                rows_.measures.push_back(std::move(measure));
                                rows_.values.emplace_back();
                                if (counted == counts_.end()) return;
                                rows_.values.back() = std::move(counted->second);
                                counts_.erase(counted);
                              });
    if (!status) return status;
    return counts_.empty() ? Status()
                           : failed(Fault::kMalformed, "has no unit of " + counts_.begin()->first +
                                                           "; send its runs again");
  }

  Status read_methods() {
    return ask("SELECT method, any(class), any(name), any(descriptor) FROM " + table("methods") +
                   " WHERE " + labels() + " GROUP BY method",
               [this](RowBinaryReader& reader) {
                 const StableId id = reader.id();
                 identity::MethodKey& key = rows_.methods[id];
                 key.class_name = reader.text();
                 key.name = reader.text();
                 key.descriptor = reader.text();
               });
  }

  Status read_contexts() {
    return ask("SELECT context, any(parent), any(method), any(bci), any(line) FROM " +
                   table("contexts") + " WHERE " + labels() + " GROUP BY context",
               [this](RowBinaryReader& reader) {
                 SelectionRows::Context& context = rows_.contexts.emplace_back();
                 context.id = reader.id();
                 context.parent = reader.id();
                 context.method = reader.id();
                 context.bci = static_cast<std::int32_t>(reader.number(4));
                 context.line = static_cast<std::int32_t>(reader.number(4));
               });
  }

  Status complete(ReportModel& model) {
    ReportModel::Totals& totals = model.totals;
    if (totals.calls != runs_[kCallsInRuns].sum) {
      return failed(Fault::kRefused,
                    "has " + grouped(totals.calls) + " calls in contexts, but its runs have " +
                        grouped(runs_[kCallsInRuns].sum) + "; its tables were changed by others");
    }
    totals.calls_lost = runs_[kCallsLost].sum;
    totals.calls_seen = totals.calls + totals.calls_lost;
    totals.threads = runs_[kThreads].sum;
    totals.evicted_contexts = runs_[kEvictedContexts].sum;
    totals.merged_methods = runs_[kMergedMethods].most;
    say_which_runs(model);
    model.shown = report::measure_to_show(model);
    if (Status status = report::check_invariants(model); !status)
      return status.behind(server_.name() + ": ");
    return {};
  }

  void say_which_runs(ReportModel& model) {
    const RunSum& runs = runs_[kParts];
    model.program.command = {selection_.service.empty() ? "all services" : selection_.service};
    if (!selection_.version.empty()) model.program.command.push_back(selection_.version);
    if (selection_.where) {
      model.program.command.push_back("where");
      model.program.command.push_back(valid_utf8(selection_.where->text()));
    }
    model.program.started = text_of_day(runs.first_day);
    model.merged = {runs.rows, {}, identity::in_words(identity::IdRules())};
    model.notes.push_back(
        "Sum of " + counted(runs.rows, "run") + " of a fleet, of " + text_of_day(runs.first_day) +
        (runs.first_day == runs.last_day ? "" : " to " + text_of_day(runs.last_day)) +
        "; threads, losses and notes of single runs are not told apart.");
  }

  Server& server_;
  const Selection& selection_;
  std::map<std::string, RunSum> runs_;
  std::map<std::string, std::vector<SelectionRows::Value>>
      counts_;  // by measure; moved out when used
  SelectionRows rows_;
};

using report::ReportModel;

struct HashOfId {
  // The id is a hash itself.
  std::size_t operator()(const StableId& id) const noexcept {
    std::size_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) value = value << 8 | id.bytes[i];
    return value;
  }
};

// Contexts by their rows; the context after the last one is ROOT.
struct SelectionContexts : report::Contexts {
  std::uint32_t count() const override { return static_cast<std::uint32_t>(parents.size()); }
  std::uint32_t parent(std::uint32_t context) const override { return parents[context]; }
  Name name(std::uint32_t context) const override { return {methods[context], sites[context]}; }

  std::vector<std::uint32_t> parents;
  std::vector<std::int32_t> methods, sites;
};

class Builder {
 public:
  explicit Builder(const SelectionRows& rows)
      : rows_(rows), root_(static_cast<std::uint32_t>(rows.contexts.size())) {}

  Result<ReportModel> build() {
    take_methods();
    for (const auto step : {&Builder::find_contexts, &Builder::take_values}) {
      if (Status status = (this->*step)(); !status) return status;
    }
    const std::uint32_t wanted = leave_out_empty_ones();
    take_sites();
    report::Rows laid_out = rows_of(contexts_);
    // A circle of parents is not reachable from ROOT.
    const auto placed = [](std::int32_t row) { return row > 0; };
    if (std::count_if(laid_out.row_of.begin(), laid_out.row_of.end(), placed) != wanted) {
      return Status::error(Fault::kMalformed, "contexts of the fleet hang below each other");
    }
    model_.nodes = std::move(laid_out.nodes);
    const std::size_t count = model_.nodes.parent.size();
    model_.nodes.calls = report::sums_by_row(columns_[0], laid_out.row_of, count);
    for (const ReportModel::Measure& measure : rows_.measures) {
      model_.measures.push_back(measure);
      model_.measures.back().values =
          report::sums_by_row(columns_[model_.measures.size()], laid_out.row_of, count);
    }
    measure_tree(model_);
    return std::move(model_);
  }

 private:
  void take_methods() {
    for (const auto& [id, key] : rows_.methods) {
      method_rows_[id] =
          add_method({key.class_name, key.name, key.descriptor, "", "", ""}, model_.methods);
    }
  }

  Status find_contexts() {
    index_.reserve(rows_.contexts.size());
    for (std::uint32_t i = 0; i < root_; ++i) {
      index_[rows_.contexts[i].id] = i;
      const auto method = method_rows_.find(rows_.contexts[i].method);
      if (method == method_rows_.end()) {
        return missing("the method of context", rows_.contexts[i].id);
      }
      contexts_.methods.push_back(method->second);
    }
    index_[identity::root_id(identity::IdRules())] = root_;
    for (const SelectionRows::Context& context : rows_.contexts) {
      const auto found = index_.find(context.parent);
      if (found == index_.end()) return missing("the parent of context", context.id);
      contexts_.parents.push_back(found->second);
    }
    contexts_.parents.push_back(root_);
    return {};
  }

  Status take_values() {
    columns_.assign(1 + rows_.values.size(), NumberColumn(rows_.contexts.size()));
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      for (const SelectionRows::Value& row : column == 0 ? rows_.calls : rows_.values[column - 1]) {
        const auto found = index_.find(row.context);
        if (found == index_.end() || found->second == root_) return missing("context", row.context);
        columns_[column][found->second] += row.value;
      }
    }
    return {};
  }

  // Keeps contexts with a value, and their ancestors. Returns their number.
  std::uint32_t leave_out_empty_ones() {
    std::vector<std::uint32_t>& parents = contexts_.parents;
    std::vector<bool> is_kept(root_);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < root_; ++i) {
      const bool has_value = std::any_of(columns_.begin(), columns_.end(),
                                         [i](const auto& column) { return column[i] != 0; });
      if (!has_value) continue;
      for (std::uint32_t at = i; at != root_ && !is_kept[at]; at = parents[at]) {
        is_kept[at] = true;
        ++kept;
      }
    }
    for (std::uint32_t i = 0; i < root_; ++i) {
      if (!is_kept[i]) parents[i] = report::Contexts::kLeftOut;
    }
    return kept;
  }

  void take_sites() {
    for (std::uint32_t i = 0; i < root_; ++i) {
      const SelectionRows::Context& context = rows_.contexts[i];
      const std::uint32_t caller = contexts_.parents[i];
      const bool has_site =
          caller != report::Contexts::kLeftOut && caller != root_ && context.bci != kNoSite;
      contexts_.sites.push_back(
          has_site ? add_site(contexts_.methods[caller], context.line, context.bci, model_.sites)
                   : -1);
    }
    const report::NewNames now = sort_names(model_.methods, model_.sites);
    report::renumber(now.method, contexts_.methods);
    report::renumber(now.site, contexts_.sites);
  }

  static Status missing(const std::string& what, const StableId& id) {
    return Status::error(Fault::kMalformed,
                         what + ' ' + hex(id) + " is not there; send its runs again");
  }

  const SelectionRows& rows_;
  const std::uint32_t root_;
  std::unordered_map<StableId, std::uint32_t, HashOfId> index_;  // of contexts
  std::unordered_map<StableId, std::int32_t, HashOfId> method_rows_;
  SelectionContexts contexts_;
  std::vector<NumberColumn> columns_;  // by context: calls, then the measures
  ReportModel model_;
};

}  // namespace

Status check_selection(const Selection& selection) {
  for (const auto& [option, day] :
       {std::pair{"--since", &selection.since}, {"--until", &selection.until}}) {
    if (!day->empty() && !is_day(*day)) {
      return Status::error(
          Fault::kUsage, std::string(option) + ' ' + *day + ": is no day; for example 2026-11-23");
    }
  }
  return {};
}

Result<ReportModel> read_selection(Server& server, const Selection& selection) {
  return SelectionReader(server, selection).read();
}

Result<ReportModel> model_of_rows(const SelectionRows& rows) { return Builder(rows).build(); }

}  // namespace copse::fleet
