// Shrinks a long stream with a wrongly decoded token to the smallest history that still shows the failure (delta
// debugging): first the shortest prefix, then without whole threads, without calls and their subtrees, with the bodies
// of recursive calls merged into their outermost one, and without single frames. The last step makes methods call
// others than in the program: the result is a program of its own.
//
// The result is 1-minimal if the effort was enough: removing any one call, with or without its subtree, makes the
// failure disappear. It has exactly one mark, at the failing token, so that it can be replayed by itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "encoders/study/encoder_check.h"
#include "encoders/study/scheme_config.h"

namespace copse::study {

struct ShrinkOptions {
  std::uint64_t most_prefix = std::uint64_t{1} << 24;  // operations; longer prefixes are not shrunk
  std::uint64_t effort = 100'000'000;                  // operations replayed altogether
};

struct Counterexample {
  std::vector<Op> ops;
  std::uint64_t calls = 0;
  std::string what;          // expected and got, one line
  bool keeps_graph = false;  // fails only with the graph of the whole stream, not with its own
  bool minimal = false;      // effort was enough
};

// Returns how a token taken at the one mark of `ops` decodes wrongly, at once or at the end; "" if it decodes
// correctly.
std::string failure_of(const std::vector<Op>& ops, const encoders::EncoderInfo& info,
                       const SchemeConfig& config);

Result<Counterexample> shrink_failure(OpStream& stream, const Survey& survey,
                                      const EncoderCheck& row, const SchemeConfig& config,
                                      const ShrinkOptions& options = {});

}  // namespace copse::study
