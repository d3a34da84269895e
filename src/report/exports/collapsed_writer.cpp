#include <fmt/format.h>

#include "base/utf8.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/text/text_formats.h"

namespace copse::report {
namespace {

// Returns whether a reader would not take `c`, followed by `rest`, for a part of the name: a blank
// before a count or at an end of the line, or a leading '#', which begins a comment.
bool is_read_otherwise(char32_t c, bool is_first, std::string_view rest) {
  constexpr std::string_view kOfNumbers = " 0123456789.eE+-";
  if (c == ' ') return is_first || rest.find_first_not_of(kOfNumbers) == std::string_view::npos;
  return is_first && (c == 0xFEFF || (c == '#' && (rest.empty() || rest[0] == ' ')));
}

// Escapes characters that readers of collapsed stacks take for syntax, as in Java source: \u003b
// for ';'. Also escapes the backslash, which makes the escape reversible.
std::string escaped(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  while (!name.empty()) {
    const char32_t c = take_code_point(name);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == ';' || c == '\\' || c == 0x2028 ||
        c == 0x2029 || is_read_otherwise(c, out.empty(), name)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      append_code_point(out, c);
    }
  }
  return out;
}

// By method.
std::vector<std::string> frames_of(const ReportModel::Methods& methods) {
  std::vector<std::string> frames;
  frames.reserve(methods.name.size());
  const DisplayNames names(methods);
  for (std::size_t m = 0; m < methods.name.size(); ++m) {
    frames.push_back(escaped(names.plain(static_cast<std::int32_t>(m))));
  }
  return frames;
}

// ":12", the line in the caller of that row; "" when unknown.
std::string text_of_line(const ReportModel& model, std::size_t row) {
  const std::int32_t site = model.nodes.site[row];
  const std::int32_t line = site < 0 ? -1 : model.sites.line[static_cast<std::size_t>(site)];
  return line < 0 ? "" : ':' + std::to_string(line);
}

void write_from_callees(const ReportModel& model, const CollapsedOptions& options, Output& out) {
  const ReportModel::Nodes& nodes = model.nodes;
  const std::vector<std::string> frames = frames_of(model.methods);
  const MeasureView view = shown_measure(model);
  for (std::size_t end = 1; end < nodes.parent.size(); ++end) {
    if (view.of(end) == 0) continue;
    out.put(frames[static_cast<std::size_t>(nodes.method[end])]);
    std::size_t row = end;
    for (std::uint64_t depth = 1; depth < options.depth && nodes.parent[row] != 0; ++depth) {
      const auto caller = static_cast<std::size_t>(nodes.parent[row]);
      out.put(';');
      out.put(frames[static_cast<std::size_t>(nodes.method[caller])]);
      if (options.lines) out.put(text_of_line(model, row));
      row = caller;
    }
    out.put(' ');
    out.put_number(view.of(end));
    out.put('\n');
  }
}

}  // namespace

void write_collapsed(const ReportModel& model, const CollapsedOptions& options, Output& out) {
  if (options.callers) return write_from_callees(model, options, out);
  const ReportModel::Nodes& nodes = model.nodes;
  const std::vector<std::string> frames = frames_of(model.methods);
  const MeasureView view = shown_measure(model);
  const std::uint64_t deepest = options.depth == 0 ? 1 : options.depth;

  std::string path;                       // frames down to the current row, at most `deepest`
  std::vector<std::size_t> length = {0};  // of the path, by depth
  std::uint64_t depth = 0;
  std::uint64_t value = 0;  // of the path, with that of deeper rows
  const auto put = [&] {
    if (value == 0) return;
    out.put(path);
    out.put(' ');
    out.put_number(value);
    out.put('\n');
  };
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    for (auto open = static_cast<std::int32_t>(row - 1); open != nodes.parent[row]; --depth) {
      open = nodes.parent[static_cast<std::size_t>(open)];
    }
    if (++depth > deepest) {
      value += view.of(row);
      continue;
    }
    put();
    value = view.of(row);
    length.resize(depth);
    path.resize(length.back());
    if (depth > 1) {
      if (options.lines) path += text_of_line(model, row);
      path += ';';
    }
    path += frames[static_cast<std::size_t>(nodes.method[row])];
    length.push_back(path.size());
  }
  put();
}

CollapsedPaths::CollapsedPaths(const ReportModel& model)
    : model_(model), frames_(frames_of(model.methods)) {}

std::string CollapsedPaths::of(std::size_t row) const {
  const ReportModel::Nodes& nodes = model_.nodes;
  std::vector<std::size_t> rows;
  for (; row != 0; row = static_cast<std::size_t>(nodes.parent[row])) rows.push_back(row);
  std::string path;
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (!path.empty()) {
      path += text_of_line(model_, rows[i]);
      path += ';';
    }
    path += frames_[static_cast<std::size_t>(nodes.method[rows[i]])];
  }
  return path;
}

}  // namespace copse::report
