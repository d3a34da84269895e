// Limits of decoders, and figures of an encoder that its paper's tables have, beyond time and memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace copse {

// Longest context that decode() builds: a damaged token must not make it run for ever.
inline constexpr std::size_t kMaxPathSteps = std::size_t{1} << 22;
// Same limit for schemes whose tokens can lead round a cycle: LUCE's (once per value that a code has under a wrong
// version), and published variants'.
inline constexpr std::size_t kMaxUnsoundSteps = std::size_t{1} << 16;
// Same limit for the work of decoders whose steps cost more than a binary search.
inline constexpr std::size_t kMaxDecodeWork = std::size_t{1} << 28;

// Entries on a thread's stack, of a scheme that keeps one. Where a context is a number, its pieces but ROOT's.
struct StackHeight {
  std::uint64_t entries = 0;
  // Entries of calls whose site was not known to make them (DeltaPath); std::nullopt where there is no such kind.
  std::optional<std::uint64_t> unexpected = std::nullopt;
  // Code of the running context in its piece; std::nullopt where none is kept.
  std::optional<std::uint64_t> code = std::nullopt;
};

// Sums over many stacks.
struct StackFigures {
  std::uint64_t entries = 0;
  std::uint64_t most_entries = 0;
  bool has_unexpected = false;  // the scheme tells them (StackHeight)
  std::uint64_t unexpected = 0;
  std::uint64_t most_unexpected = 0;
  std::optional<std::uint64_t> largest_code = std::nullopt;

  void add(const StackHeight& height, std::uint64_t times = 1) noexcept {
    entries += height.entries * times;
    most_entries = std::max(most_entries, height.entries);
    if (height.code) largest_code = std::max(largest_code.value_or(0), *height.code);
    if (!height.unexpected) return;
    has_unexpected = true;
    unexpected += *height.unexpected * times;
    most_unexpected = std::max(most_unexpected, *height.unexpected);
  }
  void add(const StackFigures& other) noexcept {
    entries += other.entries;
    most_entries = std::max(most_entries, other.most_entries);
    if (other.largest_code) largest_code = std::max(largest_code.value_or(0), *other.largest_code);
    has_unexpected = has_unexpected || other.has_unexpected;
    unexpected += other.unexpected;
    most_unexpected = std::max(most_unexpected, other.most_unexpected);
  }
};

// Returns a sum over tokens, per token; 0 without tokens.
inline double per_token(std::uint64_t sum, std::uint64_t tokens) noexcept {
  return tokens == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(tokens);
}

struct SchemeFact {
  std::string name;  // a JSON key, such as "max_id"
  std::uint64_t value = 0;
};

// Pushes of a scheme with a stack, at any call, whether a token is taken there or not.
class PushCount {
 public:
  // `height`: of the stack behind the push.
  void pushed(std::uint64_t height) noexcept {
    ++pushes_;
    deepest_ = std::max(deepest_, height);
  }
  void add_to(std::vector<SchemeFact>& facts) const {
    facts.push_back({"pushes", pushes_});
    facts.push_back({"deepest_stack", deepest_});
  }

 private:
  std::uint64_t pushes_ = 0;
  std::uint64_t deepest_ = 0;
};

// An epoch of a numbering that is renewed while the program runs (DACCE).
struct EpochFacts {
  std::string trigger;      // reason for the renumbering
  std::uint64_t edges = 0;  // of the numbered graph
  std::uint64_t max_id = 0;
  std::uint64_t ns = 0;  // time that the renumbering took
};

struct SchemeFacts {
  std::vector<SchemeFact> values;
  std::vector<EpochFacts> epochs;
};

// Figures of an encoder that ran in a JVM.
struct EncoderFigures {
  std::string name;
  std::uint64_t tokens = 0;           // ids that `stack` is about; each occurrence counts
  std::optional<StackFigures> stack;  // std::nullopt if no id was asked for
  SchemeFacts facts;
};

}  // namespace copse
