// The threads of a run that keeps context ids and nothing else: a header each, whose word is the
// thread's context (id_layout.h).
//
// Threads: any; one mutex.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
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

  // No call is counted.
  std::uint64_t calls_seen() const noexcept override { return 0; }
  std::uint64_t calls_lost() const noexcept override { return 0; }
  std::uint64_t packets() const noexcept override { return 0; }
  std::vector<ThreadRow> threads() const override;

 private:
  ThreadHeader* nobodys() noexcept { return reinterpret_cast<ThreadHeader*>(headers_.address()); }
  // A header's state is the index of its thread plus one, 0 while it is nobody's.
  ThreadRow* row_of(ThreadHeader* header) noexcept;

  mutable std::mutex mutex_;  // of all below
  HeaderRegion headers_;
  std::vector<ThreadHeader*> free_headers_;
  std::vector<ThreadRow> rows_;
};

}  // namespace copse
