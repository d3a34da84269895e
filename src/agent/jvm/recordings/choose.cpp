#include "agent/jvm/recordings/choose.h"

#include <algorithm>
#include <array>

#include "agent/jvm/recordings/ids.h"
#include "agent/jvm/recordings/packets.h"
#include "agent/jvm/recordings/trace.h"
#include "agent/jvm/recordings/trees.h"
#include "agent/jvm/recordings/validation.h"
#include "agent/jvm/recordings/values.h"

namespace copse::jvm {
namespace {

struct Way {
  bool (*is_asked_for)(const agent::AgentOptions& options);
  ProbeKind probes;
  Result<std::unique_ptr<Recording>> (*make)(const Run& run);
};

// The first that is asked for.
constexpr std::array kWays = {
    Way{agent::records_values, ProbeKind::kValues, ValuesRecording::make},
    Way{[](const agent::AgentOptions& options) { return options.check_every != 0; },
        ProbeKind::kIdWords, ValidationRecording::make},
    Way{[](const agent::AgentOptions& options) { return !options.encoder.empty(); },
        ProbeKind::kIds, IdsRecording::make},
    Way{[](const agent::AgentOptions& options) { return !options.record.empty(); },
        ProbeKind::kRecords, TraceRecording::make},
    Way{[](const agent::AgentOptions& options) {
          return agent::engine_of(options) == agent::EngineKind::kInline;
        },
        ProbeKind::kTrees, TreesRecording::make},
    Way{[](const agent::AgentOptions&) { return true; }, ProbeKind::kRecords,
        PacketsRecording::make},
};

const Way& way_for(const agent::AgentOptions& options) {
  return *std::ranges::find_if(kWays, [&](const Way& way) { return way.is_asked_for(options); });
}

}  // namespace

ProbeKind probes_for(const agent::AgentOptions& options) { return way_for(options).probes; }

Result<std::unique_ptr<Recording>> make_recording(const Run& run) {
  return way_for(run.options).make(run);
}

}  // namespace copse::jvm
