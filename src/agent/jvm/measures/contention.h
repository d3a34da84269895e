// Waits for a monitor that another thread holds (MonitorContendedEnter, MonitorContendedEntered). The weight is the
// time waited.
#pragma once

#include "agent/jvm/measures/jvm_event.h"

namespace copse::jvm {

extern const JvmEvent kContention;

}  // namespace copse::jvm
