#include "agent/jvm/recordings/choose.h"

#include <type_traits>
#include <variant>

#include "agent/jvm/recordings/ids.h"
#include "agent/jvm/recordings/packets.h"
#include "agent/jvm/recordings/trace.h"
#include "agent/jvm/recordings/trees.h"
#include "agent/jvm/recordings/validation.h"
#include "agent/jvm/recordings/values.h"

namespace copse::jvm {
namespace {

struct Way {
  ProbeKind probes;
  Result<std::unique_ptr<Recording>> (*make)(const Run& run);
};

Way way_of(const agent::TreeOptions& tree) {
  return tree.engine == agent::EngineKind::kInline
             ? Way{ProbeKind::kTrees, TreesRecording::make}
             : Way{ProbeKind::kRecords, PacketsRecording::make};
}
Way way_of(const agent::IdOptions&) { return {ProbeKind::kIds, IdsRecording::make}; }
Way way_of(const agent::TraceOptions&) { return {ProbeKind::kRecords, TraceRecording::make}; }
Way way_of(const agent::ValidateOptions&) {
  return {ProbeKind::kIdWords, ValidationRecording::make};
}
Way way_of(const agent::ValueOptions&) { return {ProbeKind::kValues, ValuesRecording::make}; }

Result<std::unique_ptr<Recording>> make_none(const Run&) {
  return Status::error(Fault::kInternal, "mode: records nothing");
}
Way way_of(const agent::DumpCommand&) { return {ProbeKind::kTrees, make_none}; }
Way way_of(const agent::DetachCommand&) { return {ProbeKind::kTrees, make_none}; }

Way way_for(const agent::AgentOptions& options) {
  return std::visit([](const auto& mode) { return way_of(mode); }, options.mode);
}

}  // namespace

ProbeKind probes_for(const agent::AgentOptions& options) { return way_for(options).probes; }

Result<std::unique_ptr<Recording>> make_recording(const Run& run) {
  return way_for(run.options).make(run);
}

}  // namespace copse::jvm
