// Probes of calls, by the options.
#pragma once

#include <cstdint>
#include <span>

#include "agent/jvm/measures/tree_measures.h"
#include "agent/options.h"
#include "base/status.h"
#include "classfile/rewriter.h"
#include "probes/shadow_stack_probes.h"

namespace copse::jvm {

// Returns the options of call probes. `site_unit`: amount that the first call site of a method adds to its
// frame.
inline classfile::ShadowStackProbeOptions call_probe_options(const agent::AgentOptions& options,
                                                             std::uint32_t site_unit = 1) {
  return {.sites = agent::has_sites(options),
          .site_unit = site_unit,
          .vm_exceptions_record = options.jdk};
}

// Implements Recording::put_probes() for recordings that put no other probes.
inline Result<classfile::Rewritten> put_call_probes(
    classfile::ShadowStackProbeOptions options, std::span<const std::uint8_t> bytes,
    classfile::ProbeHost& host, std::span<const classfile::NewField> new_fields,
    classfile::AllocationHost* allocations = nullptr) {
  options.ends_constructors = true;
  classfile::ShadowStackProbes probes(options, host, allocations);
  return classfile::rewrite(bytes, probes, new_fields);
}

// Implements Recording::put_probes() for recordings that measure more than calls. `loader`: loader of the
// class.
inline Result<classfile::Rewritten> put_measured_probes(
    classfile::ShadowStackProbeOptions options, TreeMeasures& measures, std::uint64_t loader,
    std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  options.sampled = measures.any();
  options.counts_exceptions = measures.counts(events::EventKind::kException);
  options.probes_throws = measures.probes_throws();
  TreeAllocations* const allocations = measures.allocations();
  if (allocations == nullptr) return put_call_probes(options, bytes, host, new_fields);
  LoadersTypes types(allocations->types(), loader);
  return put_call_probes(options, bytes, host, new_fields, &types);
}

}  // namespace copse::jvm
