// The threads of a run that keeps context ids and nothing else: a header each, whose word is the
// thread's context (id_layout.h), and a row in the table of threads. Nothing is counted by thread,
// so the table lists every thread that had a header.
//
// Threads: any; one mutex.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shadowstack/header_region.h"
#include "shadowstack/thread_recorder.h"

namespace copse {

class IdThreads final : public ThreadRecorder {
 public:
  // Throws std::bad_alloc without memory to start with; nothing else here throws.
  IdThreads(MemorySource& memory, std::uint64_t lost_word);

  // A thread for which there is no memory starts with the lost word, and shares its header.
  ThreadHeader* attach(std::int64_t runtime_thread_id, std::string_view name) noexcept override;
  void rename(ThreadHeader* header, std::string_view name) noexcept override;
  void detach(ThreadHeader* header) noexcept override;
  void close() noexcept override {}

  // The word of a frame whose thread has this header; the lost word when it is shared.
  std::uint64_t frame_word(const ThreadHeader* header, std::uint64_t frame) const noexcept {
    return header == nobodys() ? lost_word_ : frame;
  }

  std::uint64_t lost_word() const noexcept { return lost_word_; }

  // No call is counted.
  std::uint64_t calls_seen() const noexcept override { return 0; }
  std::uint64_t calls_lost() const noexcept override { return 0; }
  std::uint64_t packets() const noexcept override { return 0; }
  std::vector<ThreadRow> threads() const override;

 private:
  ThreadHeader* nobodys() const noexcept {
    return reinterpret_cast<ThreadHeader*>(headers_.address());
  }
  // The state of a header that is some thread's.
  ThreadState* in_use() noexcept { return reinterpret_cast<ThreadState*>(this); }

  const std::uint64_t lost_word_;
  mutable std::mutex mutex_;  // of all below
  HeaderRegion headers_;
  std::size_t made_ = 0;  // headers, beside the one that is nobody's
  std::vector<ThreadHeader*> free_headers_;
  ThreadRows rows_{ThreadRows::Listed::kAll};
  std::unordered_map<const ThreadHeader*, ThreadIndex> row_of_;  // of headers in use
};

}  // namespace copse
