#include "report/json_writer.h"

#include <type_traits>

#include "base/json_string.h"
#include "base/utf8.h"

namespace copse {
namespace {

class JsonWriter {
 public:
  JsonWriter(Output& out, JsonEmbedding embedding) : out_(out), embedding_(embedding) {}
  void write(const ReportModel& model);

 private:
  void write_program(const ReportModel::Program& program);
  void write_totals(const ReportModel::Totals& totals);
  void write_threads(const std::vector<ReportModel::Thread>& threads);
  void write_metrics(const std::vector<ReportModel::Metric>& metrics);
  void write_skipped(const std::vector<ReportModel::Skipped>& skipped);

  void begin(const char* name, char bracket);
  void end(char bracket);
  void next_item();
  void key(std::string_view name);
  void string(std::string_view text);
  template <typename T>
  void value(const T& v);
  template <typename T>
  void field(const char* name, const T& v) {
    key(name);
    value(v);
  }

  Output& out_;
  const JsonEmbedding embedding_;
  bool first_ = true;  // no comma before the next key or item of the open bracket
  std::string quoted_;
};

void JsonWriter::next_item() {
  if (!first_) out_.put(',');
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  next_item();
  out_.put('\n');
  string(name);
  out_.put(':');
}

void JsonWriter::begin(const char* name, char bracket) {
  key(name);
  out_.put(bracket);
  first_ = true;
}

void JsonWriter::end(char bracket) {
  out_.put(bracket);
  first_ = false;
}

void JsonWriter::string(std::string_view text) {
  quoted_.clear();
  append_json_string(quoted_, text, embedding_ == JsonEmbedding::kHtmlScript);
  out_.put(quoted_);
}

template <typename T>
void JsonWriter::value(const T& v) {
  if constexpr (std::is_convertible_v<T, std::string_view>) {
    std::string text(v);
    make_valid_utf8(text);
    string(text);
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::uint64_t>) {
    out_.put_number(v);
  } else if constexpr (std::is_integral_v<T>) {
    out_.put_number(std::int64_t{v});
  } else {  // a column
    out_.put('[');
    bool first = true;
    for (const auto& item : v) {
      if (!first) out_.put(',');
      first = false;
      value(item);
    }
    out_.put(']');
  }
}

void JsonWriter::write_program(const ReportModel::Program& program) {
  begin("program", '{');
  field("command", program.command);
  field("pid", program.pid);
  field("runtime", program.runtime);
  field("started", program.started);
  field("wall_ms", program.wall_ms);
  if (program.snapshot != 0) field("snapshot", program.snapshot);
  end('}');
}

void JsonWriter::write_totals(const ReportModel::Totals& totals) {
  begin("totals", '{');
  field("calls", totals.calls);
  if (!totals.calls_of.empty()) field("calls_of", totals.calls_of);
  field("contexts", totals.contexts);
  field("threads", totals.threads);
  field("max_depth", totals.max_depth);
  field("calls_seen", totals.calls_seen);
  field("calls_lost", totals.calls_lost);
  field("packets", totals.packets);
  if (totals.evicted_contexts != 0) {
    field("evicted_calls", totals.evicted_calls);
    field("evicted_contexts", totals.evicted_contexts);
  }
  end('}');
}

void JsonWriter::write_threads(const std::vector<ReportModel::Thread>& threads) {
  begin("threads", '[');
  for (const ReportModel::Thread& thread : threads) {
    next_item();
    out_.put("\n{\"id\":");
    value(thread.id);
    out_.put(",\"name\":");
    value(thread.name);
    out_.put(",\"node\":");
    value(thread.node);
    out_.put(",\"calls\":");
    value(thread.calls);
    if (thread.threads != 1) {
      out_.put(",\"threads\":");
      value(thread.threads);
    }
    out_.put('}');
  }
  end(']');
}

// Before the nodes, so that a reader knows which of their columns are metrics.
void JsonWriter::write_metrics(const std::vector<ReportModel::Metric>& metrics) {
  begin("metrics", '[');
  for (const ReportModel::Metric& metric : metrics) {
    next_item();
    out_.put("\n{\"name\":");
    value(metric.name);
    out_.put(",\"unit\":");
    value(metric.unit);
    out_.put(",\"lost\":");
    value(metric.lost);
    out_.put('}');
  }
  end(']');
}

void JsonWriter::write_skipped(const std::vector<ReportModel::Skipped>& skipped) {
  begin("skipped", '[');
  for (const ReportModel::Skipped& item : skipped) {
    next_item();
    out_.put("\n{\"class\":");
    value(item.class_name);
    out_.put(",\"method\":");
    value(item.method);
    out_.put(",\"reason\":");
    value(item.reason);
    out_.put('}');
  }
  end(']');
}

void JsonWriter::write(const ReportModel& model) {
  out_.put('{');
  field("schema", kReportSchema);
  field("created_by", model.created_by);
  write_program(model.program);
  begin("options", '{');
  for (const auto& [name, setting] : model.options) {
    key(valid_utf8(name));
    value(setting);
  }
  end('}');
  write_totals(model.totals);
  begin("methods", '{');
  field("class", model.methods.class_name);
  field("name", model.methods.name);
  field("descriptor", model.methods.descriptor);
  field("source", model.methods.source);
  field("loader", model.methods.loader);
  end('}');
  begin("sites", '{');
  field("method", model.sites.method);
  field("bci", model.sites.bci);
  field("line", model.sites.line);
  end('}');
  write_threads(model.threads);
  write_metrics(model.metrics);
  field("shown", model.shown);
  begin("nodes", '{');
  field("parent", model.nodes.parent);
  field("method", model.nodes.method);
  field("site", model.nodes.site);
  field("calls", model.nodes.calls);
  for (const ReportModel::Metric& metric : model.metrics) {
    key(valid_utf8(metric.name));
    value(metric.values);
  }
  end('}');
  write_skipped(model.skipped);
  field("notes", model.notes);
  out_.put("\n}\n");
}

}  // namespace

void write_json(const ReportModel& model, Output& out, JsonEmbedding embedding) {
  JsonWriter(out, embedding).write(model);
}

}  // namespace copse
