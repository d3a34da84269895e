// A bit-length encoding in the manner of Valence (Zhou et al., CC 2019), as far as its abstract defines one; the rest
// is ours. A call appends the serial number of its edge among the callee's s in-edges to a bit string, in ceil(log2 s)
// bits: none for a method with one caller. The frame keeps the length, so a return or unwind only restores it. It is
// RCCE with powers of two, without division and without overflow.
//
// An edge unknown to the graph appends nothing and is noted as (length, edge) on a side stack. A method that ROOT does
// not reach has one code more, so that no cycle of zero-bit steps exists and a side entry's (length, callee) is unique.
//
// Token: method 4, bit count 4, the bits, then 12 bytes per unknown edge on the stack.
// Return discipline: restore.
#pragma once

#include <bit>

#include "encoders/replay/encoder.h"
#include "encoders/replay/frame_threads.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct ValenceThread {
  struct Frame {
    std::uint32_t bits;     // length of the bit string in this frame
    std::uint32_t unknown;  // height of the side stack in this frame
    MethodId method;
  };
  struct UnknownEdge {
    EdgeKey edge;
    std::uint32_t bits;
  };
  std::vector<Frame> frames = {Frame{}};
  std::vector<std::uint64_t> words = {0};  // bits past the length are arbitrary
  std::vector<UnknownEdge> unknown;
};

class ValenceEncoder : public FrameThreads<ValenceThread> {
 public:
  using Frame = ValenceThread::Frame;
  using UnknownEdge = ValenceThread::UnknownEdge;

  explicit ValenceEncoder(const graph::CallGraph& graph);

  void call(Thread& thread, EdgeKey edge);
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;

 private:
  struct Step {
    std::uint32_t serial;
    std::uint32_t width;
  };
  struct InEdges {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t width = 0;
    std::uint32_t reserved = 0;  // serials below it belong to no edge
  };

  FlatMap<EdgeKey, Step> steps_;
  std::vector<EdgeKey> in_edges_;
  std::vector<InEdges> methods_;
};

inline void ValenceEncoder::call(Thread& thread, EdgeKey edge) {
  Frame frame = thread.frames.back();
  frame.method = callee_of(edge);
  const Step* step = steps_.find(edge);
  if (!step) [[unlikely]] {
    thread.unknown.resize(frame.unknown);
    thread.unknown.push_back({edge, frame.bits});
    ++frame.unknown;
  } else if (step->width != 0) {
    const std::uint32_t word = frame.bits / 64;
    const std::uint32_t offset = frame.bits % 64;
    if (word + 1 >= thread.words.size()) thread.words.resize(2 * thread.words.size() + 1);
    const std::uint64_t serial = step->serial;
    const std::uint64_t keep = (std::uint64_t{1} << offset) - 1;
    thread.words[word] = (thread.words[word] & keep) | (serial << offset);
    if (offset + step->width > 64) thread.words[word + 1] = serial >> (64 - offset);
    frame.bits += step->width;
  }
  thread.frames.push_back(frame);
}

}  // namespace copse::encoders
