// Segment: learns codes while the program runs, and never changes a code. Ours; docs/encodings.md has the proof.
//
// A method n has given out the codes [0, N(n)); 0 is for pieces that start with it. An edge (p, n) maps p's codes by
// ranges (source, base, length). A range is made when a call first needs it, for codes around the call's code: codes
// that p has given out, and some that it will. An edge is cut, and gets no more ranges, when its callee is already on
// the path of the piece, or has no room for another range. So no method recurs within a piece, and a recursive program
// has as few ranges as its acyclic part.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/context_number.h"
#include "encoders/numbering/numbering.h"

namespace copse::encoders {

struct SegmentNumberingOptions {
  std::uint32_t most_codes = kMostIdCodes;  // per method
  std::uint32_t longest = 1 << 12;          // codes of a new range; a power of two
  std::uint32_t reserve = 4;  // codes of a new range that the caller has not given out
};

class SegmentNumbering final : public CodeNumbering {
 public:
  static constexpr std::string_view kName = "segment";

  explicit SegmentNumbering(SegmentNumberingOptions options = {});

  std::string_view name() const noexcept override { return kName; }
  SlotKind slots() const noexcept override { return SlotKind::kMappings; }
  std::optional<Mapping> mapping(EdgeKey edge, std::uint64_t code) override;
  std::optional<Mapping> known_mapping(EdgeKey edge, std::uint64_t code) const override;
  std::optional<Step> step_to(MethodId method, std::uint64_t code, MethodId start) const override;
  std::uint64_t mapping_count() const noexcept override { return range_count_; }
  std::uint64_t largest_code() const noexcept override;
  std::uint64_t bytes() const override;
  void save(wire::StateWriter& out) const override;
  void load(wire::StateReader& in) override;
  void keep_journal(NumberingJournal& journal) override { journal_ = &journal; }
  bool replay(const NumberingChange& change, MethodId last) override;

 private:
  // Kind of a journal's change: the codes that a method gave out next. `small`: the caller's first code and, << 20,
  // their number; a word: the edge.
  static constexpr std::uint8_t kIssued = 0;
  static constexpr int kLengthShift = 20;
  static constexpr std::uint64_t kSourceMask = (std::uint64_t{1} << kLengthShift) - 1;

  struct Range {
    std::uint32_t source;
    std::uint32_t base;
    std::uint32_t length;
  };
  struct Edge {
    EdgeKey key;
    bool is_cut = false;
    std::vector<Range> ranges;  // ascending by source
  };
  struct Issue {
    std::uint32_t edge;
    std::uint32_t source;
    std::uint32_t base;
  };
  struct Method {
    std::uint32_t codes = 1;
    std::vector<Issue> issues;  // ascending by base, without gaps from 1 on
  };

  std::uint32_t edge_of(EdgeKey key);
  static std::optional<Mapping> find(const Edge& edge, std::uint64_t code);
  bool is_on_path(MethodId wanted, MethodId method, std::uint64_t code) const;
  bool append(std::uint32_t index, std::uint32_t code);

  const SegmentNumberingOptions options_;
  FlatMap<EdgeKey, std::uint32_t> edge_index_;
  std::vector<Edge> edges_;
  std::vector<Method> methods_;  // by id; ROOT is always there
  std::uint64_t range_count_ = 0;
  NumberingJournal* journal_ = nullptr;  // nullptr if none is kept
};

}  // namespace copse::encoders
