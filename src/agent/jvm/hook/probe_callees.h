// The JDK's methods that probes call. They must not be recorded: a recorded one would enter a probe, which calls it, and
// so on. They are derived from the class files of the probes and of the JDK, since each JDK has others: what is native
// or replaced by compilers in one is a method with code in the next.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>

#include "agent/jvm/hook/boot_image.h"
#include "agent/jvm/runtime/probe_kind.h"
#include "base/status.h"

namespace copse::jvm {

// Internal name of the class, and the method's name and descriptor.
using ProbeCallees = std::set<std::pair<std::string, std::string>>;

// Returns the methods with code that the kind's probes call, those that these call, and so on. `image`: nullptr if the
// JDK has none. Errors: a class file cannot be read, or a call may lead to a method that the class files do not tell.
Result<ProbeCallees> find_probe_callees(std::span<const ProbeKind::JavaClass> probes,
                                        BootImage* image);

}  // namespace copse::jvm
