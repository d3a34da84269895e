// What another profiler saw of a program: stacks, and how often or for how long each was met.
//
// Equal stacks are one, and stacks share the frames that they begin with, as a tree. So memory is in
// proportion to what is distinct, not to the number of samples.
// Threads: one at a time.
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
  // Something that was counted by stack.
  struct Value {
    std::string name;              // as its source calls it, for --value
    std::string unit = "samples";  // or "ns", "bytes", or another thing that is counted
    std::string stem = "samples";  // of a measure's name, without the unit: "cpu"
    std::uint64_t total = 0;
    std::vector<std::string> notes;  // sentences on what it means
  };
  // The last frame of the stacks that end there, and the frames above it by their nodes.
  struct Node {
    std::uint32_t parent;
    FrameId frame;
  };
  // The two nodes without a frame: above whole stacks, and above those of which outer frames are
  // missing.
  static constexpr std::uint32_t kWhole = 0;
  static constexpr std::uint32_t kCut = 1;
  static constexpr std::uint32_t kRoots = 2;

  // What the file says of the run besides.
  struct Origin {
    std::string what;               // "a profile of pprof"
    std::string started;            // ISO 8601, UTC; "": not said
    double wall_ms = 0;             // 0: not said
    bool is_copse = false;          // Copse made the file of a report
    bool has_plain_counts = false;  // nothing says what the counts are of
    std::vector<std::string> comments;
    std::vector<std::string> notes;  // sentences on what the file lacks
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
    std::uint64_t samples = 0;  // that the amount is of; 0: it is their number, or nobody says
  };
  // `stack`: outermost first, empty when none of its frames is taken. Adds the amount; an error when
  // the sum does not fit 64 bits. Where the innermost frame was in its method is forgotten. Cost: of
  // frames that the stack before it did not begin with, a look-up each.
  Status add(std::span<const FrameId> stack, std::uint32_t root, std::size_t value,
             const Seen& seen);
  // All amounts of the value, and its total; an error as of add(). What they were is their samples, unless
  // add() was told of others.
  Status multiply(std::size_t value, std::uint64_t factor);
  // Adds all amounts of a value to those of another one, and the numbers of samples that they are of. An
  // error as of add().
  Status add_amounts(std::size_t to, std::size_t from);
  // Forgets the value that was added last.
  void drop_last_value();
  // The same of samples that do not say what they stand for. An error too when they do: times, bytes.
  Status take_each_for(std::size_t value, std::uint64_t period_ns);

  const std::vector<Value>& values() const noexcept { return values_; }
  // The one of that name; "": `shown`. An error names those that there are.
  Result<std::size_t> value_named(const std::string& name) const;
  std::size_t shown = 0;  // of the values, unless another is asked for

  // Parents come before their children.
  const std::vector<Node>& nodes() const noexcept { return nodes_; }
  const std::vector<Frame>& frames() const noexcept { return frames_; }
  // Of the stacks that end at exactly this node.
  std::uint64_t amount(std::uint32_t node, std::size_t value) const {
    const std::vector<std::uint64_t>& column = amounts_[value];
    return node < column.size() ? column[node] : 0;
  }
  // How many samples that is, where it is known and not the amount itself.
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
  std::vector<std::vector<std::uint64_t>> samples_;  // as these; empty: not known
  std::vector<FrameId> anywhere_;  // by frame: the same frame without its place, where known
  std::uint32_t path_root_ = kWhole;
  std::vector<Step> path_;  // of the stack that was added last, without its innermost frame
};

}  // namespace copse::join
