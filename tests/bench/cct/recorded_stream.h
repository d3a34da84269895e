// A call stream out of a trace, as `copse record` writes them, or its text form.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"
#include "cct/streams.h"

namespace copse::bench {

// The first `most_calls` calls of the thread that makes as many first; when none does, all calls of
// the thread with the most. Named after the file, without its extension. Reads no further than it
// needs: damage behind that place does not show.
//
// One thread, for that is what a stream stands for: a producer appends for one thread, a packet
// holds calls of one, and its start chain continues the thread's packet before it. Calls of several
// threads in one stream would change depth in ways that no packet does. What is left out: a run
// folds packets of all threads in turn, so contexts that they share are warmer there and others
// colder.
Result<CallStream> recorded_stream(const std::string& path, std::size_t most_calls);

}  // namespace copse::bench
