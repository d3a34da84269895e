// The in-line probes of the Java runtime class in C++, for one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "cct/inplace/inline_layout.h"
#include "cct/inplace/inline_trees.h"

namespace copse::test {

// Number of call sites of every method, for trees that only ask for it.
inline std::uint32_t eight_sites(MethodId) { return 8; }

enum class Leaving { kByReturns, kByThrow };

class InlineProbe {
 public:
  InlineProbe(cct::InlineTrees& trees, shadowstack::ThreadHeader* header)
      : trees_(trees), header_(header) {}

  // Counts a call and returns the address of its node.
  std::uint64_t enter(MethodId method) {
    const std::uint64_t at = count(header_->word, method);
    header_->word = at + cct::kInlineSlots;
    return at;
  }
  void call(std::uint64_t frame, SiteOrdinal site) {
    header_->word = frame + cct::kInlineSlots + raw(site) * sizeof(std::uint32_t);
  }
  void restore(std::uint64_t frame) { header_->word = frame + cct::kInlineSlots; }
  void exit(std::uint64_t frame) { header_->word = node(frame).entry; }

  // Makes the calls of a stream whose frames are all known, and leaves the last ones.
  void run(std::span<const CallRecord> stream, Leaving leaving = Leaving::kByReturns) {
    run(stream, leaving, [] {});
  }
  // Calls `after_call` after each call.
  template <typename AfterCall>
  void run(std::span<const CallRecord> stream, Leaving leaving, AfterCall after_call) {
    std::vector<Frame> frames;
    const auto leave = [&](std::size_t depth) {
      while (frames.size() > depth) {
        const Frame& frame = frames.back();
        const cct::InlineNode& now = node(frame.at);
        spoiled_ += now.method != raw(frame.method) || now.entry != frame.entry ? 1 : 0;
        // An exception that is caught further down: no probe of the frames between runs.
        if (leaving == Leaving::kByReturns || depth == 0) exit(frame.at);
        frames.pop_back();
        if (!frames.empty() && (leaving == Leaving::kByReturns || frames.size() == depth)) {
          restore(frames.back().at);
        }
      }
    };
    for (const CallRecord record : stream) {
      leave(depth_of(record));
      if (!frames.empty()) call(frames.back().at, site_of(record));
      const std::uint64_t at = enter(method_of(record));
      const MethodId method{node(at).method};  // kNoMethod: the call is lost
      spoiled_ += method != kNoMethod && method != method_of(record) ? 1 : 0;
      frames.push_back({at, node(at).entry, method});
      after_call();
    }
    leave(0);
  }

  // Number of frames left whose node had changed since they were entered.
  std::uint64_t frames_spoiled() const { return spoiled_; }

 private:
  struct Frame {
    std::uint64_t at, entry;
    MethodId method;
  };

  static cct::InlineNode& node(std::uint64_t address) {
    return *reinterpret_cast<cct::InlineNode*>(address);
  }

  std::uint64_t count(std::uint64_t slot, MethodId method) {
    std::uint64_t at = first_in(slot);
    if (node(at).method != raw(method)) at = trees_.place(header_, slot, method);
    const std::atomic_ref<std::uint64_t> calls(node(at).calls);
    calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return at;
  }

  // Returns the address of the slot's first node, or of the shared empty node if the slot is empty or is no slot: a
  // return stores 0 when the trees were forgotten.
  std::uint64_t first_in(std::uint64_t slot) const {
    if (slot < trees_.node_base()) return trees_.node_base();
    // Acquire stands for what the processors we run on give the Java probe: a node that is found is
    // whole. One load and one store of the count: close() may read it in between.
    const std::uint32_t first =
        std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(slot))
            .load(std::memory_order_acquire);
    return trees_.node_base() + std::uint64_t{first} * cct::kInlineUnit;
  }

  cct::InlineTrees& trees_;
  shadowstack::ThreadHeader* header_;
  std::uint64_t spoiled_ = 0;
};

}  // namespace copse::test
