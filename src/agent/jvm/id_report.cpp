#include "agent/jvm/id_report.h"

#include <utility>

#include "agent/output_path.h"
#include "cct/cct.h"
#include "report/json_writer.h"
#include "report/model_builder.h"

namespace copse {
namespace {

using encoders::CallPath;
using encoders::EdgeKey;

std::uint32_t node_of(Cct& tree, const CallPath& path) {
  std::uint32_t node = raw(kRootNode);
  for (const EdgeKey edge : path) {
    node =
        tree.child(node, context_key(encoders::site_of(edge).ordinal, encoders::callee_of(edge)));
    if (node == Cct::kOverflowNode) break;
  }
  return node;
}

std::string in_words(const IdTables::Stats& stats) {
  std::string text = "Ids: " + std::to_string(stats.records) + " records, largest code " +
                     std::to_string(stats.largest_code) + ", " + std::to_string(stats.bytes) +
                     " bytes; probes asked " + std::to_string(stats.slow_entries) + " times";
  if (stats.lost_entries != 0) {
    text += ", " + std::to_string(stats.lost_entries) + " of them in vain: no memory";
  }
  return text + ".";
}

}  // namespace

Result<IdTotals> write_id_report(const ContextIds& ids, const MethodTable& methods,
                                 ProgramTables about, const std::string& path) {
  const ContextIds::Events events = ids.events();
  IdTotals totals{events.seen, events.sums.size(), events.lost};
  Cct tree;
  if (const IdTables* tables = ids.tables(); tables != nullptr) {
    for (const ContextIds::EventSum& sum : events.sums) {
      const Result<CallPath> context = tables->decode(sum.id);
      if (context.ok()) {
        tree.add_calls(node_of(tree, *context), sum.count);
      } else {
        totals.events_lost += sum.count;
        about.notes.push_back("DEFECT: " + context.message());
      }
    }
  } else {
    totals.events_lost = events.seen;
    about.notes.push_back("Ids of pcc are hash values: " + std::to_string(events.sums.size()) +
                          " different ones were seen at events, none can be decoded.");
  }
  if (const std::uint64_t missing = ids.methods_without_place(); missing != 0) {
    about.notes.push_back("The numbers of call sites were used up: " + std::to_string(missing) +
                          " methods are missing from contexts.");
  }
  totals.events_lost += tree.calls_lost();
  if (ids.tables() != nullptr) about.notes.push_back(in_words(ids.tables()->stats()));
  methods.export_to(about);
  if (ids.tables() != nullptr) {
    if (Status status = ids.tables()->save(graph_path(path), about.methods); !status) return status;
  }
  about.calls_seen = totals.events;
  about.calls_lost = totals.events_lost;
  const Result<ReportModel> model = build_model(tree, std::move(about));
  if (!model.ok()) return model.status();
  if (Status status = write_json_file(*model, path); !status) return status;
  return totals;
}

}  // namespace copse
