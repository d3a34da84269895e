// Threads of a run that keeps only context ids. Each has a header, whose word is the one that its thread begins with
// (id_layout.h), and a row in the table of threads. Nothing is counted by thread, so the table lists every thread that
// had a header.
//
// Thread-safe; one mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shadowstack/header_region.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::ids {

class IdThreads final : public shadowstack::ThreadRecorder {
 public:
  // Throws std::bad_alloc without memory to start with; nothing else here throws.
  IdThreads(shadowstack::MemorySource& memory, std::uint64_t lost_word);

  // From now on also keeps the rows of threads in `memory`; `where` records their place. Returns false if there is no
  // room. REQUIRES: no thread was attached yet; both outlive this object.
  bool keep_in(shadowstack::MemorySource& memory, shadowstack::KeptThreads& where) noexcept;

  // Returns a header. A thread without memory for its own shares a header, and starts with the lost word.
  shadowstack::ThreadHeader* attach(std::int64_t runtime_thread_id,
                                    std::string_view name) noexcept override;
  void rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept override;
  void detach(shadowstack::ThreadHeader* header) noexcept override;
  void close() noexcept override {}

  // Returns the word of a frame whose thread has this header; the lost word if the header is shared.
  std::uint64_t frame_word(const shadowstack::ThreadHeader* header,
                           std::uint64_t frame) const noexcept {
    return header == unowned() ? lost_word_ : frame;
  }

  std::uint64_t lost_word() const noexcept { return lost_word_; }

  // Calls are not counted.
  std::uint64_t calls_seen() const noexcept override { return 0; }
  std::uint64_t calls_lost() const noexcept override { return 0; }
  std::uint64_t packets() const noexcept override { return 0; }
  std::vector<shadowstack::ThreadRow> threads() const override;

 private:
  shadowstack::ThreadHeader* unowned() const noexcept {
    return reinterpret_cast<shadowstack::ThreadHeader*>(headers_.address());
  }
  // State of a header that a thread uses.
  shadowstack::ThreadState* in_use() noexcept {
    return reinterpret_cast<shadowstack::ThreadState*>(this);
  }

  const std::uint64_t lost_word_;
  mutable std::mutex mutex_;  // guards the fields after it
  shadowstack::HeaderRegion headers_;
  std::size_t made_ = 0;  // headers made, without the shared one
  std::vector<shadowstack::ThreadHeader*> free_headers_;
  shadowstack::ThreadRows rows_{shadowstack::ThreadRows::Listed::kAll};
  struct Row {
    ThreadIndex index;
    std::optional<ThreadIndex> kept;  // std::nullopt: the row is only in rows_
  };
  std::unordered_map<const shadowstack::ThreadHeader*, Row> row_of_;  // of headers in use
  std::unique_ptr<shadowstack::KeptThreadRows> kept_;                 // nullptr if nothing is kept
};

}  // namespace copse::ids
