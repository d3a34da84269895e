// The threads of a run that keeps context ids and nothing else: a header each, whose word is the
// one its thread begins with (id_layout.h), and a row in the table of threads. Nothing is counted by thread,
// so the table lists every thread that had a header.
//
// Threads: any; one mutex.
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

namespace copse::context_id {

class IdThreads final : public shadowstack::ThreadRecorder {
 public:
  // Throws std::bad_alloc without memory to start with; nothing else here throws.
  IdThreads(shadowstack::MemorySource& memory, std::uint64_t lost_word);

  // Keeps the rows of threads in `memory` as well from now on; `where` says where. False if there is no
  // room. REQUIRES: no thread was attached yet; both outlive this.
  bool keep_in(shadowstack::MemorySource& memory, shadowstack::KeptThreads& where) noexcept;

  // A thread for which there is no memory starts with the lost word, and shares its header.
  shadowstack::ThreadHeader* attach(std::int64_t runtime_thread_id,
                                    std::string_view name) noexcept override;
  void rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept override;
  void detach(shadowstack::ThreadHeader* header) noexcept override;
  void close() noexcept override {}

  // The word of a frame whose thread has this header; the lost word when it is shared.
  std::uint64_t frame_word(const shadowstack::ThreadHeader* header,
                           std::uint64_t frame) const noexcept {
    return header == nobodys() ? lost_word_ : frame;
  }

  std::uint64_t lost_word() const noexcept { return lost_word_; }

  // No call is counted.
  std::uint64_t calls_seen() const noexcept override { return 0; }
  std::uint64_t calls_lost() const noexcept override { return 0; }
  std::uint64_t packets() const noexcept override { return 0; }
  std::vector<shadowstack::ThreadRow> threads() const override;

 private:
  shadowstack::ThreadHeader* nobodys() const noexcept {
    return reinterpret_cast<shadowstack::ThreadHeader*>(headers_.address());
  }
  // The state of a header that is some thread's.
  shadowstack::ThreadState* in_use() noexcept {
    return reinterpret_cast<shadowstack::ThreadState*>(this);
  }

  const std::uint64_t lost_word_;
  mutable std::mutex mutex_;  // of all below
  shadowstack::HeaderRegion headers_;
  std::size_t made_ = 0;  // headers, beside the one that is nobody's
  std::vector<shadowstack::ThreadHeader*> free_headers_;
  shadowstack::ThreadRows rows_{shadowstack::ThreadRows::Listed::kAll};
  struct Row {
    ThreadIndex index;
    std::optional<ThreadIndex> kept;  // std::nullopt: it is in rows_ alone
  };
  std::unordered_map<const shadowstack::ThreadHeader*, Row> row_of_;  // of headers in use
  std::unique_ptr<shadowstack::KeptThreadRows> kept_;                 // nullptr: nothing is kept
};

}  // namespace copse::context_id
