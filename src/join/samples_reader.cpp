#include "join/samples_reader.h"

#include <string_view>

#include "join/collapsed_reader.h"
#include "join/pprof_reader.h"

namespace copse::join {
namespace {

bool begins_as_json(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && beginning[first] == '{';
}

Status read_into(SampledStacks& stacks, SampleBytes& bytes, const JfrReading& jfr) {
  if (!bytes.status()) return bytes.status();
  if (bytes.at_end()) return Status::error(bytes.name() + ": is empty");
  if (begins_as_json(bytes.block())) return read_jfr_json(bytes, jfr, stacks);
  if (begins_as_collapsed(bytes.block())) return read_collapsed(bytes, stacks);
  if (begins_as_pprof(bytes.block())) return read_pprof(bytes, stacks);
  return Status::error(bytes.name() +
                       ": is none of what is read: collapsed stacks, a flight recording, or a "
                       "profile of pprof");
}

}  // namespace

bool is_flight_recording(const SampleBytes& bytes) {
  return bytes.block().starts_with(std::string_view("FLR\0", 4));
}

Result<SampledStacks> read_samples(SampleBytes& bytes, const JfrReading& jfr,
                                   FrameReading reading) {
  SampledStacks stacks(reading);
  const Status status = read_into(stacks, bytes, jfr);
  if (!status) return status;
  return stacks;
}

}  // namespace copse::join
