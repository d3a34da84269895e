// Random runs as copse record --values keeps them: written as a stream of values, read, and asked.
#pragma once

#include <cstdint>
#include <vector>

#include "random_run.h"

namespace copse::ptql::testing {

struct RecordedRun {
  std::vector<std::uint8_t> bytes;
  RandomRun run;  // with the stamps that the stream gives
};
// Records the run. `random` chooses where its blocks end.
RecordedRun recorded(const RandomRun& run, Random& random);

// Answers to the plans, one list for each. Fails the test if the stream cannot be read.
std::vector<std::vector<Answer>> recording_answers(const std::vector<Plan>& plans,
                                                   const RecordedRun& recording);

}  // namespace copse::ptql::testing
