#include "encoders/study/reports.h"

#include "base/version.h"
#include "report/exports/encoder_figures.h"

namespace copse::study {
namespace {

void put_stream(report::JsonText& json, const StreamFigures& stream) {
  json.begin("stream", '{')
      .field("name", stream.name)
      .field("calls", stream.calls)
      .field("operations", stream.operations)
      .field("contexts", stream.contexts)
      .field("methods", stream.methods)
      .field("edges", stream.edges)
      .field("threads", stream.threads)
      .field("most_live_threads", stream.most_live_threads)
      .field("max_depth", stream.max_depth)
      .field("mean_depth", stream.mean_depth)
      .field("marks", stream.marks)
      .end('}');
  json.begin("samples", '{')
      .field("tokens", stream.samples)
      .field("mean_depth", stream.mean_sample_depth)
      .field("call_period", stream.call_period)
      .field("mark_period", stream.mark_period)
      .field("random", stream.random_samples)
      .field("seed", stream.seed)
      .end('}');
  json.begin("graph", '{')
      .field("source", stream.given_graph ? "report" : "first pass")
      .field("withheld", stream.withheld)
      .field("entries_withheld", stream.entries_withheld)
      .field("max_codes", stream.max_codes)
      .end('}');
}

// A figure of each point, as a list.
template <typename Points, typename Get>
auto column_of(const Points& points, Get get) {
  std::vector<std::uint64_t> column;
  for (const auto& point : points) column.push_back(get(point));
  return column;
}

void put_stream_growth(report::JsonText& json, const StreamFigures& stream) {
  const auto& points = stream.growth;
  json.begin("growth", '{')
      .field("operations", column_of(points, [](const GrowthPoint& p) { return p.position; }))
      .field("calls", column_of(points, [](const GrowthPoint& p) { return p.calls; }))
      .field("contexts", column_of(points, [](const GrowthPoint& p) { return p.contexts; }))
      .end('}');
}

void put_precision(report::JsonText& json, const EncoderCheck& check) {
  json.begin("precision", '{')
      .field("share", precision_of(check))
      .field("holds", check.holds())
      .field("tokens", check.tokens)
      .field("decoded", check.decoded)
      .field("wrong", check.wrong)
      .field("undecodable", check.undecodable)
      .field("given_up", check.given_up)
      .field("contexts", check.contexts)
      .field("collisions", check.collisions)
      .field("expected_collisions", chance_collisions(check))
      .field("decoded_at_once_only", check.not_kept)
      .field("first_failure", check.failure ? std::optional(check.failure->what) : std::nullopt)
      .end('}');
}

void put_growth(report::JsonText& json, const EncoderCheck& check) {
  const auto bytes_of = [&](std::uint64_t encoders::MemoryUse::*bytes) {
    return column_of(check.growth, [&](const GrowthBytes& point) { return point.use.*bytes; });
  };
  json.begin("growth", '{')
      .field("live_bytes", bytes_of(&encoders::MemoryUse::live_bytes))
      .field("resident_bytes", bytes_of(&encoders::MemoryUse::resident_bytes))
      .field("decode_only_bytes", bytes_of(&encoders::MemoryUse::decode_only_bytes))
      .end('}');
}

std::string_view form_of(const encoders::EncoderInfo& info) {
  switch (info.form) {
    case encoders::Form::kOurs:
      return "ours";
    case encoders::Form::kPublished:
      return "published";
    case encoders::Form::kWeakened:
      return "weakened";
  }
  return "";
}

void put_scheme(report::JsonText& json, const ComparedScheme& scheme,
                const Comparison& comparison) {
  const EncoderCheck& check = scheme.check;
  const encoders::EncoderInfo& info = *check.info;
  const SchemeFigures figures = figures_of(scheme, comparison);
  json.begin("", '{')
      .field("name", info.name)
      .field("summary", info.summary)
      .field("claims_precision", info.claims_precision())
      .field("decodes", info.decodes)
      .field("needs_graph", info.needs_graph)
      .field("is_literal", info.form == encoders::Form::kPublished)
      .field("form", form_of(info))
      .field("stopped_at", check.stopped_at == 0 ? std::nullopt : std::optional(check.stopped_at));
  put_precision(json, check);
  json.begin("time", '{')
      .field("call_ns", figures.call_ns)
      .field("replay_ns", scheme.replay.median)
      .field("replay_ns_min", scheme.replay.least)
      .field("replay_ns_max", scheme.replay.most)
      .field("token_ns", check.token_ns)
      .field("decode_ns", check.decode_ns)
      .end('}');
  json.begin("bytes", '{')
      .field("token_mean", figures.mean_token_bytes)
      .field("token_max", check.longest_token)
      .field("live_per_thread", figures.live_bytes_per_thread)
      .field("live_peak", check.peak_live_bytes)
      .field("resident", figures.resident_bytes)
      .field("decode_only", figures.decode_only_bytes)
      .field("peak", check.peak_bytes)
      .field("per_context", figures.bytes_per_context)
      .end('}');
  report::put_figures(json, check.stack, check.tokens, check.facts);
  put_growth(json, check);
  json.end('}');
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  report::StringOutput out;
  report::JsonText json(out);
  json.begin("", '{')
      .field("schema", "copse.compare/2")
      .field("created_by", std::string("copse ") + kVersion);
  put_stream(json, comparison.stream);
  json.field("rounds", comparison.rounds)
      .field("bare_ns", comparison.bare.median)
      .field("bare_ns_min", comparison.bare.least)
      .field("bare_ns_max", comparison.bare.most);
  put_stream_growth(json, comparison.stream);
  json.begin("encoders", '[');
  for (const ComparedScheme& scheme : comparison.schemes) put_scheme(json, scheme, comparison);
  json.end(']');
  if (comparison.live) put_live(json, *comparison.live);
  json.end('}');
  (void)out.finish();  // memory takes all
  return out.text();
}

}  // namespace copse::study
