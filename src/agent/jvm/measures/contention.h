// Waits for a monitor that another thread holds (MonitorContendedEnter, MonitorContendedEntered). The weight is the
// time waited. The wait of a synchronized method is in the method's own context, though its call has not begun.
#pragma once

#include "agent/jvm/measures/jvm_event.h"

namespace copse::jvm {

extern const JvmEvent kContention;

// Returns the synchronized method that a thread, which waits for a monitor, is about to enter; nullptr if it waits
// elsewhere. `thread`: nullptr means the running one.
jmethodID entered_method(jvmtiEnv* jvmti, jthread thread);

}  // namespace copse::jvm
