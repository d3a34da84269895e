// A trace file of either form, binary or text, told apart by its first bytes.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "base/wire/byte_source.h"
#include "trace/trace.h"

namespace copse::trace {

// "PATH: why" when it cannot be read or is neither form; damage further on shows in next().
Result<std::unique_ptr<EventSource>> open_trace(const std::string& path);

// The same, with what a trace tells beside its events.
Result<std::unique_ptr<Trace>> open_whole_trace(const std::string& path);
Result<std::unique_ptr<Trace>> open_whole_trace(std::unique_ptr<wire::ByteSource> bytes);

}  // namespace copse::trace
