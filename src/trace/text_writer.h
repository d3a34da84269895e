// Any event source as a text trace: for golden files, for failures a person is to read.
#pragma once

#include <iosfwd>
#include <string>

#include "base/status.h"
#include "trace/event_source.h"

namespace copse::trace {

// Writes everything `source` gives from where it stands; of a Trace also threads, program and end.
// A method's number carries its name in a comment. `comment` goes to the top, each of its lines
// behind a '#'. The error is the source's, what came before it is written; the stream's state is
// the caller's to look at.
Status write_text(std::ostream& out, EventSource& source, const std::string& comment = "");

}  // namespace copse::trace
