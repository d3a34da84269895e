// A call stream from a trace, as `copse record` writes it, or from a trace's text form.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"
#include "cct/streams.h"

namespace copse::bench {

// Returns the first `most_calls` calls of the thread that first makes that many. If no thread does, returns all calls
// of the thread with the most. The stream is named after the file, without its extension. The file is read only as far
// as needed: damage behind that place does not show.
//
// A stream is of one thread: a producer appends for one thread, a packet holds calls of one thread, and
// its start chain continues the thread's packet before it. Calls of several threads in one stream
// would change depth in ways that no packet does. Difference from a run: a run
// folds packets of all threads in turn, so contexts that threads share are warmer there and others
// colder.
Result<CallStream> recorded_stream(const std::string& path, std::size_t most_calls);

}  // namespace copse::bench
