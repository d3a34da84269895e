// Counters of a running JVM, by which it describes itself (jvmstat). HotSpot keeps them in a file in /tmp, unless its
// options forbid it.
#pragma once

#include <string>
#include <string_view>

#include "cli/profile/attach_protocol.h"

namespace copse::cli {

// Returns the bytes of a JVM's file; "" if there is none.
std::string counters_of(const TargetJvm& jvm);

// Returns the text of a counter in such bytes; "" if missing. Accepts any bytes.
std::string text_of_counter(std::string_view counters, std::string_view name);

}  // namespace copse::cli
