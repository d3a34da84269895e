// Traces of the encoders' tests as operations and event sources of the study module.
#pragma once

#include <vector>

#include "encoders/study/op_source.h"
#include "random_program.h"

namespace copse::study {

// Operations of a trace; its tokens become marks.
inline std::vector<Op> ops_of(const encoders::Trace& trace) {
  using Kind = encoders::TraceEvent::Kind;
  std::vector<Op> ops;
  for (const encoders::TraceEvent& event : trace) {
    const std::uint32_t slot = raw(event.thread);
    switch (event.kind) {
      case Kind::kStart:
        ops.push_back({OpKind::kStart, slot});
        break;
      case Kind::kCall:
        ops.push_back(call_op(slot, event.edge));
        break;
      case Kind::kReturn:
        ops.push_back({OpKind::kReturn, slot, 1});
        break;
      case Kind::kUnwind:
        ops.push_back({OpKind::kUnwind, slot, event.frames});
        break;
      case Kind::kToken:
        ops.push_back({OpKind::kMark, slot});
        break;
      case Kind::kEnd:
        ops.push_back({OpKind::kEnd, slot});
        break;
    }
  }
  return ops;
}

// All operations of a source, or an error if it is no legal history.
inline Result<std::vector<Op>> all_ops(trace::EventSource& source) {
  OpStream stream(source);
  if (Status status = stream.rewind(); !status.ok()) return status;
  std::vector<Op> ops;
  while (true) {
    const Result<std::span<const Op>> chunk = stream.next();
    if (!chunk.ok()) return chunk.status();
    if (chunk->empty()) return ops;
    ops.insert(ops.end(), chunk->begin(), chunk->end());
  }
}

}  // namespace copse::study
