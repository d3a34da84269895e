#include "cli/research/replay.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <unordered_map>
#include <utility>

#include "agent/engine_options.h"
#include "agent/run_description.h"
#include "base/version.h"
#include "cct/packets/engine.h"
#include "cli/profile/run_program.h"
#include "cli/research/packet_feeder.h"
#include "report/model/model_builder.h"
#include "report/model/program_tables.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/thread_rows.h"

namespace copse::cli {
namespace {

Status feed(trace::Trace& trace, PacketFeeder& feeder) {
  for (;;) {
    const Result<std::optional<trace::EventBatch>> batch = trace.next();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) return {};
    feeder.feed(**batch);
  }
}

void add_program(const trace::Trace& trace, report::ProgramTables& tables) {
  if (trace.program()) {
    const trace::ProgramInfo& program = *trace.program();
    tables.program = {program.command, program.pid, program.runtime, program.started, 0};
    for (const auto& [key, value] : program.options) tables.options.try_emplace(key, value);
  }
  tables.methods = trace.methods();
}

// Adds the threads, as in the report of a run; threads without a ThreadInfo get a row each. `end`: nullptr if the trace
// is not whole.
void add_threads(const trace::Trace& trace, const PacketFeeder& feeder, const trace::EndInfo* end,
                 report::ProgramTables& tables) {
  std::unordered_map<std::uint32_t, const trace::ThreadInfo*> infos;
  for (const trace::ThreadInfo& info : trace.threads()) infos[raw(info.index)] = &info;
  std::unordered_map<std::uint32_t, std::uint64_t> calls;
  if (end != nullptr) {
    for (const trace::EndInfo::ThreadCalls& row : end->threads) calls[raw(row.index)] = row.calls;
  }
  shadowstack::ThreadRows rows;
  for (const PacketFeeder::ThreadRow& row : feeder.threads()) {
    const auto known = calls.find(raw(row.index));
    const std::uint64_t made = known == calls.end() ? row.calls : known->second;
    const auto info = infos.find(raw(row.index));
    if (info == infos.end()) {
      tables.threads.push_back({std::int64_t{raw(row.index)}, "", row.first_key, made, 1});
      continue;
    }
    rows.set_calls(rows.add(info->second->runtime_id, info->second->name), row.first_key, made);
  }
  for (shadowstack::ThreadRow& row : rows.list()) {
    tables.threads.push_back(
        {row.runtime_id, std::move(row.name), row.first_key, row.calls, row.threads});
  }
}

// Adds the data that only a whole trace has, including the calls that were lost before they reached it.
void add_end(const trace::Trace& trace, report::ProgramTables& tables) {
  const trace::EndInfo& end = *trace.end();
  tables.program.wall_ms = end.wall_ms;
  for (const trace::SkippedInfo& row : end.skipped) {
    tables.skipped.push_back({row.class_name, row.method, row.reason});
  }
  tables.notes.insert(tables.notes.begin(), end.notes.begin(), end.notes.end());
  tables.calls_seen = end.calls_seen;
  tables.calls_lost += end.calls_lost - std::min(end.calls_lost, trace.calls_found_again());
  tables.packets = end.packets;
}

}  // namespace

Result<Replayed> replay_trace(trace::Trace& trace, const agent::AgentOptions& options) {
  if (const Result<std::string> agent = agent_library(); agent.ok()) {
    // Without these threads the engine folds packets on this one.
    static_cast<void>(cct::load_worker_threads(std::filesystem::path(*agent).parent_path()));
  }
  shadowstack::PacketPool pool({});
  const std::unique_ptr<cct::Engine> engine =
      cct::Engine::make(agent::engine_options(options), pool);
  PacketFeeder feeder(pool, *engine);
  Replayed replayed;
  replayed.damage = feed(trace, feeder);
  const cct::ContextTree& tree = engine->finish();
  const cct::EngineStats stats = engine->stats();

  report::ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  tables.options = agent::tree_options(options, stats.workers);
  tables.with_sites = agent::has_sites(options);
  tables.calls_seen = feeder.calls();
  tables.calls_lost = feeder.calls_lost() + stats.calls_lost;
  tables.packets = feeder.packets();
  add_program(trace, tables);
  tables.notes = agent::tree_notes(options, tree, stats.calls_lost, tables.methods);
  const bool whole = replayed.damage.ok() && trace.end();
  add_threads(trace, feeder, whole ? &*trace.end() : nullptr, tables);
  if (!replayed.damage.ok()) {
    tables.notes.push_back("The trace is damaged, this is of the part before that. " +
                           replayed.damage.message());
  } else if (whole) {
    add_end(trace, tables);
  }
  Result<report::ReportModel> report = report::build_model(tree, std::move(tables));
  if (!report.ok()) return report.status();
  replayed.report = std::move(report).value();
  return replayed;
}

}  // namespace copse::cli
