// Feeds engines with the events of a run given as text, one per line (docs/binary-formats.md).
#pragma once

#include <istream>
#include <string>

#include "base/status.h"
#include "ptql/engine/engines.h"

namespace copse::ptql {

// Feeds all events and the end of the run; stops early when all engines are done. Error: "FILE: line 3: why". A line
// that breaks the engine's contract, so that no run can have it, is an error.
Status feed_events(std::istream& text, const std::string& file, Engines& engines);

}  // namespace copse::ptql
