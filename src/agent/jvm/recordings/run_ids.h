// The context ids of a run, and where its probes keep them: what recordings with ids share.
#pragma once

#include <memory>
#include <string>

#include "agent/jvm/id_places.h"
#include "agent/jvm/recorded_methods.h"
#include "agent/jvm/run.h"
#include "context_id/context_ids.h"

namespace copse::jvm {

struct RunIds {
  // An error: of the graph that the encoder was to be given.
  static Result<std::unique_ptr<RunIds>> make(const Run& run);
  RunIds(const Run& run, std::unique_ptr<encoders::CodeNumbering> numbering);

  // Whether ids decode: then a file is left with which another process can do it.
  bool decode() const noexcept { return ids.tables() != nullptr; }
  // Aloud, when the program's calls are not in the graph. Since recording has ended.
  void doubt_graph() const;

  const Run& run;
  context_id::ContextIds ids;
  RecordedMethods methods;
  IdPlaces places;
};

}  // namespace copse::jvm
