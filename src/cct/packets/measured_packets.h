// Measures besides calls where an engine folds packets. The records still in a thread's packet tell
// its context. The last path of a thread that is deep in its stack is kept, so that its next amount does not cost a step
// per frame.
//
// Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "cct/measured_threads.h"
#include "cct/packets/engine.h"
#include "shadowstack/packets/recorder.h"

namespace copse::cct {

class MeasuredPackets final : public MeasuredThreads {
 public:
  // Keeps references to both, which must outlive it. `sites`: contexts differ by call site too.
  MeasuredPackets(shadowstack::Recorder& recorder, Engine& engine, bool sites) noexcept
      : recorder_(recorder), engine_(engine), key_mask_(sites ? kKeyMask : kMethodMask) {}

  void measure(Measuring how) override;
  MeasuredContexts& measured() noexcept override { return *measured_; }
  void before_places_go(std::function<void(const shadowstack::ThreadHeader&)> task) override {
    recorder_.before_packets_go(std::move(task));
  }
  void add(const shadowstack::ThreadHeader& header, const shadowstack::ThreadPlace& place,
           std::span<const ColumnAmount> amounts, MethodId below = kNoMethod,
           const shadowstack::CodePlace* code = nullptr) noexcept override;
  // Returns the word with the method in it (call_record.h), as Recorder::path_of() expects.
  std::uint64_t word_in(shadowstack::ThreadHeader&, std::uint64_t word,
                        MethodId callee) noexcept override {
    return word | raw(callee);
  }
  std::optional<ThreadIndex> path_of(const shadowstack::ThreadHeader& header,
                                     const shadowstack::ThreadPlace& place, MethodId entered,
                                     std::vector<ContextKey>& path) const override;

 private:
  // The last path of a thread, and the columns' nodes along it.
  struct Known {
    std::mutex mutex;  // guards the members below
    shadowstack::Recorder::KnownPath path;
    std::vector<std::vector<std::uint32_t>> nodes;  // by column; may be shorter than the path
    std::uint64_t version = 0;                      // of the columns
  };

  std::shared_ptr<Known> known_of(const shadowstack::ThreadHeader& header);
  void keep(const shadowstack::ThreadHeader& header, const std::shared_ptr<Known>& known);
  void add_along(Known& known, const ColumnAmount& amount, MethodId below);
  void add_to_thread(ThreadIndex thread, std::span<const ColumnAmount> amounts) noexcept override {
    recorder_.add_amounts(thread, amounts);
  }

  shadowstack::Recorder& recorder_;
  Engine& engine_;
  const ContextKey key_mask_;
  Measuring measuring_;
  MeasuredContexts* measured_ = nullptr;  // the engine's
  std::mutex known_mutex_;                // guards known_
  std::unordered_map<const shadowstack::ThreadHeader*, std::shared_ptr<Known>> known_;
};

}  // namespace copse::cct
