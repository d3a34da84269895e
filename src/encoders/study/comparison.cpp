#include "encoders/study/comparison.h"

#include <algorithm>
#include <utility>

#include "encoders/study/replay_timer.h"

namespace copse::study {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Distinct contexts of the stream at the place where a scheme was last measured.
std::uint64_t contexts_at(const StreamFigures& stream, std::uint64_t position) {
  std::uint64_t contexts = 0;
  for (const GrowthPoint& point : stream.growth) {
    if (point.position <= position) contexts = point.contexts;
  }
  return contexts;
}

// REQUIRES: at least one round.
ReplayNs over_rounds(const std::vector<double>& ns) {
  const auto [least, most] = std::ranges::minmax(ns);
  return {median(ns), least, most};
}

std::uint64_t operations_of(const EncoderCheck& check) {
  return check.stopped_at == 0 ? OpStream::kNoLimit : check.stopped_at;
}

}  // namespace

StreamFigures figures_of(const Survey& survey, std::string name, const SampleOptions& samples,
                         const ConfigOptions& config) {
  StreamFigures figures;
  figures.name = std::move(name);
  figures.calls = survey.calls;
  figures.operations = survey.operations;
  figures.contexts = survey.contexts();
  figures.edges = survey.graph.edges().size();
  figures.methods = survey.methods;
  figures.threads = survey.threads;
  figures.most_live_threads = survey.most_live_threads;
  figures.max_depth = survey.max_depth;
  figures.mean_depth = survey.mean_depth;
  figures.samples = survey.samples.size();
  std::uint64_t depths = 0;
  for (const Sample& sample : survey.samples) {
    for (std::uint32_t node = sample.node; node != 0; node = survey.tree[node].parent) ++depths;
  }
  figures.mean_sample_depth = ratio(depths, figures.samples);
  figures.call_period = survey.call_period;
  figures.marks = survey.marks;
  figures.mark_period = survey.mark_period;
  figures.random_samples = samples.random_count;
  figures.seed = samples.seed;
  figures.truth_mismatches = survey.truth_mismatches;
  figures.growth = survey.growth;
  figures.withheld = config.withhold;
  figures.entries_withheld = config.withhold > 0 && config.withhold_entries;
  figures.given_graph = config.graph.has_value();
  figures.max_codes = config.max_codes;
  return figures;
}

std::optional<double> precision_of(const EncoderCheck& check) {
  if (check.tokens == 0) return std::nullopt;
  if (check.info->decodes) return ratio(check.decoded, check.tokens);
  return ratio(check.contexts - check.collisions, check.contexts);
}

std::optional<double> chance_collisions(const EncoderCheck& check) {
  if (check.info->decodes) return std::nullopt;
  return encoders::expected_collisions(static_cast<double>(check.contexts),
                                       static_cast<int>(8 * check.longest_token));
}

SchemeFigures figures_of(const ComparedScheme& scheme, const Comparison& comparison) {
  const EncoderCheck& check = scheme.check;
  SchemeFigures figures;
  figures.call_ns = scheme.replay.median - comparison.bare.median;
  figures.precision = precision_of(check);
  figures.mean_token_bytes = ratio(check.token_bytes, check.tokens);
  figures.live_bytes_per_thread = ratio(check.peak_live_bytes, check.threads_at_peak);
  if (check.growth.empty()) return figures;
  const GrowthBytes& last = check.growth.back();
  figures.resident_bytes = last.use.resident_bytes;
  figures.decode_only_bytes = last.use.decode_only_bytes;
  figures.bytes_per_context = ratio(last.use.resident_bytes + last.use.decode_only_bytes,
                                    contexts_at(comparison.stream, last.position));
  return figures;
}

Result<Comparison> compare_schemes(OpStream& stream, const Survey& survey, StreamFigures figures,
                                   const std::vector<std::string>& names,
                                   const SchemeConfig& config, const CompareOptions& options) {
  Comparison comparison;
  comparison.stream = std::move(figures);
  comparison.rounds = options.rounds;
  const encoders::EncoderConfig given = config.config(survey.graph);
  for (const std::string& name : names) {
    const encoders::EncoderInfo* info = encoders::find_encoder(name);
    if (info == nullptr)
      return Status::error(Fault::kNotFound, "encoder " + name + ": no such encoder");
    Result<EncoderCheck> check = check_encoder(stream, survey, *info, given, options.check);
    if (!check.ok()) return check.status();
    comparison.schemes.push_back({std::move(*check), {}});
  }
  // The rounds go over all schemes in turn, so that a slow stretch of the machine hits all alike.
  std::vector<double> bare;
  std::vector<std::vector<double>> replays(names.size());
  for (std::uint64_t round = 0; round < options.rounds; ++round) {
    const Result<double> bare_ns = bare_ns_per_call(stream, OpStream::kNoLimit);
    if (!bare_ns.ok()) return bare_ns.status();
    bare.push_back(*bare_ns);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Result<double> ns =
          replay_ns_per_call(stream, names[i], given, operations_of(comparison.schemes[i].check));
      if (!ns.ok()) return ns.status();
      replays[i].push_back(*ns);
    }
  }
  if (options.rounds == 0) return comparison;
  comparison.bare = over_rounds(bare);
  for (std::size_t i = 0; i < names.size(); ++i) {
    comparison.schemes[i].replay = over_rounds(replays[i]);
  }
  return comparison;
}

}  // namespace copse::study
