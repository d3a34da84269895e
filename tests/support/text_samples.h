// Samples of another profiler, from a text or bytes in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/wire/byte_source.h"
#include "import/samples_reader.h"

namespace copse::testing {

inline Result<join::SampledStacks> samples_of(
    std::string_view text, const join::JfrReading& jfr = {},
    join::FrameReading reading = join::FrameReading::kToCompare) {
  join::SampleBytes bytes(
      wire::bytes_in_memory("samples", std::vector<std::uint8_t>(text.begin(), text.end())));
  return join::read_samples(bytes, jfr, reading);
}

// Stacks of a value, outermost frame first, as "class.method:line;... amount". A cut stack begins
// with "...;".
inline std::vector<std::string> lines_of(const join::SampledStacks& stacks, std::size_t value) {
  std::vector<std::string> texts(stacks.nodes().size()), lines;
  texts[join::SampledStacks::kCut] = "...";
  for (std::uint32_t node = 0; node < texts.size(); ++node) {
    if (node >= join::SampledStacks::kRoots) {
      const join::SampledStacks::Node& at = stacks.nodes()[node];
      const join::Frame& frame = stacks.frames()[at.frame];
      texts[node] = texts[at.parent] + (texts[at.parent].empty() ? "" : ";") + frame.class_name +
                    "." + frame.method + frame.descriptor;
      if (frame.line >= 0) texts[node] += ":" + std::to_string(frame.line);
      if (frame.bci >= 0) texts[node] += "@" + std::to_string(frame.bci);
    }
    if (stacks.amount(node, value) == 0) continue;
    lines.push_back(texts[node] + " " + std::to_string(stacks.amount(node, value)));
  }
  return lines;
}

}  // namespace copse::testing
