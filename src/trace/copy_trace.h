// Any trace as a binary file, for instance a text trace.
#pragma once

#include "base/status.h"
#include "trace/trace.h"
#include "trace/trace_writer.h"

namespace copse::trace {

// Writes everything `source` gives from where it stands, with its tables, and finishes the file.
// When the source fails its error is returned and the file is left without an end.
Status copy_trace(Trace& source, TraceWriter& writer);

}  // namespace copse::trace
