// Stacks that another profiler saw, with counts or amounts.
//
// Stores stacks as a tree: equal stacks are one, and stacks share their outer frames. Memory
// depends on distinct stacks, not on the number of samples. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/flat_map.h"
#include "base/status.h"
#include "import/frame_name.h"

namespace copse::join {

using FrameId = std::uint32_t;

class SampledStacks {
 public:
  // A quantity counted by stack.
  struct Value {
    std::string name;              // name in the source, for --value
    std::string unit = "samples";  // or "ns", "bytes", or another unit
    std::string stem = "samples";  // measure's name without the unit: "cpu"
    std::uint64_t total = 0;
    std::vector<std::string> notes;  // sentences on its meaning
  };
  // The innermost frame of stacks that end here; outer frames are the ancestors.
  struct Node {
    std::uint32_t parent;
    FrameId frame;
  };
  // The two roots, nodes without a frame: of whole stacks, and of stacks whose outer frames are
  // missing.
  static constexpr std::uint32_t kWhole = 0;
  static constexpr std::uint32_t kCut = 1;
  static constexpr std::uint32_t kRoots = 2;

  // Other facts about the run in the file.
  struct Origin {
    std::string what;               // "a profile of pprof"
    std::string started;            // ISO 8601, UTC; "" means unknown
    double wall_ms = 0;             // 0 means unknown
    bool is_copse = false;          // Copse made the file of a report
    bool has_plain_counts = false;  // the file has no unit for the counts
    std::vector<std::string> comments;
    std::vector<std::string> notes;  // sentences on gaps in the file
  };

  explicit SampledStacks(FrameReading reading);

  FrameReading reading() const noexcept { return reading_; }
  Origin origin;

  std::size_t add_value(std::string name);
  void set_measure(std::size_t value, std::string unit, std::string stem);
  void add_note(std::size_t value, std::string note);
  FrameId frame(Frame frame);
  struct Seen {
    std::uint64_t amount = 0;
    std::uint64_t samples = 0;  // behind the amount; 0 means the amount itself, or unknown
  };
  // Adds an amount for a stack. `stack`: outermost first; empty if no frame is taken. Drops the
  // place of the innermost frame in its method. Returns an error when the sum does not fit 64 bits.
  // Cost: one look-up for each frame after the part shared with the previous stack.
  Status add(std::span<const FrameId> stack, std::uint32_t root, std::size_t value,
             const Seen& seen);
  // Multiplies all amounts of the value and its total. The former amounts become the numbers of
  // samples, unless add() got numbers. Returns an error as add() does.
  Status multiply(std::size_t value, std::uint64_t factor);
  // Adds all amounts of `from`, with their numbers of samples, to those of `to`. Returns an error
  // as add() does.
  Status add_amounts(std::size_t to, std::size_t from);
  // Drops the value that was added last.
  void drop_last_value();
  // Multiplies counts of samples by their period. Returns an error as add() does, and for values
  // that already have a unit, times or bytes.
  Status take_each_for(std::size_t value, std::uint64_t period_ns);

  const std::vector<Value>& values() const noexcept { return values_; }
  // Returns the value of that name; `shown` for "". The error lists all names.
  Result<std::size_t> value_named(const std::string& name) const;
  std::size_t shown = 0;  // default value

  // Parents come before their children.
  const std::vector<Node>& nodes() const noexcept { return nodes_; }
  const std::vector<Frame>& frames() const noexcept { return frames_; }
  // Amount of the stacks that end at exactly this node.
  std::uint64_t amount(std::uint32_t node, std::size_t value) const {
    const std::vector<std::uint64_t>& column = amounts_[value];
    return node < column.size() ? column[node] : 0;
  }
  // Returns true if the numbers of samples are known and differ from the amounts.
  bool has_samples(std::size_t value) const { return !samples_[value].empty(); }
  std::uint64_t samples(std::uint32_t node, std::size_t value) const {
    const std::vector<std::uint64_t>& column = samples_[value];
    return node < column.size() ? column[node] : 0;
  }

 private:
  struct FrameHash {
    std::size_t operator()(const Frame& frame) const noexcept;
  };
  struct Step {
    FrameId frame;
    std::uint32_t node;
  };

  std::uint32_t child(std::uint32_t parent, FrameId frame);
  std::uint32_t node_of(std::span<const FrameId> stack, std::uint32_t root);
  FrameId anywhere(FrameId at);

  FrameReading reading_;
  std::vector<Value> values_;
  std::vector<Frame> frames_;
  std::unordered_map<Frame, FrameId, FrameHash> frame_ids_;
  std::vector<Node> nodes_;
  FlatMap<std::uint64_t, std::uint32_t> node_ids_;   // by parent and frame
  std::vector<std::vector<std::uint64_t>> amounts_;  // by value and node
  std::vector<std::vector<std::uint64_t>> samples_;  // like amounts_; empty means unknown
  std::vector<FrameId> anywhere_;  // by frame: the same frame without its place, if known
  std::uint32_t path_root_ = kWhole;
  std::vector<Step> path_;  // last added stack without its innermost frame
};

}  // namespace copse::join
