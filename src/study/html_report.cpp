#include "study/html_report.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "study/live_report.h"
#include "study/svg_charts.h"
#include "study/text_report.h"
#include "study/text_table.h"

namespace copse::study {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Copse comparison</title>
<style>
:root { color-scheme: light dark; --ink: #222; --soft: #777; --paper: #fff; --panel: #f4f4f1;
  --precise: #2f7d5b; --loose: #b98a2f; --literal: #b5533c; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --soft: #999; --paper: #1b1b1a;
  --panel: #262624; --precise: #55b88a; --loose: #d8ab55; --literal: #dd7a62; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1180px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
p { white-space: pre-line; }
pre { overflow-x: auto; background: var(--panel); padding: 1em; font-size: 12px; }
section { display: flex; flex-wrap: wrap; gap: 24px; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); }
.title { font-weight: 600; } .name { text-anchor: end; } .label { fill: var(--soft); }
.tick { font-size: 9px; fill: var(--soft); }
.panel { fill: var(--panel); } .grid { stroke: var(--soft); stroke-width: .3; }
rect.precise { fill: var(--precise); } rect.loose { fill: var(--loose); }
rect.literal { fill: var(--literal); } rect.live { fill: var(--precise); }
polyline { fill: none; stroke-width: 1.8; } polyline.tree { stroke: var(--soft); stroke-width: 1; }
polyline.precise { stroke: var(--precise); } polyline.loose { stroke: var(--loose); }
polyline.literal { stroke: var(--literal); }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
</style></head><body>
)";
constexpr const char* kKey =
    "<div><span class=\"key\" style=\"background:var(--precise)\"></span>claims precision"
    "<span class=\"key\" style=\"background:var(--loose)\"></span>claims none"
    "<span class=\"key\" style=\"background:var(--literal)\"></span>as published</div>\n";

std::string style_of(const EncoderCheck& check) {
  if (check.info->is_literal) return "literal";
  return check.info->claims_precision ? "precise" : "loose";
}

std::string live_section(const LiveComparison& live) {
  return "<h2>The whole program, with each encoder alone</h2>\n<p>" + escaped_html(live.command) +
         "</p>\n<section>\n" +
         bar_chart("slowdown, by the bare command", live_bars(live, &LiveRatios::slowdown), false) +
         bar_chart("peak memory, by the bare command's", live_bars(live, &LiveRatios::memory),
                   false) +
         "</section>\n";
}

class Page {
 public:
  explicit Page(const Comparison& comparison) : comparison_(comparison) {}
  std::string text() const;

 private:
  using Value = std::function<double(const ComparedScheme&, const SchemeFigures&)>;
  using Label = std::string (*)(double);
  std::string bars(const std::string& title, bool logarithmic, const Value& value,
                   Label label) const;
  std::string growth() const;
  Line growth_line(const EncoderCheck& check, const std::string& style) const;

  const Comparison& comparison_;
};

std::string nanoseconds(double value) { return fixed(value, 1) + " ns"; }
std::string decode_nanoseconds(double value) { return value > 0 ? nanoseconds(value) : "-"; }

std::string Page::bars(const std::string& title, bool logarithmic, const Value& value,
                       Label label) const {
  std::vector<Bar> bars;
  for (const ComparedScheme& scheme : comparison_.schemes) {
    const double height = value(scheme, figures_of(scheme, comparison_));
    bars.push_back(
        {std::string(scheme.check.info->name), height, label(height), style_of(scheme.check)});
  }
  return bar_chart(title, bars, logarithmic);
}

Line Page::growth_line(const EncoderCheck& check, const std::string& style) const {
  Line line{style, {}, {}};
  for (std::size_t i = 0; i < check.growth.size(); ++i) {
    const encoders::MemoryUse& use = check.growth[i].use;
    line.x.push_back(static_cast<double>(comparison_.stream.growth[i].calls));
    line.y.push_back(static_cast<double>(use.total() - use.replay_bytes));
  }
  return line;
}

std::string Page::growth() const {
  const EncoderCheck* tree = nullptr;
  double most = 1;
  for (const ComparedScheme& scheme : comparison_.schemes) {
    if (scheme.check.info->name == "cct") tree = &scheme.check;
    most = std::max(most, static_cast<double>(scheme.check.peak_bytes));
  }
  std::string panels;
  const auto calls = static_cast<double>(comparison_.stream.calls);
  for (const ComparedScheme& scheme : comparison_.schemes) {
    std::vector<Line> lines;
    if (tree != nullptr) lines.push_back(growth_line(*tree, "tree"));
    lines.push_back(growth_line(scheme.check, style_of(scheme.check)));
    panels += line_panel(std::string(scheme.check.info->name), lines, calls, most);
  }
  return panels;
}

std::string Page::text() const {
  const auto scheme_value = [](auto get) -> Value {
    return [get](const ComparedScheme& scheme, const SchemeFigures&) { return get(scheme.check); };
  };
  const auto figure = [](auto member) -> Value {
    return [member](const ComparedScheme&, const SchemeFigures& figures) {
      return static_cast<double>(figures.*member);
    };
  };
  std::string page = kHead;
  page += "<h1>Context representations on one stream of calls</h1>\n<p>" +
          escaped_html(stream_text(comparison_.stream)) + "</p>\n" + kKey;
  page += "<h2>Precision and cost</h2>\n<section>\n";
  page += bars("tokens decoded rightly; of hashes, contexts told apart", false,
               figure(&SchemeFigures::precision), percent);
  page += bars("nanoseconds per call, bare replay subtracted", false,
               figure(&SchemeFigures::call_ns), nanoseconds);
  page += "</section>\n<h2>Tokens</h2>\n<section>\n";
  page += bars("mean bytes of a token", true, figure(&SchemeFigures::mean_token_bytes), bytes_text);
  page += bars("nanoseconds to decode one", true,
               scheme_value([](const EncoderCheck& check) { return check.decode_ns; }),
               decode_nanoseconds);
  page += "</section>\n<h2>Memory</h2>\n<section>\n";
  page += bars("largest number of bytes held", true, scheme_value([](const EncoderCheck& check) {
                 return static_cast<double>(check.peak_bytes);
               }),
               bytes_text);
  page += bars("shared bytes per distinct context", true, figure(&SchemeFigures::bytes_per_context),
               bytes_text);
  page += "</section>\n<h2>Growth of bytes held with calls</h2>\n";
  page += "<p>Logarithmic, one scale for all; the thin line is the context tree.</p>\n<section>\n";
  page += growth() + "</section>\n";
  if (comparison_.live) page += live_section(*comparison_.live);
  page += "<h2>Figures</h2>\n<pre>";
  page += escaped_html(comparison_text(comparison_)) + "</pre>\n</body></html>\n";
  return page;
}

}  // namespace

std::string comparison_html(const Comparison& comparison) { return Page(comparison).text(); }

std::string live_html(const LiveComparison& live) {
  return std::string(kHead) + "<h1>What context ids cost a running program</h1>\n" +
         live_section(live) + "<h2>Figures</h2>\n<pre>" + escaped_html(live_text(live)) +
         "</pre>\n</body></html>\n";
}

}  // namespace copse::study
