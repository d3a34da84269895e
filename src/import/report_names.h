// Finds the methods of a report that a sampled frame can be.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/method_filter.h"
#include "import/frame_name.h"
#include "report/model/report_model.h"

namespace copse::join {

class ReportNames {
 public:
  enum class Known {
    kYes,        // the report has methods of this name
    kNotCalled,  // the method would be recorded, but the report has no call
    kNo,         // not recorded: part of the JDK, filtered out, or skipped
  };
  struct Answer {
    Known known = Known::kNo;
    std::vector<std::int32_t> methods;  // rows, ascending; empty unless kYes
  };

  explicit ReportNames(const report::ReportModel& model);

  // Returns true if threads had frames when recording began. These frames are not in the tree:
  // outer frames without a call in the report then count as not recorded.
  bool may_lack_outer_frames() const noexcept { return may_lack_outer_frames_; }

  // Finds by class, name and, if known, descriptor. Cost: one look-up.
  Answer methods_of(const Frame& frame) const;

 private:
  bool is_recorded(const Frame& frame) const;

  const report::ReportModel& model_;
  std::unordered_map<std::string, std::vector<std::int32_t>> rows_;  // by class and name
  std::unordered_set<std::string> recorded_classes_;
  std::unordered_set<std::string> skipped_;  // classes, and methods with their class
  agent::MethodFilter filter_;
  bool may_lack_outer_frames_ = false;
};

}  // namespace copse::join
