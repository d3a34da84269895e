// A source of events: a trace file, a text trace, a list in memory. A replay takes a source and may
// go through it several times.
#pragma once

#include <optional>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "trace/event.h"

namespace copse::trace {

class EventSource {
 public:
  virtual ~EventSource() = default;

  // Returns the next batch, valid until the next call; std::nullopt at the end. An error gives the
  // place of damage in the source: all batches before it have been returned, and further calls
  // return the same error.
  virtual Result<std::optional<EventBatch>> next() = 0;

  // Returns to the first batch.
  virtual Status rewind() = 0;

  // Methods by raw(MethodId), element 0 unused. Has every method in the batches given so far,
  // except methods that the source does not describe.
  virtual const std::vector<MethodName>& methods() const = 0;
};

}  // namespace copse::trace
