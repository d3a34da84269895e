#include "agent/jvm/ids/id_report.h"

#include <utility>
#include <vector>

#include "agent/measure_notes.h"
#include "agent/output_path.h"
#include "agent/run_description.h"
#include "base/grouped.h"
#include "encoders/ids/id_file.h"

namespace copse::jvm {
namespace {

std::string in_words(const ids::IdTables::Stats& stats) {
  std::string text = "The tables of context ids took " + counted(stats.bytes, "byte") + ": " +
                     counted(stats.mappings, "mapping") + ", " + counted(stats.pieces, "piece") +
                     ", largest code " + std::to_string(stats.largest_code) + "; probes asked " +
                     counted(stats.slow_entries, "time");
  if (stats.graph.edges != 0) {
    text += ", the graph has " + grouped(stats.graph.known) + " of " +
            counted(stats.graph.edges, "call");
  }
  if (stats.epochs > 1) text += ", numbered " + counted(stats.epochs, "time");
  if (stats.lost_entries != 0) {
    text += ", " + grouped(stats.lost_entries) + " of them in vain: no memory";
  }
  return text + ".";
}

}  // namespace

std::string doubt_about_graph(const std::string& path,
                              const encoders::CodeNumbering::GraphUse& use) {
  if (use.known >= use.edges - use.known) return "";
  return path + ": has " + grouped(use.known) + " of the " + counted(use.edges, "call") +
         " between methods that the program made: of another program? Ids are right all the same, "
         "but slower";
}

EncoderFigures figures_of(const ids::ContextIds& ids, std::string encoder) {
  EncoderFigures figures{std::move(encoder), 0, {}, {}};
  const ids::IdTables* const tables = ids.tables();
  if (tables == nullptr) return figures;
  StackFigures stack;
  for (const events::EventKindInfo& kind : events::kEventKindInfos) {
    for (const ids::EventSum& sum : ids.events(kind.kind).sums) {
      figures.tokens += sum.count;
      stack.add(tables->stack(sum.id), sum.count);
    }
  }
  if (figures.tokens != 0) figures.stack = stack;
  figures.facts = tables->facts();
  return figures;
}

Result<ids::IdTotals> write_id_report(IdRunToReport run) {
  const ids::ContextIds& ids = run.ids;
  const bool decodes = ids.tables() != nullptr;
  ids::IdRecords records{.events = [&](events::EventKind kind) { return ids.events(kind); },
                         .steps = std::nullopt};
  if (decodes) records.steps = ids.steps();
  // While the program goes on, each of the three knows of all that the one before has.
  ids::EventReport events(records, run.kinds, run.outside);
  std::optional<wire::SectionWriter> id_file;
  if (decodes) id_file.emplace(ids.id_file());
  run.methods.export_to(run.about);
  if (id_file) ids::add_names(run.about.methods, *id_file);

  std::vector<std::string>& notes = run.about.notes;
  if (run.about.program.snapshot != 0) {
    notes.push_back(agent::snapshot_note());
    for (std::string& note : agent::notes_on_measures_so_far(events.measures())) {
      notes.push_back(std::move(note));
    }
  }
  for (const std::string& why : events.unknown()) notes.push_back("DEFECT: " + why);
  if (decodes) notes.push_back(in_words(ids.tables()->stats()));
  if (const std::uint64_t missing = ids.methods_without_place(); missing != 0) {
    notes.push_back("The numbers of call sites were used up: contexts lack " +
                    counted(missing, "method") + ".");
  }
  const ids::IdTotals totals = events.totals();
  Result<report::ReportModel> model = std::move(events).model(std::move(run.about));
  if (!model.ok()) return model.status();
  const Status written =
      ids::write_id_run(*model, run.path, run.max_contexts, id_file ? &*id_file : nullptr,
                        agent::id_file_path(run.path));
  if (!written) return written;
  return totals;
}

}  // namespace copse::jvm
