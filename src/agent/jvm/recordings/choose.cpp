#include "agent/jvm/recordings/choose.h"

#include <type_traits>
#include <variant>

#include "agent/jvm/recordings/id_probes.h"
#include "agent/jvm/recordings/id_word_probes.h"
#include "agent/jvm/recordings/ids.h"
#include "agent/jvm/recordings/packet_probes.h"
#include "agent/jvm/recordings/packets.h"
#include "agent/jvm/recordings/trace.h"
#include "agent/jvm/recordings/tree_probes.h"
#include "agent/jvm/recordings/trees.h"
#include "agent/jvm/recordings/validation.h"
#include "agent/jvm/recordings/value_probes.h"
#include "agent/jvm/recordings/values.h"

namespace copse::jvm {
namespace {

struct Way {
  const ProbeKind& probes;
  Result<std::unique_ptr<Recording>> (*make)(const Run& run);
};

Way way_of(const agent::TreeOptions& tree) {
  return tree.engine == agent::EngineKind::kInline ? Way{kTreeProbes, TreesRecording::make}
                                                   : Way{kPacketProbes, PacketsRecording::make};
}
Way way_of(const agent::IdOptions&) { return {kIdProbes, IdsRecording::make}; }
Way way_of(const agent::TraceOptions&) { return {kPacketProbes, TraceRecording::make}; }
Way way_of(const agent::ValidateOptions&) { return {kIdWordProbes, ValidationRecording::make}; }
Way way_of(const agent::ValueOptions&) { return {kValueProbes, ValuesRecording::make}; }

Result<std::unique_ptr<Recording>> make_none(const Run&) {
  return Status::error(Fault::kInternal, "mode: records nothing");
}
Way way_of(const agent::DumpCommand&) { return {kTreeProbes, make_none}; }
Way way_of(const agent::DetachCommand&) { return {kTreeProbes, make_none}; }

Way way_for(const agent::AgentOptions& options) {
  return std::visit([](const auto& mode) { return way_of(mode); }, options.mode);
}

}  // namespace

const ProbeKind& probes_for(const agent::AgentOptions& options) { return way_for(options).probes; }

Result<std::unique_ptr<Recording>> make_recording(const Run& run) {
  return way_for(run.options).make(run);
}

}  // namespace copse::jvm
