// Opens a trace file of either form, binary or text, told apart by its first bytes.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "base/wire/byte_source.h"
#include "trace/trace.h"

namespace copse::trace {

// Returns the error "PATH: why" if the file cannot be read or has neither form. Later damage shows
// in next().
Result<std::unique_ptr<EventSource>> open_trace(const std::string& path);

// Do the same, and give access to a trace's other content beside its events.
Result<std::unique_ptr<Trace>> open_whole_trace(const std::string& path);
Result<std::unique_ptr<Trace>> open_whole_trace(std::unique_ptr<wire::ByteSource> bytes);

}  // namespace copse::trace
