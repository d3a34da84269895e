// Compares all representations on one stream: precision, time, memory, and growth of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/study/encoder_check.h"
#include "encoders/study/live_comparison.h"
#include "encoders/study/scheme_config.h"

namespace copse::study {

// Nanoseconds per call of a replay, over the rounds.
struct ReplayNs {
  double median = 0;
  double least = 0;
  double most = 0;
};

struct ComparedScheme {
  EncoderCheck check;
  ReplayNs replay;  // bare replay included
};

// Properties of a stream that its tables depend on; everything except the tree and the samples.
struct StreamFigures {
  std::string name;  // of the trace
  std::uint64_t calls = 0;
  std::uint64_t operations = 0;
  std::uint64_t contexts = 0;
  std::uint64_t edges = 0;
  std::uint64_t methods = 0;
  std::uint64_t threads = 0;
  std::uint64_t most_live_threads = 0;
  std::uint64_t max_depth = 0;
  double mean_depth = 0;
  double mean_sample_depth = 0;  // frames on the stack where tokens were taken
  std::uint64_t samples = 0;
  std::uint64_t call_period = 1;
  std::uint64_t marks = 0;
  std::uint64_t mark_period = 1;
  std::uint64_t random_samples = 0;  // asked for
  std::uint64_t seed = 1;
  std::uint64_t truth_mismatches = 0;
  std::vector<GrowthPoint> growth;
  double withheld = 0;
  bool entries_withheld = false;
  bool given_graph = false;
  std::uint64_t max_codes = 0;
};

StreamFigures figures_of(const Survey& survey, std::string name, const SampleOptions& samples,
                         const ConfigOptions& config);

struct Comparison {
  StreamFigures stream;
  std::uint64_t rounds = 0;
  ReplayNs bare;
  std::vector<ComparedScheme> schemes;
  std::optional<LiveComparison> live;  // of a command run in addition
};

// Figures of a scheme's row, computed from the measurements.
struct SchemeFigures {
  double call_ns = 0;  // replay without the bare part, both medians; below 0 is noise
  // Share of tokens decoded right; of a hash: of contexts told apart. std::nullopt without tokens.
  std::optional<double> precision;
  double mean_token_bytes = 0;
  double live_bytes_per_thread = 0;  // at the maximum of live bytes
  std::uint64_t resident_bytes = 0;  // at the end
  std::uint64_t decode_only_bytes = 0;
  double bytes_per_context = 0;  // resident and decode-only bytes, divided by the contexts so far
};
SchemeFigures figures_of(const ComparedScheme& scheme, const Comparison& comparison);
std::optional<double> precision_of(const EncoderCheck& check);
// Returns the collisions that chance lets a hash's contexts have; std::nullopt for a scheme that decodes.
std::optional<double> chance_collisions(const EncoderCheck& check);

struct CompareOptions {
  std::uint64_t rounds = 3;
  CheckOptions check;
};

// Runs the checks and the timing rounds of all `names`, one encoder at a time.
Result<Comparison> compare_schemes(OpStream& stream, const Survey& survey, StreamFigures figures,
                                   const std::vector<std::string>& names,
                                   const SchemeConfig& config, const CompareOptions& options);

}  // namespace copse::study
