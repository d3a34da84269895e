#include "report/exports/json_writer.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "report/exports/encoder_figures.h"
#include "report/exports/json_text.h"
#include "report/model/display_names.h"
#include "report/model/event_objects.h"
#include "report/model/idle_waits.h"

namespace copse::report {
namespace {

class JsonWriter : private JsonText {
 public:
  // `of_page`: adds the names that the page shows.
  JsonWriter(Output& out, bool of_page) : JsonText(out, of_page), of_page_(of_page) {}
  void write(const ReportModel& model, const StableIdColumn* ids);

 private:
  void write_program(const char* name, const ReportModel::Program& program);
  void write_timeline(const ReportAbout::TimeLine& line);
  void write_totals(const char* name, const ReportModel::Totals& totals);
  void write_kinds(const ReportModel::Methods& methods);
  void write_compared(const ReportModel::Compared& compared);
  void write_rules(const std::vector<ReportModel::Compared::Rule>& rules);
  void write_threads(const char* name, const std::vector<ReportModel::Thread>& threads);
  void write_measures(const std::vector<ReportModel::Measure>& measures);
  void write_slices(const ReportModel::Slices& slices);
  void write_skipped(const std::vector<ReportModel::Skipped>& skipped);
  void write_shown_names(const ReportModel::Methods& methods);
  void write_idle(const ReportModel& model);

  const bool of_page_;
};

void JsonWriter::write_program(const char* name, const ReportModel::Program& program) {
  begin(name, '{');
  field("command", program.command);
  field("pid", program.pid);
  field("runtime", program.runtime);
  field("started", program.started);
  field("wall_ms", program.wall_ms);
  if (program.snapshot != 0) field("snapshot", program.snapshot);
  if (program.runs != 1) field("runs", program.runs);
  end('}');
}

void JsonWriter::write_timeline(const ReportAbout::TimeLine& line) {
  if (line.step_ms == 0) return;
  begin("timeline", '{').field("step_ms", line.step_ms).field("program_ns", line.program_ns);
  field("compilers_ns", line.compilers_ns).field("collectors_ns", line.collectors_ns);
  field("others_ns", line.others_ns).end('}');
}

void JsonWriter::write_totals(const char* name, const ReportModel::Totals& totals) {
  begin(name, '{');
  field("calls", totals.calls);
  if (!totals.calls_of.empty()) field("calls_of", totals.calls_of);
  field("contexts", totals.contexts);
  field("threads", totals.threads);
  field("max_depth", totals.max_depth);
  field("calls_seen", totals.calls_seen);
  field("calls_lost", totals.calls_lost);
  field("packets", totals.packets);
  if (totals.evicted_contexts != 0 || totals.evicted_calls != 0) {
    field("evicted_calls", totals.evicted_calls);
    field("evicted_contexts", totals.evicted_contexts);
  }
  if (totals.merged_methods != 0) field("merged_methods", totals.merged_methods);
  if (totals.merged_depth_at_least != 0) {
    field("merged_depth_at_least", totals.merged_depth_at_least);
  }
  end('}');
}

// For readers that would have to know how the names of these methods are made. Nothing of a report that
// has none of them.
void JsonWriter::write_kinds(const ReportModel::Methods& methods) {
  std::vector<std::int32_t> rows;
  std::vector<std::string> kinds, classes, places;
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    const std::optional<EventObject> object = event_object_of(methods, row);
    if (!object) continue;
    rows.push_back(static_cast<std::int32_t>(row));
    kinds.emplace_back(object->kind);
    classes.emplace_back(object->class_name);
    places.emplace_back(object->place);
  }
  if (rows.empty()) return;
  begin("kinds", '{').field("method", rows).field("kind", kinds);
  field("class", classes).field("place", places).end('}');
}

void JsonWriter::write_compared(const ReportModel::Compared& compared) {
  begin("compared", '{').field("old", compared.old_name).field("new", compared.new_name);
  field("id_rules", compared.id_rules);
  begin("renamed", '[');
  for (const ReportModel::Compared::Renamed& method : compared.renamed) {
    begin("", '{').field("from", method.from).field("to", method.to).end('}');
  }
  end(']');
  field("only_old", compared.only_old).field("only_new", compared.only_new);
  write_totals("old_totals", compared.old_totals);
  write_program("old_program", compared.old_program);
  write_threads("old_threads", compared.old_threads);
  field("old_notes", compared.old_notes).field("new_notes", compared.new_notes);
  write_rules(compared.rules);
  end('}');
}

void JsonWriter::write_rules(const std::vector<ReportModel::Compared::Rule>& rules) {
  begin("rules", '[');
  for (const ReportModel::Compared::Rule& rule : rules) {
    begin("", '{').field("rule", rule.text).field("outcome", rule.outcome);
    field("found", rule.found).field("notes", rule.notes).field("measure", rule.measure);
    begin("contexts", '[');
    for (const ReportModel::Compared::Rule::Context& context : rule.contexts) {
      begin("", '{').field("node", context.node).field("old", context.before);
      field("new", context.now).end('}');
    }
    end(']').field("other_contexts", rule.other_contexts).end('}');
  }
  end(']');
}

void JsonWriter::write_threads(const char* name, const std::vector<ReportModel::Thread>& threads) {
  begin(name, '[');
  for (const ReportModel::Thread& thread : threads) {
    begin("", '{').field("id", thread.id).field("name", thread.name);
    field("node", thread.node).field("calls", thread.calls);
    if (thread.threads != 1) field("threads", thread.threads);
    end('}');
  }
  end(']');
}

// Before the nodes, so that a reader knows which of their columns are measures.
void JsonWriter::write_measures(const std::vector<ReportModel::Measure>& measures) {
  begin("metrics", '[');
  for (const ReportModel::Measure& measure : measures) {
    begin("", '{').field("name", measure.name).field("unit", measure.unit);
    field("lost", measure.lost);
    if (!measure.of_threads.empty()) field("threads", measure.of_threads);
    end('}');
  }
  end(']');
}

void JsonWriter::write_slices(const ReportModel::Slices& slices) {
  if (slices.keep == 0) return;
  begin("slice_totals", '{').field("keep", slices.keep).field("in_part", slices.in_part);
  field("open", slices.open).field("tasks_open", slices.tasks_open);
  field("tasks_late", slices.tasks_late).end('}');
  const auto& [sums, kept, contexts, calls, buckets] =
      std::tie(slices.sums, slices.kept, slices.contexts, slices.calls, slices.buckets);
  begin("slice_methods", '{').field("method", sums.method).field("slices", sums.slices);
  field("calls", sums.calls).field("wall_ns", sums.wall_ns).end('}');
  begin("slices", '{').field("id", kept.id).field("method", kept.method);
  field("thread", kept.thread).field("kept", kept.kept).field("start_ns", kept.start_ns);
  field("wall_ns", kept.wall_ns).field("cpu_ns", kept.cpu_ns).field("calls", kept.calls);
  field("calls_left_out", kept.calls_left_out).field("contexts", kept.contexts);
  if (!kept.trace.empty()) field("trace", kept.trace).field("span", kept.span);
  end('}');
  begin("slice_contexts", '{').field("node", contexts.node).field("calls", contexts.calls).end('}');
  begin("slice_calls", '{').field("of", calls.of).field("method", calls.method);
  field("slices", calls.slices).field("calls", calls.calls).field("most", calls.most);
  field("most_in", calls.most_in).field("buckets", calls.buckets).end('}');
  begin("slice_buckets", '{').field("least", buckets.least).field("slices", buckets.slices);
  end('}');
  const ReportModel::Slices::Measures& measures = slices.measures;
  begin("slice_measures", '{').field("name", measures.name).field("unit", measures.unit);
  field("sampled", measures.sampled).end('}');
  for (const auto& [name, amounts] : {std::pair("slice_method_amounts", &slices.sum_amounts),
                                      std::pair("slice_amounts", &slices.kept_amounts)}) {
    begin(name, '{').field("of", amounts->of).field("measure", amounts->measure);
    field("amount", amounts->amount).end('}');
  }
  begin("slice_tasks", '{').field("of", slices.tasks.of).field("node", slices.tasks.node);
  field("tasks", slices.tasks.tasks).field("calls", slices.tasks.calls).end('}');
}

void JsonWriter::write_skipped(const std::vector<ReportModel::Skipped>& skipped) {
  begin("skipped", '[');
  for (const ReportModel::Skipped& item : skipped) {
    begin("", '{').field("class", item.class_name).field("method", item.method);
    field("reason", item.reason).end('}');
  }
  end(']');
}

// Names are shortened here alone, so that the page shows those of the text formats.
void JsonWriter::write_shown_names(const ReportModel::Methods& methods) {
  const DisplayNames names(methods);
  std::vector<std::string> shown;
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    shown.push_back(names.method(static_cast<std::int32_t>(row)));
  }
  field("shown", shown);
}

// Waits for work are known here alone (report/model/idle_waits.h).
void JsonWriter::write_idle(const ReportModel& model) {
  const IdleWaits waits = idle_waits(model);
  if (waits.rows.empty()) return;
  const auto names = [](const std::vector<std::string_view>& words) {
    return std::vector<std::string>(words.begin(), words.end());
  };
  begin("idle", '{').field("rows", waits.rows).field("all", std::string(waits.all));
  field("waiting", names(waits.waiting)).field("busy", names(waits.busy)).end('}');
}

void JsonWriter::write(const ReportModel& model, const StableIdColumn* ids) {
  begin("", '{');
  field("schema", kReportSchema);
  field("created_by", model.created_by);
  write_program("program", model.program);
  begin("options", '{');
  for (const auto& [name, setting] : model.options) field(name, setting);
  end('}');
  write_timeline(model.timeline);
  if (model.merged.reports != 0) {
    begin("merged", '{').field("reports", model.merged.reports);
    field("names", model.merged.names).field("rules", model.merged.rules).end('}');
  }
  write_totals("totals", model.totals);
  if (model.compared.has_value()) write_compared(*model.compared);
  begin("methods", '{');
  field("class", model.methods.class_name);
  field("name", model.methods.name);
  field("descriptor", model.methods.descriptor);
  field("source", model.methods.source);
  field("loader", model.methods.loader);
  const auto is_known = [](const std::string& name) { return !name.empty(); };
  if (std::ranges::any_of(model.methods.stable_class, is_known)) {
    field("stable_class", model.methods.stable_class);
  }
  if (of_page_) write_shown_names(model.methods);
  end('}');
  write_kinds(model.methods);
  begin("sites", '{');
  field("method", model.sites.method);
  field("bci", model.sites.bci);
  field("line", model.sites.line);
  end('}');
  write_threads("threads", model.threads);
  write_measures(model.measures);
  field("shown", model.shown);
  if (ids != nullptr) field("id_rules", ids->rules);
  begin("nodes", '{');
  field("parent", model.nodes.parent);
  field("method", model.nodes.method);
  field("site", model.nodes.site);
  field("calls", model.nodes.calls);
  for (const ReportModel::Measure& measure : model.measures) field(measure.name, measure.values);
  if (ids != nullptr) field(kIdColumn, ids->ids);
  end('}');
  write_slices(model.slices);
  if (of_page_) write_idle(model);
  write_skipped(model.skipped);
  if (model.encoder) {
    begin("encoder", '{').field("name", model.encoder->name);
    put_figures(*this, *model.encoder);
    end('}');
  }
  field("notes", model.notes);
  end('}');
}

}  // namespace

void write_json(const ReportModel& model, Output& out, JsonEmbedding embedding,
                const StableIdColumn* ids) {
  JsonWriter(out, embedding == JsonEmbedding::kHtmlScript).write(model, ids);
}

}  // namespace copse::report
