// Results for the id words of a run: each was compared with the context tree's node of its frame, including call sites.
//
//   at once   by the folder that meets it (checking_folder.h): its id's decode is the node's path
//   at end    when recording has ended and the folders' trees are one: every distinct pair of id and
//             node again, which compares ids across folders and detects later changes in an
//             encoder's tables
//
// An id whose decode is the path except for frames that may keep no id is no mismatch; it is counted as lacking frames.
//
// An id that stands for two nodes is wrong for one of them. For encoders that do not decode, only such collisions are
// visible, and they are allowed.
//
// Thread-safe; one mutex, taken after an engine's locks.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/call_path.h"
#include "base/flat_map.h"
#include "base/scheme_facts.h"
#include "cct/context_tree.h"
#include "encoders/validation/id_word_decoder.h"

namespace copse::validation {

// Returns the call by which a node of the tree was entered.
EdgeKey edge_to(const cct::ContextTree& tree, const cct::ContextNode& node);

// Returns the path that leads to the node.
CallPath path_to(const cct::ContextTree& tree, NodeIndex node);

enum class Match : std::uint8_t { kExact, kLacksFrames, kNone };

// Compares ids with nodes of one tree. Caches results: recent pairs, and permanently every 32nd node of the walked
// paths. So each of any number of contexts of a recursion, in any order, costs some steps, however deep the recursion
// is.
class RightIds {
 public:
  RightIds() : recent_(kRecent) {}

  // `lacking`: receives the methods of the left-out frames that no earlier call reported. REQUIRES: the decoder
  // decodes.
  Match match(const IdWordDecoder& decoder, std::uint64_t id, const cct::ContextTree& tree,
              NodeIndex node, std::set<MethodId>& lacking);
  // Forgets all results, because the tree gets other nodes.
  void forget() noexcept;

 private:
  struct Pair {
    std::uint64_t id = 0;
    std::uint32_t node = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  // A pair of the walked path, and the number of frames left out before it.
  struct Passed {
    Pair pair;
    std::uint64_t lacking;
  };
  static constexpr std::size_t kRecent = 4096;     // a power of two
  static constexpr std::uint32_t kKeptEvery = 32;  // nodes

  Pair& place_of(Pair pair) noexcept;
  std::optional<Match> known(Pair pair) noexcept;
  void keep(Match at_end, std::uint64_t lacking);

  std::vector<Pair> recent_;      // pairs with kExact
  FlatMap<PairKey, Match> kept_;  // nodes whose number kKeptEvery divides
  std::vector<Passed> passed_;    // such nodes of the current walk in match()
};

struct IdWordMismatch {
  std::uint64_t id = 0;
  std::optional<ThreadIndex> thread;  // std::nullopt if found at the end
  Result<CallPath> decoded;
  CallPath truth;
};

// Counts of id words, one per occurrence.
struct IdWordCounts {
  std::uint64_t met = 0;
  std::uint64_t wrong = 0;  // met words found wrong at once
  std::uint64_t without =
      0;  // met words without an id, or with an unknown true context (records were lost)
  std::uint64_t lacking = 0;  // met words that are right at once, except for frames without ids
  std::uint64_t starts =
      0;  // words of frames that start a thread, not among the met words but, if wrong, in `wrong`
  std::uint64_t starts_without = 0;  // of `starts`, without an id or with an unknown true context
  std::uint64_t records = 0;         // records of packets that the words took
  // Sums over the met words that have an id and a known context, if ids decode.
  StackFigures stack;
  std::uint64_t largest_code = 0;
};
using RecordsOfThreads = std::map<ThreadIndex, std::uint64_t>;

class IdWordCheck {
 public:
  struct Outcome {
    IdWordCounts words;
    std::uint64_t ids = 0;           // distinct ids
    std::uint64_t wrong_at_end = 0;  // pairs of id and context
    std::set<MethodId> lacking;      // methods of frames that ids leave out
    // contexts with the id of an earlier one; 0 for encoders that decode
    std::uint64_t collisions = 0;
    std::uint64_t not_kept = 0;  // distinct ids without memory to compare them at the end
    RecordsOfThreads records_of_threads;
    std::optional<IdWordMismatch> first_wrong;

    bool is_right() const noexcept { return words.wrong == 0 && wrong_at_end == 0; }
  };

  explicit IdWordCheck(const IdWordDecoder& decoder) : decoder_(decoder) {}

  const IdWordDecoder& decoder() const noexcept { return decoder_; }

  // Called by folders. Keeps the first mismatch.
  void add_mismatch(IdWordMismatch mismatch) noexcept;
  // An id of a folder, with its node in the tree that finish() gets.
  struct Seen {
    std::uint64_t id;
    std::uint32_t node;
    friend auto operator<=>(const Seen&, const Seen&) = default;
  };
  // Adds a folder's results. `records` sum up to those of `counts`.
  void add(const IdWordCounts& counts, const RecordsOfThreads& records,
           const std::vector<Seen>& seen, std::uint64_t not_kept) noexcept;

  // Compares all pairs again. Cost: some steps of a decode per distinct pair, and one for each node. REQUIRES: called
  // once, when folders are merged.
  Outcome finish(const cct::ContextTree& tree);

 private:
  void compare_again(const Seen& seen, const cct::ContextTree& tree, RightIds& right,
                     Outcome& outcome);

  const IdWordDecoder& decoder_;
  std::mutex mutex_;  // guards the fields after it
  IdWordCounts counts_;
  RecordsOfThreads records_;
  std::uint64_t not_kept_ = 0;
  std::vector<Seen> seen_;
  std::optional<IdWordMismatch> first_wrong_;
};

}  // namespace copse::validation
