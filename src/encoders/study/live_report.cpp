#include "encoders/study/reports.h"

#include "base/grouped.h"
#include "base/version.h"
#include "encoders/study/figures_text.h"
#include "report/exports/encoder_figures.h"

namespace copse::study {
namespace {

std::string seconds(double value) { return fixed(value, 2) + " s"; }
std::string ratio_text(double ratio) { return fixed(ratio, 2) + "x"; }

template <typename T>
std::vector<T> column_of(const std::vector<LiveRun>& runs, T LiveRun::*figure) {
  std::vector<T> column;
  for (const LiveRun& run : runs) column.push_back(run.*figure);
  return column;
}

void put_runs(report::JsonText& json, const std::vector<LiveRun>& runs) {
  const LiveFigures figures = figures_of(runs);
  json.field("wall_s", figures.wall_seconds).field("peak_bytes", figures.peak_bytes);
  json.field("walls_s", column_of(runs, &LiveRun::wall_seconds))
      .field("peaks_bytes", column_of(runs, &LiveRun::peak_bytes))
      .field("exit_statuses", column_of(runs, &LiveRun::exit_status));
}

void put_scheme(report::JsonText& json, const LiveScheme& scheme, const LiveComparison& live) {
  json.begin("", '{').field("name", scheme.name);
  if (!scheme.left_out.empty()) json.field("left_out", scheme.left_out);
  if (!scheme.failure.empty()) json.field("failure", scheme.failure);
  if (const auto ratios = ratios_of(scheme, live)) {
    json.field("slowdown", ratios->slowdown)
        .field("slowdown_min", ratios->least)
        .field("slowdown_max", ratios->most)
        .field("memory", ratios->memory);
    put_runs(json, scheme.runs);
    json.begin("jvms", '[');
    for (const EncoderFigures& jvm : scheme.jvms) {
      json.begin("", '{');
      report::put_figures(json, jvm);
      json.end('}');
    }
    json.end(']');
  }
  json.end('}');
}

}  // namespace

std::string slowdown_text(const LiveComparison& live, std::string_view encoder) {
  for (const LiveScheme& scheme : live.schemes) {
    if (scheme.name != encoder) continue;
    const auto ratios = ratios_of(scheme, live);
    return ratios ? ratio_text(ratios->slowdown) : "-";
  }
  return "-";
}

std::string live_text(const LiveComparison& live, bool details) {
  std::string text = "Live: " + live.command + '\n' +
                     "Whole processes, alone, in turn; medians of " +
                     counted(live.rounds, "round") + " after a bare run that does not count\n\n";
  TextTable table({"encoder", "wall", "slowdown", "least", "most", "peak memory", "of bare"});
  const LiveFigures bare = figures_of(live.bare);
  table.add({"bare", seconds(bare.wall_seconds), "", "", "",
             bytes_text(static_cast<double>(bare.peak_bytes)), ""});
  std::string notes;
  for (const LiveScheme& scheme : live.schemes) {
    const auto ratios = ratios_of(scheme, live);
    if (!ratios) {
      notes += scheme.name +
               (scheme.failure.empty() ? ": left out: " + scheme.left_out
                                       : ": FAILED: " + scheme.failure) +
               '\n';
      continue;
    }
    const LiveFigures figures = figures_of(scheme.runs);
    table.add({scheme.name, seconds(figures.wall_seconds), ratio_text(ratios->slowdown),
               ratio_text(ratios->least), ratio_text(ratios->most),
               bytes_text(static_cast<double>(figures.peak_bytes)), ratio_text(ratios->memory)});
  }
  text += table.text();
  if (!notes.empty()) text += '\n' + notes;
  if (!details) return text;
  text += "\nFigures of the papers, by JVM of the last round\n";
  for (const LiveScheme& scheme : live.schemes) {
    for (const EncoderFigures& jvm : scheme.jvms) text += figures_text(jvm);
  }
  return text;
}

void put_live(report::JsonText& json, const LiveComparison& live) {
  json.begin("live", '{').field("command", live.command).field("rounds", live.rounds);
  json.begin("bare", '{');
  put_runs(json, live.bare);
  json.end('}');
  json.begin("encoders", '[');
  for (const LiveScheme& scheme : live.schemes) put_scheme(json, scheme, live);
  json.end(']').end('}');
}

std::string live_json(const LiveComparison& live) {
  report::StringOutput out;
  report::JsonText json(out);
  json.begin("", '{')
      .field("schema", "copse.compare/2")
      .field("created_by", std::string("copse ") + kVersion);
  put_live(json, live);
  json.end('}');
  (void)out.finish();  // memory takes all
  return out.text();
}

}  // namespace copse::study
