#include "report/exports/tool_formats.h"

#include <string>
#include <utility>
#include <vector>

#include "report/exports/json_text.h"
#include "report/exports/names.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/thread_rows.h"

namespace copse::report {
namespace {

// The contexts of one profile: rows from `first` to before `end`.
struct Part {
  std::string thread;  // "": of no thread in particular
  std::vector<std::pair<std::size_t, std::size_t>> rows;
};

// A part for each thread, and one for what hangs below none.
std::vector<Part> parts_of(const ReportModel& model) {
  std::vector<Part> parts(1);
  std::size_t end = 1;
  while (end < model.nodes.parent.size()) {
    const std::size_t row = end;
    do ++end;
    while (end < model.nodes.parent.size() && model.nodes.parent[end] != 0);
    const auto thread = thread_of(model, row);
    if (thread) parts.push_back({std::string(*thread), {}});
    (thread ? parts.back() : parts.front()).rows.emplace_back(row, end);
  }
  return parts;
}

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const ReportModel& model, Output& out)
      : model_(model), out_(out), json_(out), parts_(parts_of(model)) {}

  void write() {
    const std::vector<MeasureView> views = measures_on_offer(model_);
    json_.begin("", '{');
    json_.field("$schema", "https://www.speedscope.app/file-format-schema.json");
    json_.field("exporter", model_.created_by);
    json_.field("name", name());
    json_.field("activeProfileIndex", first_shown(views));
    put_frames();
    json_.begin("profiles", '[');
    for (const MeasureView& view : views) {
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (has_profile(view, i)) put_profile(view, i);
      }
    }
    json_.end(']');
    json_.end('}');
  }

 private:
  std::string name() const {
    std::string words;
    for (const std::string& word : model_.program.command)
      words += (words.empty() ? "" : " ") + word;
    return words;
  }

  // One profile at least, because speedscope refuses a file without any.
  bool has_profile(const MeasureView& view, std::size_t part) const {
    return part == 0 ? parts_.size() == 1 || amount(view, 0) != 0 : amount(view, part) != 0;
  }

  std::uint64_t amount(const MeasureView& view, std::size_t part) const {
    std::uint64_t sum = part == 0 ? view.of(0) : 0;
    for (const auto& [first, end] : parts_[part].rows) {
      for (std::size_t row = first; row < end; ++row) sum += view.of(row);
    }
    return sum;
  }

  // Returns the index of the profile that speedscope opens: of the measure shown, the thread with the largest amount.
  std::uint64_t first_shown(const std::vector<MeasureView>& views) const {
    std::uint64_t profiles = 0;
    for (const MeasureView& view : views) {
      const bool is_shown = view.name == model_.shown;
      std::uint64_t found = profiles, most = 0;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (!has_profile(view, i)) continue;
        // Contexts below no thread are the JVM's own where there are threads.
        const std::uint64_t work = i == 0 || !is_shown ? 0 : amount(view, i);
        if (work > most) {
          most = work;
          found = profiles;
        }
        ++profiles;
      }
      if (is_shown) return found;
    }
    return 0;
  }

  void put_frames() {
    json_.begin("shared", '{').begin("frames", '[');
    for (std::size_t row = 0; row < model_.methods.name.size(); ++row) {
      const auto method = static_cast<std::int32_t>(row);
      json_.begin("", '{').field("name", names_.plain(method));
      const std::string file = source_path(model_.methods, method);
      if (!file.empty()) json_.field("file", file);
      json_.end('}');
    }
    json_.begin("", '{').field("name", kOutsideContexts).end('}');
    json_.end(']').end('}');
  }

  void put_profile(const MeasureView& view, std::size_t index) {
    const Part& part = parts_[index];
    json_.begin("", '{').field("type", "evented");
    json_.field("name", part.thread.empty() ? view.name : view.name + " [" + part.thread + "]");
    json_.field("unit", view.unit == Unit::kCount ? "none" : unit_name(view.unit));
    json_.field("startValue", 0);
    json_.field("endValue", amount(view, index));
    json_.begin("events", '[');
    at_ = 0;
    is_first_ = true;
    if (index == 0) put_outside(view.of(0));
    for (const auto& [first, end] : part.rows) put_rows(view, first, end);
    json_.end(']').end('}');
  }

  void put_rows(const MeasureView& view, std::size_t first, std::size_t end) {
    const ReportModel::Nodes& nodes = model_.nodes;
    std::vector<std::size_t> path;  // to the current row
    std::size_t open = 0;  // frames of the path that have begun: up to the last one with an amount
    const auto close_to = [&](std::int32_t parent) {
      for (; !path.empty() && static_cast<std::int32_t>(path.back()) != parent; path.pop_back()) {
        if (open < path.size()) continue;
        put_event('C', nodes.method[path.back()]);
        --open;
      }
    };
    for (std::size_t row = first; row < end; ++row) {
      if (thread_of(model_, row)) {
        put_outside(view.of(row));
        continue;
      }
      close_to(nodes.parent[row]);
      path.push_back(row);
      if (view.of(row) == 0) continue;
      for (; open < path.size(); ++open) put_event('O', nodes.method[path[open]]);
      at_ += view.of(row);
    }
    close_to(-1);
  }

  void put_outside(std::uint64_t own) {
    if (own == 0) return;
    const auto frame = static_cast<std::int32_t>(model_.methods.name.size());
    put_event('O', frame);
    at_ += own;
    put_event('C', frame);
  }

  void put_event(char type, std::int32_t frame) {
    out_.put(std::exchange(is_first_, false) ? "\n{\"type\":\"" : ",\n{\"type\":\"");
    out_.put(type);
    out_.put("\",\"frame\":");
    out_.put_number(std::int64_t{frame});
    out_.put(",\"at\":");
    out_.put_number(at_);
    out_.put('}');
  }

  const ReportModel& model_;
  const DisplayNames names_{model_.methods};
  Output& out_;
  JsonText json_;
  const std::vector<Part> parts_;  // the first is of no thread
  std::uint64_t at_ = 0;           // of the measure has passed
  bool is_first_ = true;           // of the profile's events
};

}  // namespace

void write_speedscope(const ReportModel& model, Output& out) {
  SpeedscopeWriter(model, out).write();
}

}  // namespace copse::report
