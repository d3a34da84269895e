#include <fmt/format.h>

#include "base/utf8.h"
#include "report/display_names.h"
#include "report/measure_view.h"
#include "report/report_stats.h"
#include "report/text_formats.h"

namespace copse::report {
namespace {

// What a reader of collapsed stacks takes for syntax is spelled as in Java source: \u003b for ';'.
// The backslash too, so that the escape can be undone.
std::string escaped(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  while (!name.empty()) {
    const char32_t c = take_code_point(name);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == ';' || c == '\\' || c == 0x2028 ||
        c == 0x2029) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      append_code_point(out, c);
    }
  }
  return out;
}

}  // namespace

void write_collapsed(const ReportModel& model, const CollapsedOptions& options, Output& out) {
  const ReportModel::Nodes& nodes = model.nodes;
  std::vector<std::string> frames;
  frames.reserve(model.methods.name.size());
  for (std::size_t m = 0; m < model.methods.name.size(); ++m) {
    frames.push_back(escaped(display_name(model.methods.class_name[m], model.methods.name[m])));
  }
  const MeasureView view = shown_measure(model);
  const std::vector<std::uint64_t> inclusive = inclusive_values(nodes, *view.values);
  const std::uint64_t deepest = options.depth == 0 ? 1 : options.depth;

  std::string path;                       // frames down to the current row
  std::vector<std::size_t> length = {0};  // of the path, by depth
  std::uint64_t depth = 0;
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    for (auto open = static_cast<std::int32_t>(row - 1); open != nodes.parent[row]; --depth) {
      open = nodes.parent[static_cast<std::size_t>(open)];
    }
    if (++depth > deepest) continue;
    length.resize(depth);
    path.resize(length.back());
    if (depth > 1) {
      const std::int32_t site = nodes.site[row];
      const std::int32_t line = site < 0 ? -1 : model.sites.line[static_cast<std::size_t>(site)];
      if (line >= 0) path += fmt::format(":{}", line);
      path += ';';
    }
    path += frames[static_cast<std::size_t>(nodes.method[row])];
    length.push_back(path.size());
    const std::uint64_t value = depth == deepest ? inclusive[row] : view.of(row);
    if (value == 0) continue;
    out.put(path);
    out.put(' ');
    out.put_number(value);
    out.put('\n');
  }
}

}  // namespace copse::report
