// Writes any event source as a text trace: for golden files, and for people who read failures.
#pragma once

#include <iosfwd>
#include <string>

#include "base/status.h"
#include "trace/event_source.h"

namespace copse::trace {

// Writes all events of `source` from its present position, and for a Trace also threads, program
// and end. A method's number has its name in a comment. `comment` goes to the top, each of its
// lines behind a '#'. Returns the source's error, after writing the events before it. The caller
// checks the stream's state.
Status write_text(std::ostream& out, EventSource& source, const std::string& comment = "");

}  // namespace copse::trace
