#include "report/report_format.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "report/exports/html_writer.h"
#include "report/exports/json_writer.h"
#include "report/exports/tool_formats.h"
#include "report/model/hottest.h"
#include "report/text/text_formats.h"

namespace copse::report {
namespace {

struct Known {
  ReportFormat format;
  const char* name;
  std::array<const char*, 2> endings;
};
constexpr std::array kFormats = {
    Known{ReportFormat::kSummary, "summary", {".txt", ""}},
    Known{ReportFormat::kTree, "tree", {".tree", ""}},
    Known{ReportFormat::kCollapsed, "collapsed", {".collapsed", ".folded"}},
    Known{ReportFormat::kHtml, "html", {".html", ".htm"}},
    Known{ReportFormat::kJson, "json", {".json", ""}},
    Known{ReportFormat::kPprof, "pprof", {".pb.gz", ".pprof"}},
    Known{ReportFormat::kSpeedscope, "speedscope", {".speedscope.json", ""}},
    Known{ReportFormat::kCallgrind, "callgrind", {".callgrind", ""}},
    Known{ReportFormat::kOtlp, "otlp", {".otlp", ""}},
    Known{ReportFormat::kRows, "rows", {".csv", ""}},
    Known{ReportFormat::kSqlite, "sqlite", {".sqlite", ".db"}},
};
constexpr std::string_view kCallgrindBeginning = "callgrind.out";

Status no_effect(const char* option, ReportFormat format, const char* where) {
  return Status::error(Fault::kUsage, std::string(option) + ": has no effect on the format " +
                                          name_of(format) + ", only on " + where);
}

Status write_all(const ReportModel& model, ReportFormat format, const FormatOptions& options,
                 Output& out) {
  std::optional<StableIdColumn> ids;
  if (options.ids) ids = options.ids(model);
  switch (format) {
    case ReportFormat::kSummary: {
      SummaryOptions summary;
      summary.top = options.top.value_or(summary.top);
      summary.width = options.width.value_or(summary.width);
      summary.callers = options.callers;
      summary.left_out = options.left_out;
      summary.calls_too = options.calls_too;
      write_summary(model, summary, out);
      return {};
    }
    case ReportFormat::kTree: {
      TreeOptions tree;
      tree.min_percent = options.min_percent.value_or(tree.min_percent);
      tree.depth = options.depth.value_or(tree.depth);
      tree.width = options.width.value_or(tree.width);
      tree.left_out = options.left_out;
      tree.ids = ids ? &*ids : nullptr;
      options.callers ? write_callers_tree(model, tree, out) : write_tree(model, tree, out);
      return {};
    }
    case ReportFormat::kCollapsed: {
      CollapsedOptions collapsed;
      collapsed.depth = options.depth.value_or(collapsed.depth);
      collapsed.callers = options.callers;
      collapsed.lines = options.lines;
      write_collapsed(model, collapsed, out);
      return {};
    }
    case ReportFormat::kHtml:
      return write_html(model, viewer_page(), out);
    case ReportFormat::kJson:
      write_json(model, out, JsonEmbedding::kFile, ids ? &*ids : nullptr);
      return {};
    case ReportFormat::kPprof: {
      PprofOptions pprof;
      pprof.depth = options.depth.value_or(pprof.depth);
      return write_pprof(model, pprof, out);
    }
    case ReportFormat::kSpeedscope:
      write_speedscope(model, out);
      return {};
    case ReportFormat::kCallgrind:
      write_callgrind(model, out);
      return {};
    case ReportFormat::kOtlp: {
      OtlpOptions otlp;
      otlp.depth = options.depth.value_or(otlp.depth);
      return write_otlp(model, otlp, out);
    }
    case ReportFormat::kRows:
      write_rows(model, {options.paths}, out);
      return {};
    case ReportFormat::kSqlite:
      return Status::error(Fault::kUsage, "a database is no text; it needs a file of its own");
  }
  return {};
}

}  // namespace

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Known& known : kFormats) all.emplace_back(known.name);
    return all;
  }();
  return names;
}

std::optional<ReportFormat> format_by_name(const std::string& name) {
  for (const Known& known : kFormats) {
    if (name == known.name) return known.format;
  }
  return std::nullopt;
}

std::optional<ReportFormat> format_by_ending(const std::string& path) {
  std::optional<ReportFormat> format;
  std::size_t longest = 0;
  for (const Known& known : kFormats) {
    for (const std::string_view ending : known.endings) {
      if (ending.size() <= longest || !path.ends_with(ending)) continue;
      longest = ending.size();
      format = known.format;
    }
  }
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (!format && name.starts_with(kCallgrindBeginning)) return ReportFormat::kCallgrind;
  return format;
}

std::string_view ending_of(std::string_view path) noexcept {
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view ending = name.substr(dot);
  const bool has_letter = std::ranges::any_of(
      ending, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  return has_letter && ending.find('%') == std::string_view::npos ? ending : std::string_view();
}

Status unknown_ending(const std::string& path, const std::string& endings) {
  return Status::error(Fault::kUsage, path + ": no format has the ending " +
                                          std::string(ending_of(path)) + "; end it in " + endings);
}

std::string endings_in_words(bool all) {
  std::string text;
  for (const Known& known : kFormats) {
    if (known.format == ReportFormat::kSqlite && !all) continue;
    const bool is_last = known.format == (all ? ReportFormat::kSqlite : ReportFormat::kRows);
    text += (text.empty() ? "" : is_last ? " or " : ", ") + std::string(known.endings[0]);
  }
  return text;
}

std::string name_of(ReportFormat format) {
  for (const Known& known : kFormats) {
    if (known.format == format) return known.name;
  }
  return {};
}

Status check_options(ReportFormat format, const FormatOptions& options) {
  const bool tree = format == ReportFormat::kTree;
  if (options.top && format != ReportFormat::kSummary) return no_effect("--top", format, "summary");
  if (options.min_percent && !tree) return no_effect("--min-percent", format, "tree");
  if (options.depth && !tree && format != ReportFormat::kCollapsed &&
      format != ReportFormat::kPprof && format != ReportFormat::kOtlp) {
    return no_effect("--depth", format, "tree, collapsed, pprof and otlp");
  }
  if (options.lines && format != ReportFormat::kCollapsed) {
    return no_effect("--lines", format, "collapsed");
  }
  if (options.paths && format != ReportFormat::kRows) {
    return no_effect("--paths", format, "rows");
  }
  const bool leaves_out = tree || format == ReportFormat::kSummary;
  if (!leaves_out && (options.left_out.nothing || !options.left_out.idle.empty())) {
    return no_effect(options.left_out.nothing ? "--all" : "--idle", format, "summary and tree");
  }
  if (options.ids && !tree && format != ReportFormat::kJson) {
    return no_effect("--ids", format, "tree and json");
  }
  if (options.ids && tree && options.callers) {
    return Status::error(
        Fault::kUsage,
        "--ids: not with --callers in a tree, which has callers below callees and no contexts; "
        "--format json has both");
  }
  return {};
}

std::uint64_t most_contexts(ReportFormat format, std::optional<std::uint64_t> asked) noexcept {
  const bool is_page = format == ReportFormat::kHtml;
  return asked.value_or(is_page ? kMostContextsOfPage : std::numeric_limits<std::uint64_t>::max());
}

Status write_report(const ReportModel& model, ReportFormat format, const FormatOptions& options,
                    Output& out) {
  const std::uint64_t most = most_contexts(format, options.max_contexts);
  return model.totals.contexts <= most ? write_all(model, format, options, out)
                                       : write_all(hottest(model, most), format, options, out);
}

}  // namespace copse::report
