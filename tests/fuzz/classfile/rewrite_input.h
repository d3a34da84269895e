// What both the fuzz target and the replay of its corpus do with one input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "agent/classfile/rewriter.h"
#include "classverify/exercise_probes.h"
#include "support/class_reader.h"

namespace copse::classfile {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Rewrites with each kind of probes. What comes out must be a class file as well-formed as what
// went in, and must be accepted again.
inline void rewrite_input(std::span<const std::uint8_t> bytes) {
  for (const Exercise exercise : {Exercise::kLocals, Exercise::kNoLocals, Exercise::kEntry}) {
    ExerciseProbes probes(exercise);
    const auto first = rewrite(bytes, probes);
    if (!first.ok()) {
      require(!first.message().empty(), "a failure without a reason");
      continue;
    }
    if (!first->changed) {
      require(first->bytes.empty(), "bytes although nothing changed");
      continue;
    }
    require(read_class(first->bytes).has_value(), "the output is not a class file");
    ExerciseProbes again(exercise);
    require(rewrite(first->bytes, again).ok(), "the output is not accepted");
  }
  ExerciseProbes refuse(Exercise::kNothing);
  const auto untouched = rewrite(bytes, refuse);
  require(!untouched.ok() || !untouched->changed, "changed although every method was refused");
}

}  // namespace copse::classfile
