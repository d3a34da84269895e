// How an engine of packets is to fold, by the agent's options.
#pragma once

#include "agent/memory_bound.h"
#include "agent/options.h"
#include "cct/engine.h"

namespace copse::agent {

inline cct::EngineOptions engine_options(const AgentOptions& options) {
  return cct::EngineOptions{
      .kind = engine_of(options) == EngineKind::kUptree ? cct::EngineOptions::Kind::kUptree
                                                        : cct::EngineOptions::Kind::kParallel,
      .workers = options.workers != 0 ? options.workers : cct::workers_beside_program(),
      .sites = options.sites,
      .merge_recursion = options.merge_recursion,
      .event_every = options.event_every,
      .most_nodes = cct::nodes_within(memory_bound(options)),
  };
}

}  // namespace copse::agent
