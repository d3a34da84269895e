// How an engine of packets is to fold, by the agent's options.
#pragma once

#include "agent/memory_bound.h"
#include "agent/options.h"
#include "cct/engine.h"

namespace copse::agent {

// Ids are checked against contexts that are all there.
inline cct::RecursionOptions recursion_options(const AgentOptions& options) {
  return {.recursion = options.encoder.empty() ? options.recursion : cct::Recursion::kFull};
}

inline cct::EngineOptions engine_options(const AgentOptions& options) {
  return cct::EngineOptions{
      .kind = engine_of(options) == EngineKind::kUptree ? cct::EngineOptions::Kind::kUptree
                                                        : cct::EngineOptions::Kind::kParallel,
      .workers = options.workers != 0 ? options.workers : cct::workers_beside_program(),
      .sites = options.sites,
      .recursion = recursion_options(options),
      .event_every = options.event_every,
      .most_nodes = cct::nodes_within(memory_bound(options)),
  };
}

}  // namespace copse::agent
