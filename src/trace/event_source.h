// Where events come from: a trace file, a text trace, a list in memory. Everything that replays
// takes one of these and may go through it several times.
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

  // The next batch, valid until the next call; nothing at the end. An error says where the source
  // is damaged; everything before that place has been given, and calling again gives the same
  // error.
  virtual Result<std::optional<EventBatch>> next() = 0;

  // Back to the first batch.
  virtual Status rewind() = 0;

  // By raw(MethodId), element 0 unused; what the source knows after the batches given so far, so a
  // method of a given batch is in it unless nobody described it.
  virtual const std::vector<MethodName>& methods() const = 0;
};

}  // namespace copse::trace
