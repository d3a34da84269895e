// Folds packets with id words (base/id_word.h) into a context tree, and compares every id word with the node of its
// frame. Passed to an engine as EngineOptions::make_folder.
//
// Each folder has its own tree and decodes every id that it has not met before, so workers share only the encoder's
// lock. Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "cct/cct.h"
#include "cct/packets/folder.h"
#include "cct/thread_paths.h"
#include "encoders/validation/id_word_check.h"

namespace copse::validation {

class CheckingFolder final : public cct::Folder {
 public:
  // `most`: number of nodes, or of distinct id words, at which the folder is full. Throws std::bad_alloc. REQUIRES:
  // `check` outlives the folder.
  CheckingFolder(IdWordCheck& check, std::uint32_t most);

  void fold(std::span<shadowstack::Packet* const> packets) noexcept override;
  bool full() const noexcept override;
  void merge_into(cct::Cct& master) noexcept override;

 private:
  // A live frame. An unknown frame has the node of the nearest known frame below it.
  struct Frame {
    std::uint32_t node;
    bool is_known;
    bool is_exact;  // it and all frames below it are known: its node's path is its context
  };
  enum class Verdict : std::uint8_t { kRight, kLacksFrames, kWrong, kWithout };
  // A met pair of id word and node; small, because there are many.
  struct Known {
    Verdict verdict = Verdict::kWithout;
    bool has_unexpected = false;
    std::uint32_t entries = 0;  // on the stack, like the next
    std::uint32_t unexpected = 0;
    std::uint32_t code = 0;

    StackHeight height() const noexcept {
      return {entries, has_unexpected ? std::optional<std::uint64_t>(unexpected) : std::nullopt};
    }
  };

  void fold_one(const shadowstack::Packet& packet) noexcept;
  void lose(std::span<const CallRecord> records, ThreadIndex thread) noexcept;
  void count_records(ThreadIndex thread, std::uint64_t records) noexcept;
  Frame frame_above(const Frame& below, ContextKey key) noexcept;
  void meet(std::uint64_t word, const Frame& frame, ThreadIndex thread) noexcept;
  void meet_start(std::uint64_t word, const Frame& frame, ThreadIndex thread) noexcept;
  Known verdict_of(std::uint64_t word, const Frame& frame, ThreadIndex thread) noexcept;
  const Known& known(std::uint64_t word, const Frame& frame, ThreadIndex thread);
  Verdict compare(std::uint64_t id, std::uint32_t node, ThreadIndex thread);
  std::vector<std::uint32_t> move_nodes_to(cct::Cct& master) const;

  // A start chain may be 2^24 frames deep; beyond kMostNodes nodes calls are lost and counted.
  static constexpr std::uint32_t kMostNodes = 1u << 27;

  IdWordCheck& check_;
  const std::uint32_t most_;
  cct::Cct tree_;
  cct::ThreadPaths<Frame> paths_;
  IdWordCounts counts_;
  RecordsOfThreads records_;
  std::uint64_t not_kept_ = 0;
  FlatMap<PairKey, Known> verdicts_;  // by word and node
  std::uint64_t ids_ = 0;             // entries of verdicts_ other than kWithout
  RightIds right_;
};

}  // namespace copse::validation
