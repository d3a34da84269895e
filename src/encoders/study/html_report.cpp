#include "encoders/study/html_report.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "encoders/study/live_report.h"
#include "encoders/study/text_report.h"
#include "encoders/study/text_table.h"

namespace copse::study {
namespace {

// A bar is the background of its figure's cell, as wide as its share of the column's largest.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Copse comparison</title>
<style>
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --panel: #f4f4f1;
  --precise: #93ccb0; --loose: #e2c588; --literal: #e3a496; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #1b1b1a; --panel: #262624;
  --precise: #2b6a4e; --loose: #77591f; --literal: #87402f; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1180px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
p { white-space: pre-line; }
pre { overflow-x: auto; background: var(--panel); padding: 1em; font-size: 12px; }
table { font-size: 13px; }
th { text-align: left; vertical-align: bottom; padding-right: 1em; }
tr[class] th { white-space: nowrap; }
td { min-width: 8em; padding: 1px 6px;
  background: linear-gradient(to right, var(--bar) calc(var(--share) * 100%), var(--panel) 0); }
td.growth { background: var(--panel); white-space: nowrap; line-height: 0; }
i { display: inline-block; width: 3px; height: calc(var(--share) * 24px); background: var(--bar); }
.precise { --bar: var(--precise); } .loose { --bar: var(--loose); }
.literal { --bar: var(--literal); }
span { padding: 1px 6px; margin-right: 1em; background: var(--bar); }
</style></head><body>
)";

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else {
      html += c;
    }
  }
  return html;
}

// How far up a scale that ends at `most` a value stands. A logarithmic one begins at 1.
std::string share_of(double value, double most, bool logarithmic) {
  if (logarithmic) {
    value = std::log(std::max(value, 1.0));
    most = std::log(std::max(most, 1.0));
  }
  return "style=\"--share:" + fixed(most > 0 ? std::max(value, 0.0) / most : 0, 3) + "\"";
}

struct Row {
  std::string name, style;
  std::string last_cells;
};

struct Column {
  std::string title;
  std::string (*label)(double);
  bool logarithmic;            // for values over several orders of magnitude
  std::vector<double> values;  // one per row
};

std::string table_of(const std::vector<Row>& rows, const std::vector<Column>& columns,
                     const std::string& last_titles) {
  std::string table = "<table>\n<tr><th>encoder</th>";
  for (const Column& column : columns) {
    table += "<th>" + column.title + (column.logarithmic ? " (logarithmic)" : "") + "</th>";
  }
  table += last_titles + "</tr>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table += "<tr class=\"" + rows[i].style + "\"><th>" + escaped(rows[i].name) + "</th>";
    for (const Column& column : columns) {
      const double most = *std::max_element(column.values.begin(), column.values.end());
      table += "<td " + share_of(column.values[i], most, column.logarithmic) + '>' +
               column.label(column.values[i]) + "</td>";
    }
    table += rows[i].last_cells + "</tr>\n";
  }
  return table + "</table>\n";
}

std::string nanoseconds(double value) { return fixed(value, 1) + " ns"; }
std::string decode_nanoseconds(double value) { return value > 0 ? nanoseconds(value) : "-"; }

std::string style_of(const encoders::EncoderInfo& info) {
  if (info.is_literal) return "literal";
  return info.claims_precision ? "precise" : "loose";
}

std::string growth_cell(const EncoderCheck& check, double most) {
  std::string cell = "<td class=\"growth\">";
  for (const GrowthBytes& point : check.growth) {
    const auto bytes = static_cast<double>(point.use.total() - point.use.replay_bytes);
    cell += "<i " + share_of(bytes, most, true) + "></i>";
  }
  return cell + "</td>";
}

std::string trace_section(const Comparison& comparison) {
  std::vector<Row> rows;
  std::vector<Column> columns = {{"decoded rightly; of hashes, told apart", percent, false, {}},
                                 {"per call, bare replay subtracted", nanoseconds, false, {}},
                                 {"to decode a token", decode_nanoseconds, true, {}},
                                 {"mean bytes of a token", bytes_text, true, {}},
                                 {"most bytes held", bytes_text, true, {}},
                                 {"shared bytes per context", bytes_text, true, {}}};
  double most = 1;
  for (const ComparedScheme& scheme : comparison.schemes) {
    most = std::max(most, static_cast<double>(scheme.check.peak_bytes));
  }
  for (const ComparedScheme& scheme : comparison.schemes) {
    const SchemeFigures figures = figures_of(scheme, comparison);
    const EncoderCheck& check = scheme.check;
    const double values[] = {figures.precision,
                             figures.call_ns,
                             check.decode_ns,
                             figures.mean_token_bytes,
                             static_cast<double>(check.peak_bytes),
                             figures.bytes_per_context};
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].values.push_back(values[i]);
    rows.push_back(
        {std::string(check.info->name), style_of(*check.info), growth_cell(check, most)});
  }
  return "<p>" + escaped(stream_text(comparison.stream)) +
         "</p>\n<p><span class=\"precise\">claims precision</span><span class=\"loose\">claims "
         "none</span><span class=\"literal\">as published</span></p>\n" +
         table_of(rows, columns, "<th>bytes held as calls go on (logarithmic, one scale)</th>");
}

std::string live_section(const LiveComparison& live) {
  std::vector<Row> rows;
  std::vector<Column> columns = {{"slowdown, by the bare command", ratio_text, false, {}},
                                 {"peak memory, by the bare command's", ratio_text, false, {}}};
  for (const LiveScheme& scheme : live.schemes) {
    const auto ratios = ratios_of(scheme, live);
    if (!ratios) continue;
    rows.push_back({scheme.name, "precise", ""});
    columns[0].values.push_back(ratios->slowdown);
    columns[1].values.push_back(ratios->memory);
  }
  return "<h2>The whole program, with each encoder alone</h2>\n<p>" + escaped(live.command) +
         "</p>\n" + table_of(rows, columns, "");
}

std::string page(const std::string& title, const std::string& sections, const std::string& text) {
  return kHead + ("<h1>" + title + "</h1>\n") + sections + "<h2>Figures</h2>\n<pre>" +
         escaped(text) + "</pre>\n</body></html>\n";
}

}  // namespace

std::string comparison_html(const Comparison& comparison) {
  return page("Context representations on one stream of calls",
              trace_section(comparison) + (comparison.live ? live_section(*comparison.live) : ""),
              comparison_text(comparison));
}

std::string live_html(const LiveComparison& live) {
  return page("What context ids cost a running program", live_section(live), live_text(live));
}

}  // namespace copse::study
