#include "fleet/export_run.h"

#include <algorithm>
#include <thread>

#include "base/grouped.h"
#include "compare/identity/sha256.h"
#include "compare/identity/stable_ids.h"
#include "fleet/row_binary.h"
#include "fleet/tables.h"

namespace copse::fleet {
namespace {

using report::ReportModel;
using Clock = std::chrono::steady_clock;

// Two runs with equal counts differ in their start or in their duration in ns.
StableId hash_of_run(const ReportModel& model, const RunLabels& labels, const std::string& rows) {
  RowBinaryWriter all;
  all.text("copse.run/1");
  all.text(labels.service);
  all.text(labels.version);
  for (const std::string& word : model.program.command) all.text(word);
  all.number(static_cast<std::uint64_t>(model.program.pid), 8);
  all.text(model.program.runtime);
  all.text(model.program.started);
  all.text(std::to_string(model.program.wall_ms));
  all.number(model.totals.calls_seen, 8);
  all.number(model.totals.threads, 8);
  for (const ReportModel::Thread& thread : model.threads) {
    all.number(static_cast<std::uint64_t>(thread.id), 8);
    all.text(thread.name);
    all.number(thread.calls, 8);
  }
  all.text(rows);
  return identity::hash_of(all.bytes());
}

// Rows of counts, cut into parts.
class CountRows {
 public:
  explicit CountRows(std::size_t most) : most_(most) {}
  void add(const std::string& measure, const StableId& context, std::uint64_t value) {
    if (value == 0) return;
    if (rows_ == most_) {
      parts_.emplace_back();
      rows_ = 0;
    }
    ++rows_;
    append(parts_.back(), measure, context, value);
  }
  static void append(RowBinaryWriter& to, const std::string& measure, const StableId& context,
                     std::uint64_t value) {
    to.text(measure);
    to.id(context);
    to.number(value, 8);
  }
  std::vector<RowBinaryWriter>& parts() { return parts_; }

 private:
  const std::size_t most_;
  std::size_t rows_ = 0;
  std::vector<RowBinaryWriter> parts_ = {RowBinaryWriter()};
};

void add_names(const ReportModel& model, const RunLabels& labels, const std::vector<StableId>& ids,
               RunRows& run) {
  const auto begin_row = [&labels](RowBinaryWriter& to) {
    to.text(labels.service);
    to.text(labels.version);
  };
  RowBinaryWriter methods, contexts, measures;
  std::vector<StableId> method_ids;
  for (std::size_t m = 0; m < model.methods.name.size(); ++m) {
    const identity::MethodKey key =
        identity::method_key(model.methods, m, identity::IdRules().names);
    method_ids.push_back(identity::method_id(key));
    begin_row(methods);
    methods.id(method_ids.back());
    methods.text(key.class_name);
    methods.text(key.name);
    methods.text(key.descriptor);
  }
  const ReportModel::Nodes& nodes = model.nodes;
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    const std::int32_t site = nodes.site[row];
    const auto at = static_cast<std::size_t>(site);
    begin_row(contexts);
    contexts.id(ids[row]);
    contexts.id(ids[static_cast<std::size_t>(nodes.parent[row])]);
    contexts.id(method_ids[static_cast<std::size_t>(nodes.method[row])]);
    for (const std::int32_t number :
         {site < 0 ? kNoSite : model.sites.bci[at], site < 0 ? kNoSite : model.sites.line[at]}) {
      contexts.number(static_cast<std::uint32_t>(number), 4);
    }
  }
  for (const ReportModel::Measure& measure : model.measures) {
    begin_row(measures);
    measures.text(measure.name);
    measures.text(measure.unit);
  }
  run.methods = methods.bytes();
  run.contexts = contexts.bytes();
  run.measures = measures.bytes();
}

std::string condition_of(const RunRows& run, const RunLabels& labels) {
  return "service = " + quoted_text(labels.service) +
         " AND version = " + quoted_text(labels.version) + " AND day = toDate('" + run.day + "')";
}

// Sends one run to one server.
class Sender {
 public:
  Sender(Server& server, const RunRows& run, const RunLabels& labels, std::chrono::seconds patience)
      : server_(server), run_(run), labels_(labels), until_(Clock::now() + patience) {}

  Result<Sent> send() {
    const Result<std::uint64_t> before = parts_there();
    if (!before.ok()) return before.status();
    if (*before != run_.parts.size()) {
      for (const auto& [table, rows] :
           {std::pair<const char*, const std::string*>{"methods", &run_.methods},
            {"measures", &run_.measures},
            {"contexts", &run_.contexts}}) {
        if (Status status = add_names(table, *rows); !status) return status;
      }
      for (const RunRows::Part& part : run_.parts) {
        if (Status status = add_part(part); !status) return status;
      }
    }
    const Result<std::uint64_t> after = parts_there();
    if (!after.ok()) return after.status();
    if (*after != run_.parts.size()) {
      return failed("has " + std::to_string(*after) + " parts of the run, which has " +
                    std::to_string(run_.parts.size()) + "; it was sent to other servers, too");
    }
    return Sent{*before == run_.parts.size(), server_.name()};
  }

 private:
  Status failed(const std::string& why) const {
    return Status::error(Fault::kSystem, server_.name() + ": " + why);
  }

  template <typename Ask>
  Result<std::string> insist(Ask ask) {
    auto pause = std::chrono::milliseconds(100);
    while (true) {
      Outcome outcome = ask();
      if (outcome.kind == Outcome::Kind::kDone) return std::move(outcome.body);
      if (outcome.kind == Outcome::Kind::kRefused || Clock::now() + pause > until_) {
        return failed(outcome.body);
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::milliseconds(5000));
    }
  }

  // How often parts of this run are counted, on all servers: a run stays where it is although servers
  // were added since.
  Result<std::uint64_t> parts_there() {
    std::string parts;
    for (const RunRows::Part& part : run_.parts) {
      parts += (parts.empty() ? "unhex('" : ", unhex('") + hex(part.id) + "')";
    }
    const std::string sql = "SELECT sum(value) FROM " + server_.database() + ".all_counts WHERE " +
                            condition_of(run_, labels_) + " AND measure = '" + kPart +
                            "' AND context IN (" + parts + ") FORMAT RowBinary";
    const Result<std::string> answer = insist([&] { return server_.ask(sql); });
    if (!answer.ok()) return answer.status();
    RowBinaryReader reader(*answer);
    const std::uint64_t count = reader.number(8);
    if (!reader.is_whole() || !reader.at_end()) return failed("gave an answer that is none");
    return count;
  }

  // Rows that are equal count once in these tables.
  Status add_names(const char* table, const std::string& rows) {
    if (rows.empty()) return {};
    const std::string sql = "INSERT INTO " + server_.database() + '.' + table + " FORMAT RowBinary";
    const Result<std::string> answer = insist([&] { return server_.insert(sql, rows); });
    return answer.ok() ? Status() : answer.status();
  }

  // The statement inserts nothing where the part is there already. It is one statement at a time of
  // this name, and its rows are one block, which is written whole or not at all; so a part is there
  // once, whatever becomes of the answer.
  Status add_part(const RunRows::Part& part) {
    const std::string counts = server_.database() + ".counts";
    const std::string sql = "INSERT INTO " + counts + " SELECT toDate('" + run_.day + "'), " +
                            quoted_text(labels_.service) + ", " + quoted_text(labels_.version) +
                            ", measure, context, value FROM rows WHERE (SELECT count() FROM " +
                            server_.database() + ".all_counts WHERE " +
                            condition_of(run_, labels_) + " AND measure = '" + kPart +
                            "' AND context = unhex('" + hex(part.id) + "')) = 0";
    // No block ends before the rows do.
    const std::string rows = "1000000000", bytes = "1000000000000";
    const Server::Settings settings = {{"max_block_size", rows},
                                       {"max_insert_block_size", rows},
                                       {"min_insert_block_size_rows", rows},
                                       {"min_insert_block_size_bytes", bytes},
                                       {"max_threads", "1"}};
    const Result<std::string> answer = insist([&] {
      return server_.run_with_rows("copse-" + hex(part.id), sql,
                                   "measure String, context FixedString(16), value UInt64",
                                   part.rows, settings);
    });
    return answer.ok() ? Status() : answer.status();
  }

  Server& server_;
  const RunRows& run_;
  const RunLabels& labels_;
  const Clock::time_point until_;
};

}  // namespace

Result<RunRows> rows_of_run(const ReportModel& model, const RunLabels& labels,
                            std::size_t most_rows_of_part) {
  if (model.merged.reports != 0) {
    return Status::error(Fault::kRefused,
                         "is a sum of " + counted(model.merged.reports, "report") +
                             "; send the reports of the runs, so that each counts once");
  }
  if (model.program.snapshot != 0) {
    return Status::error(
        Fault::kRefused,
        "is a snapshot of a run; send the report of its end, which has all its calls");
  }
  RunRows run;
  run.day = model.program.started.substr(0, kDayLength);
  if (!is_day(run.day)) return Status::error(Fault::kRefused, "does not say when its run began");
  const std::vector<StableId> ids = identity::stable_ids(model, identity::IdRules());
  CountRows counts(most_rows_of_part);
  for (std::size_t row = 1; row < ids.size(); ++row) {
    counts.add(kCalls, ids[row], model.nodes.calls[row]);
  }
  for (const ReportModel::Measure& measure : model.measures) {
    if (measure.name.starts_with('(') || measure.name == kCalls) {
      return Status::error(Fault::kRefused, "has a measure of the name " + measure.name +
                                                ", which no fleet can have");
    }
    for (std::size_t row = 1; row < ids.size(); ++row) {
      counts.add(measure.name, ids[row], measure.values[row]);
    }
  }
  std::string all;
  for (const RowBinaryWriter& part : counts.parts()) all += part.bytes();
  run.run = hash_of_run(model, labels, all);

  // Facts on the whole run come with the first part.
  RowBinaryWriter& first = counts.parts().front();
  const auto add = [&](const std::string& measure, std::uint64_t value) {
    if (value != 0) CountRows::append(first, measure, run.run, value);
  };
  add(kParts, counts.parts().size());
  add(kCallsInRuns, model.totals.calls);
  add(kCallsLost, model.totals.calls_lost);
  add(kThreads, model.totals.threads);
  add(kEvictedContexts, model.totals.evicted_contexts);
  add(kMergedMethods, model.totals.merged_methods);
  for (const ReportModel::Measure& measure : model.measures) {
    add(kLostBegin + measure.name + ')', measure.lost);
  }
  for (RowBinaryWriter& part : counts.parts()) {
    const StableId id =
        identity::hash_of(hex(run.run) + '/' + std::to_string(run.parts.size() + 1));
    CountRows::append(part, kPart, id, 1);
    run.parts.push_back({id, part.bytes()});
  }
  add_names(model, labels, ids, run);
  return run;
}

Result<Sent> send_run(std::vector<Server>& servers, const RunRows& run, const RunLabels& labels,
                      std::chrono::seconds patience) {
  std::vector<Server*> in_order;
  for (Server& server : servers) in_order.push_back(&server);
  std::sort(in_order.begin(), in_order.end(),
            [](const Server* a, const Server* b) { return a->name() < b->name(); });
  const std::size_t hash = run.run.bytes[0] * std::size_t{256} + run.run.bytes[1];
  const std::size_t chosen = hash % in_order.size();
  return Sender(*in_order[chosen], run, labels, patience).send();
}

}  // namespace copse::fleet
