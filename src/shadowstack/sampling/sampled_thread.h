// A thread whose signal handler notes where it stands.
//
// Its samples wait in a ring: the handler, on the thread, is the only one that writes, and one
// reader at a time takes out. A ring that is full loses samples, and counts them.
//
// Never freed, since a signal may be on its way: the next thread takes it over.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "shadowstack/thread_header.h"

namespace copse::sampling {

struct Sample {
  // Of the thread that ran: a virtual one, or the platform's own.
  shadowstack::ThreadHeader* header;
  shadowstack::ThreadPlace place;
  std::uint64_t code = 0;  // address of the instruction at which it was interrupted; 0: not known
};

// A context word in an object that may be moved.
struct WordInObject {
  // Where the object's address is, but for the lowest three bits, which may be anything; 0: the
  // word is in the header.
  std::uint64_t reference = 0;
  std::uint64_t offset = 0;  // of the word, from the object's start
  // Whether a virtual thread's word is in its object, too, at the same offset; ThreadHeader::self is
  // its reference.
  bool of_virtual_threads = false;
};

class SampledThread {
 public:
  static constexpr std::uint32_t kRoom = 64;

  // Whose word the handler notes from now on, and at how many signals out of 2^32; `first`: below
  // 2^32, at random, says which is the first. Called by: the thread itself.
  void begin(shadowstack::ThreadHeader& header, const WordInObject& word, std::uint64_t share,
             std::uint64_t first) noexcept;
  // Notes nothing any more.
  void end() noexcept;

  // Called by: the signal handler, on the thread, which it interrupted at the address `code`.
  void take(std::uint64_t code) noexcept;

  // How many wait, and how many found no room since the last time: what drain() takes out next. One
  // reader at a time, any thread, as for drain().
  struct Waiting {
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;
  };
  Waiting mark() noexcept {
    marked_ = written_.load(std::memory_order_acquire);
    return {marked_ - read_.load(std::memory_order_relaxed),
            lost_.exchange(0, std::memory_order_relaxed)};
  }
  // Calls visit(const Sample&) for each that waited at mark().
  template <typename Visit>
  void drain(Visit visit) noexcept {
    for (std::uint32_t at = read_.load(std::memory_order_relaxed); at != marked_; ++at) {
      const Sample sample = ring_[at % kRoom];
      visit(sample);
      std::atomic_ref<std::uint64_t>(sample.header->samples)
          .fetch_sub(1, std::memory_order_release);
      read_.store(at + 1, std::memory_order_release);
    }
  }

  // Of CpuTimers, under its mutex.
  struct Timer {
    bool is_live = false;
    timer_t id{};
    clockid_t clock{};
    std::uint64_t clock_began_ns = 0;
    std::uint64_t reference = 0;  // of its word
  } timer;

 private:
  std::uint64_t word_at(std::uint64_t reference) const noexcept;
  bool is_chosen() noexcept;

  std::atomic<shadowstack::ThreadHeader*> header_{nullptr};  // null: nothing is noted
  pid_t thread_ = 0;                                         // constant while there is a header
  WordInObject word_;                                        // as this one
  std::uint64_t share_ = 0;                                  // and this
  std::uint64_t phase_ = 0;  // a sample is taken when it reaches 2^32
  std::atomic<std::uint32_t> written_{0};
  std::atomic<std::uint32_t> read_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::array<Sample, kRoom> ring_{};
  std::uint32_t marked_ = 0;  // the reader's
};

// Whether the handler can tell memory that is there from what is not. Not under every kernel.
bool can_read_any_memory() noexcept;

}  // namespace copse::sampling
