#include "encoders/events/event_kind.h"

#include <algorithm>

namespace copse::events {
namespace {

using enum EventKind;

struct Measure {
  std::string_view name;
  std::vector<EventKind> kinds;
};

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = {
      {"cpu", {kCpu}},
      {"cpu=corrected", {kCpuCorrected}},
      {"cpu=native", {kCpuNative}},
      {"wall", {kRunning, kNative, kBlocked, kWaiting, kParked, kSleeping}},
      {"alloc", {kAllocation}},
      {"alloc=exact", {kExactAllocation}},
      {"exceptions", {kException}},
      {"locks", {kContention, kParked}},
      {"ids", {kId}},
  };
  return all;
}

}  // namespace

std::vector<EventKind> kinds_of_measure(std::string_view measure) {
  for (const Measure& known : measures()) {
    if (known.name == measure) return known.kinds;
  }
  return {};
}

std::vector<EventKind> kinds_of_measures(const std::vector<std::string>& measures) {
  std::vector<EventKind> kinds;
  for (const std::string& measure : measures) {
    for (const EventKind kind : kinds_of_measure(measure)) {
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
  }
  return kinds;
}

}  // namespace copse::events
