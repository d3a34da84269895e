// Which methods of a report a sampled frame can be.
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
    kNotCalled,  // it would have been recorded, and the report has no call of it
    kNo,         // it was not recorded: of the JDK, filtered out, skipped
  };
  struct Answer {
    Known known = Known::kNo;
    std::vector<std::int32_t> methods;  // rows, ascending; of kYes
  };

  explicit ReportNames(const report::ReportModel& model);

  // Whether threads had frames when recording began, which are not in the tree: outer frames that the
  // report has no call of are not recorded ones then.
  bool may_lack_outer_frames() const noexcept { return may_lack_outer_frames_; }

  // By class, name and, where the frame has one, descriptor. Cost: a look-up.
  Answer methods_of(const Frame& frame) const;

 private:
  bool is_recorded(const Frame& frame) const;

  const report::ReportModel& model_;
  std::unordered_map<std::string, std::vector<std::int32_t>> rows_;  // by class and name
  std::unordered_set<std::string> recorded_classes_;
  std::unordered_set<std::string> skipped_;  // classes, and methods with their classes
  agent::MethodFilter filter_;
  bool may_lack_outer_frames_ = false;
};

}  // namespace copse::join
