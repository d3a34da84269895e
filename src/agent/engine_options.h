// Options of an engine of packets, by the agent's options.
#pragma once

#include "agent/memory_bound.h"
#include "agent/options.h"
#include "cct/packets/engine.h"

namespace copse::agent {

// Returns how recursion is recorded. Only trees merge it, because ids are checked against complete contexts.
inline cct::RecursionOptions recursion_options(const AgentOptions& options) {
  const auto* tree = part<TreeOptions>(options);
  return {.recursion = tree != nullptr ? tree->recursion : cct::Recursion::kFull};
}

// Returns the options of an engine for a mode with packets: a tree, or ids that are validated.
inline cct::EngineOptions engine_options(const AgentOptions& options) {
  const auto* tree = part<TreeOptions>(options);
  const bool uptree = tree != nullptr && tree->engine == EngineKind::kUptree;
  const std::uint32_t workers = tree != nullptr ? tree->workers : 0;
  return cct::EngineOptions{
      .kind = uptree ? cct::EngineOptions::Kind::kUptree : cct::EngineOptions::Kind::kParallel,
      .workers = workers != 0 ? workers : cct::workers_beside_program(),
      .sites = has_sites(options),
      .recursion = recursion_options(options),
      .event_every = uptree ? tree->event_every : 0,
      .most_nodes = cct::nodes_within(memory_bound(options)),
  };
}

}  // namespace copse::agent
