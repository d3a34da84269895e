// From a wrongly decoded token somewhere in a long stream to the smallest history that still shows
// it (delta debugging): first the shortest prefix, then without whole threads, without calls and
// all below them, with the bodies of recursive calls merged into their outermost one, and without
// single frames. The last makes methods call what they do not call in the program: the result is a
// program of its own.
//
// The result is 1-minimal, when the effort was enough: taking out any one call, with or without
// what is below it, makes the failure disappear. It has exactly one mark, where the failing token
// is taken, so that it can be replayed by itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "encoders/study/encoder_check.h"
#include "encoders/study/scheme_config.h"

namespace copse::study {

struct ShrinkOptions {
  std::uint64_t most_prefix = std::uint64_t{1} << 24;  // operations; longer ones are not shrunk
  std::uint64_t effort = 100'000'000;                  // operations replayed altogether
};

struct Counterexample {
  std::vector<Op> ops;
  std::uint64_t calls = 0;
  std::string what;          // expected and got, one line
  bool keeps_graph = false;  // fails only with the graph of the whole stream, not with its own
  bool minimal = false;      // effort was enough
};

// Whether a token taken at the one mark of `ops` decodes wrongly, at once or at the end; if so,
// how.
std::string failure_of(const std::vector<Op>& ops, const encoders::EncoderInfo& info,
                       const SchemeConfig& config);

Result<Counterexample> shrink_failure(OpStream& stream, const Survey& survey,
                                      const EncoderCheck& row, const SchemeConfig& config,
                                      const ShrinkOptions& options = {});

}  // namespace copse::study
