// Folds packets with id words (base/id_word.h) into a context tree, and compares every one
// with the node of the frame it is of. To be given to an engine as
// EngineOptions::make_folder.
//
// Each folder has a tree of its own and decodes what it has not met before, so workers share no
// more than the encoder's lock. Threads: one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "cct/cct.h"
#include "cct/inplace/thread_paths.h"
#include "cct/packets/folder.h"
#include "encoders/validation/id_word_check.h"

namespace copse::validation {

class CheckingFolder final : public cct::Folder {
 public:
  // `check` must outlive it. `most`: nodes, or distinct id words, when it is full. Throws
  // std::bad_alloc.
  CheckingFolder(IdWordCheck& check, std::uint32_t most);

  void fold(std::span<shadowstack::Packet* const> packets) noexcept override;
  bool full() const noexcept override;
  void merge_into(cct::Cct& master) noexcept override;

 private:
  // A live frame. One that is not known stands for the nearest below it that is.
  struct Frame {
    std::uint32_t node;
    bool is_known;
    bool is_exact;  // known, as are all below it: its node's path is its context
  };
  enum class Verdict : std::uint8_t { kRight, kLacksFrames, kWrong, kWithout };

  void fold_one(const shadowstack::Packet& packet) noexcept;
  void lose(std::span<const CallRecord> records, ThreadIndex thread) noexcept;
  void count_records(ThreadIndex thread, std::uint64_t records) noexcept;
  Frame frame_above(const Frame& below, ContextKey key) noexcept;
  void meet(std::uint64_t word, const Frame& frame, ThreadIndex thread) noexcept;
  Verdict verdict(std::uint64_t word, const Frame& frame, ThreadIndex thread);
  Verdict compare(std::uint64_t id, std::uint32_t node, ThreadIndex thread);
  std::vector<std::uint32_t> move_nodes_to(cct::Cct& master) const;

  // A start chain may be 2^24 frames deep; beyond this many nodes calls are lost and counted.
  static constexpr std::uint32_t kMostNodes = 1u << 27;

  IdWordCheck& check_;
  const std::uint32_t most_;
  cct::Cct tree_;
  cct::ThreadPaths<Frame> paths_;
  IdWordCounts counts_;
  RecordsOfThreads records_;
  std::uint64_t not_kept_ = 0;
  FlatMap<PairKey, Verdict> verdicts_;  // by word and node
  std::uint64_t ids_ = 0;               // of verdicts_: not kWithout
  RightIds right_;
};

}  // namespace copse::validation
