// Passes one operation to an encoder: in its static form, so that a replay loop is inlined, or behind the virtual
// interface.
#pragma once

#include <cstdint>

#include "encoders/replay/encoder.h"
#include "encoders/study/op_stream.h"

namespace copse::study {

template <encoders::ContextEncoder E>
inline void apply(E& encoder, typename E::Thread& thread, const Op& op) {
  switch (op.kind) {
    case OpKind::kStart:
      encoder.start(thread);
      break;
    case OpKind::kCall:
      encoder.call(thread, op.edge());
      break;
    case OpKind::kReturn:
      for (std::uint32_t i = op.frames(); i > 0; --i) encoder.ret(thread);
      break;
    case OpKind::kUnwind:
      encoder.unwind(thread, op.frames());
      break;
    case OpKind::kMark:
      break;
    case OpKind::kEnd:
      encoder.end(thread);
      break;
  }
}

inline void apply(encoders::Encoder& encoder, const Op& op) {
  switch (op.kind) {
    case OpKind::kStart:
      encoder.start(op.thread());
      break;
    case OpKind::kCall:
      encoder.call(op.thread(), site_of(op.edge()), callee_of(op.edge()));
      break;
    case OpKind::kReturn:
      for (std::uint32_t i = op.frames(); i > 0; --i) encoder.ret(op.thread());
      break;
    case OpKind::kUnwind:
      encoder.unwind(op.thread(), op.frames());
      break;
    case OpKind::kMark:
      break;
    case OpKind::kEnd:
      encoder.end(op.thread());
      break;
  }
}

// Collects the context of a call at each position that is a multiple of this, a prime so that loops do not hide calls.
inline constexpr std::uint64_t kCollectPeriod = 509;

template <encoders::ContextEncoder E>
inline void collect(E& encoder, const Op& op) {
  if (op.kind == OpKind::kCall) encoder.collect(encoder.thread(op.thread()));
}
inline void collect(encoders::Encoder& encoder, const Op& op) {
  if (op.kind == OpKind::kCall) encoder.collect(op.thread());
}

}  // namespace copse::study
