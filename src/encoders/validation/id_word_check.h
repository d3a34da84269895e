// What became of the id words of a run: each was compared with the context tree's node of its
// frame, call sites included.
//
//   at once   by the folder that meets it (checking_folder.h): its id's decode is the node's path
//   at end    when recording has ended and the folders' trees are one: every distinct pair of id and
//             node again, so ids are compared across folders, and what an encoder did to its tables
//             meanwhile is seen
//
// An id whose decode is the path but for frames that may keep no id is no mismatch, and is counted as
// what it is: one that lacks frames.
//
// An id that stands for two nodes is wrong for one of them. Of encoders that do not decode that is
// all there is to see: a collision, which they may have.
//
// Threads: any; one mutex. Order: an engine's locks, then it.
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
#include "cct/context_tree.h"
#include "encoders/validation/id_word_decoder.h"

namespace copse::validation {

// The path that leads to the node.
CallPath path_to(const cct::ContextTree& tree, NodeIndex node);

enum class Match : std::uint8_t { kExact, kLacksFrames, kNone };

// Compares ids with nodes of one tree. Keeps what it found: the pairs asked about not long ago, and for good every 32nd
// node of the paths that it walked. So any number of contexts of a recursion, asked about in any order, cost some steps
// each, however deep it is.
class RightIds {
 public:
  RightIds() : recent_(kRecent) {}

  // Only of a decoder that decodes. `lacking`: gets the methods of the frames that are left out, of those that no
  // earlier question told.
  Match match(const IdWordDecoder& decoder, std::uint64_t id, const cct::ContextTree& tree,
              NodeIndex node, std::set<MethodId>& lacking);
  // The tree gets other nodes.
  void forget() noexcept;

 private:
  struct Pair {
    std::uint64_t id = 0;
    std::uint32_t node = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  // A pair of the path that is being walked, and how many frames were left out before it.
  struct Passed {
    Pair pair;
    std::uint64_t lacking;
  };
  static constexpr std::size_t kRecent = 4096;     // a power of two
  static constexpr std::uint32_t kKeptEvery = 32;  // nodes

  Pair& place_of(Pair pair) noexcept;
  std::optional<Match> known(Pair pair) noexcept;
  void keep(Match at_end, std::uint64_t lacking);

  std::vector<Pair> recent_;      // kExact
  FlatMap<PairKey, Match> kept_;  // of nodes that kKeptEvery divides
  std::vector<Passed> passed_;    // of such nodes, while match() walks
};

struct IdWordMismatch {
  std::uint64_t id = 0;
  std::optional<ThreadIndex> thread;  // none: found at the end
  Result<CallPath> decoded;
  CallPath truth;
};

// Of id words, as often as they were met.
struct IdWordCounts {
  std::uint64_t met = 0;
  std::uint64_t wrong = 0;  // of these, at once
  std::uint64_t without =
      0;  // of these: no id, or nobody knows the true context (records were lost)
  std::uint64_t lacking = 0;  // of these, at once: right but for frames without ids
  std::uint64_t records = 0;  // that they took in packets
};
using RecordsOfThreads = std::map<ThreadIndex, std::uint64_t>;

class IdWordCheck {
 public:
  struct Outcome {
    IdWordCounts words;
    std::uint64_t ids = 0;           // distinct
    std::uint64_t wrong_at_end = 0;  // pairs of id and context
    std::set<MethodId> lacking;      // methods of frames that ids leave out
    std::uint64_t collisions = 0;    // contexts whose id an earlier one has; of those that decode 0
    std::uint64_t not_kept = 0;      // distinct ids without memory to compare them at the end
    RecordsOfThreads records_of_threads;
    std::optional<IdWordMismatch> first_wrong;

    bool is_right() const noexcept { return words.wrong == 0 && wrong_at_end == 0; }
  };

  explicit IdWordCheck(const IdWordDecoder& decoder) : decoder_(decoder) {}

  const IdWordDecoder& decoder() const noexcept { return decoder_; }

  // From folders. The first mismatch is kept.
  void add_mismatch(IdWordMismatch mismatch) noexcept;
  // A folder's ids, with the nodes of the tree that finish() is given.
  struct Seen {
    std::uint64_t id;
    std::uint32_t node;
    friend auto operator<=>(const Seen&, const Seen&) = default;
  };
  // `records` sum up to those of `counts`.
  void add(const IdWordCounts& counts, const RecordsOfThreads& records,
           const std::vector<Seen>& seen, std::uint64_t not_kept) noexcept;

  // Once, when folders are merged. Cost: some steps of a decode per distinct pair, and one for each node.
  Outcome finish(const cct::ContextTree& tree);

 private:
  void compare_again(const Seen& seen, const cct::ContextTree& tree, RightIds& right,
                     Outcome& outcome);

  const IdWordDecoder& decoder_;
  std::mutex mutex_;  // of all below
  IdWordCounts counts_;
  RecordsOfThreads records_;
  std::uint64_t not_kept_ = 0;
  std::vector<Seen> seen_;
  std::optional<IdWordMismatch> first_wrong_;
};

}  // namespace copse::validation
