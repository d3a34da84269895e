// A thread whose signal handler notes its place.
//
// Samples wait in a ring: the handler, on the thread, is the only writer, and one reader at a time
// takes them out. A full ring loses samples and counts them.
//
// Never freed, since a signal may be on its way: the next thread takes it over.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <random>

#include "shadowstack/thread_header.h"

namespace copse::sampling {

struct Sample {
  // Header of the thread that ran: a virtual one, or the platform thread itself.
  shadowstack::ThreadHeader* header;
  shadowstack::ThreadPlace place;
  std::uint64_t code = 0;  // address of the interrupted instruction; 0: unknown
};

// A context word in an object that may be moved.
struct WordInObject {
  // Address of the object's address, whose lowest three bits are ignored; 0 means that the word is
  // in the header.
  std::uint64_t reference = 0;
  std::uint64_t offset = 0;  // of the word, from the object's start
  // True if a virtual thread's word is in its object too, at the same offset; ThreadHeader::self is
  // the reference to that object.
  bool of_virtual_threads = false;
  // True if a number that is read where an object was before it moved may be taken for a word. Samples during a
  // collection are then lost.
  bool must_stand_still = false;
};

class SampledThread {
 public:
  static constexpr std::uint32_t kRoom = 64;

  // Starts samples of the header's word, at `share` of the signals (above 0, at most 1). `random`
  // chooses them. Called by: the thread itself.
  void begin(shadowstack::ThreadHeader& header, const WordInObject& word, double share,
             std::minstd_rand random) noexcept;
  // Ends the samples.
  void end() noexcept;

  // Takes a sample, if this signal is a chosen one. `code`: the address at which the thread was
  // interrupted. Called by: the signal handler, on the thread.
  void take(std::uint64_t code) noexcept;

  // Numbers of samples that wait, and of samples lost since the last mark(). drain() takes out the
  // samples that waited at mark(). Any thread, one at a time, for both.
  struct Waiting {
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;
  };
  Waiting mark() noexcept {
    marked_ = written_.load(std::memory_order_acquire);
    return {marked_ - read_.load(std::memory_order_relaxed),
            lost_.exchange(0, std::memory_order_relaxed)};
  }
  // Calls visit(const Sample&) for each sample that waited at mark().
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

  // State of CpuTimers, guarded by its mutex.
  struct Timer {
    bool is_live = false;
    timer_t id{};
    clockid_t clock{};
    std::uint64_t clock_began_ns = 0;
    std::uint64_t reference = 0;  // WordInObject::reference
  } timer;

 private:
  bool is_chosen() noexcept;

  std::atomic<shadowstack::ThreadHeader*> header_{nullptr};  // nullptr: takes no samples
  pid_t thread_ = 0;  // constant while there is a header, like word_ and share_
  WordInObject word_;
  std::minstd_rand random_;
  double share_ = 0;
  std::atomic<std::uint32_t> written_{0};
  std::atomic<std::uint32_t> read_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::array<Sample, kRoom> ring_{};
  std::uint32_t marked_ = 0;  // owned by the reader
};

// Called around each collection in which the JVM moves objects, by one thread at a time. Async-signal-safe.
void objects_begin_to_move() noexcept;
void objects_stand_still() noexcept;

// Returns the word of an object, read as the handler does; 0 if the memory is not mapped. An object
// that is being moved may give another value. Async-signal-safe.
std::uint64_t word_in_object(std::uint64_t reference, std::uint64_t offset) noexcept;

// Returns true if the handler can tell mapped memory from unmapped. Some kernels do not allow it.
bool can_read_any_memory() noexcept;

}  // namespace copse::sampling
