// Options of an engine of packets, by the agent's options.
#pragma once

#include <string>

#include "agent/memory_bound.h"
#include "agent/option_rules.h"
#include "agent/options.h"
#include "base/status.h"
#include "cct/packets/engine.h"
#include "cct/packets/worker_pool.h"

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

// Returns whether worker threads fold packets of calls (cct/packets/worker_pool.h).
inline bool has_workers(const AgentOptions& options) {
  const auto* tree = part<TreeOptions>(options);
  return tree != nullptr ? tree->engine != EngineKind::kInline
                         : part<ValidateOptions>(options) != nullptr;
}

// Loads the library with these threads from the agent's folder. The error says who needs it.
inline Status load_workers(const AgentOptions& options, const std::string& folder,
                           Spelling spelling = Spelling::kAgent) {
  if (!has_workers(options)) return {};
  const Status loaded = cct::load_worker_threads(folder);
  if (loaded) return {};
  const auto* tree = part<TreeOptions>(options);
  const std::string asker =
      tree != nullptr ? spelled("engine", spelling) + " " + std::string(engine_name(tree->engine))
                      : "validate";
  return Status::error(loaded.fault(), asker +
                                           ": needs libcopse-parallel.so beside libcopse.so, and "
                                           "oneTBB (Debian: libtbb12): " +
                                           loaded.message());
}

}  // namespace copse::agent
