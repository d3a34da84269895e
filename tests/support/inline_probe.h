// What the in-line probes of the Java runtime class do, in C++, for one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "cct/inline_layout.h"
#include "cct/inline_trees.h"

namespace copse::test {

class InlineProbe {
 public:
  InlineProbe(InlineTrees& trees, ThreadHeader* header) : trees_(trees), header_(header) {}

  // Address of the frame's node.
  std::uint64_t enter(MethodId method) {
    const std::uint64_t at = count(header_->word, method);
    header_->word = at + kInlineSlots;
    return at;
  }
  void call(std::uint64_t frame, SiteOrdinal site) {
    header_->word = frame + kInlineSlots + raw(site) * sizeof(std::uint32_t);
  }
  void restore(std::uint64_t frame) { header_->word = frame + kInlineSlots; }
  void exit(std::uint64_t frame) { header_->word = node(frame).entry; }

  // Makes the calls of a stream whose frames are all known, and returns from the last ones.
  void run(std::span<const CallRecord> stream) {
    run(stream, [] {});
  }
  // `after_call` is told of each.
  template <typename AfterCall>
  void run(std::span<const CallRecord> stream, AfterCall after_call) {
    std::vector<std::uint64_t> frames;
    const auto leave = [&](std::size_t depth) {
      while (frames.size() > depth) {
        exit(frames.back());
        frames.pop_back();
        if (!frames.empty()) restore(frames.back());
      }
    };
    for (const CallRecord record : stream) {
      leave(depth_of(record));
      if (!frames.empty()) call(frames.back(), site_of(record));
      frames.push_back(enter(method_of(record)));
      after_call();
    }
    leave(0);
  }

 private:
  static InlineNode& node(std::uint64_t address) { return *reinterpret_cast<InlineNode*>(address); }

  std::uint64_t count(std::uint64_t slot, MethodId method) {
    // Acquire stands for what the processors we run on give the Java probe: a node that is found is
    // whole. One load and one store of the count: close() may read it in between.
    const std::uint32_t first =
        std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(slot))
            .load(std::memory_order_acquire);
    std::uint64_t at = header_->nodes + std::uint64_t{first} * kInlineUnit;
    if (node(at).method != raw(method)) at = trees_.place(header_, slot, method);
    const std::atomic_ref<std::uint64_t> calls(node(at).calls);
    calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return at;
  }

  InlineTrees& trees_;
  ThreadHeader* header_;
};

}  // namespace copse::test
