// Events of a run as text, one a line (docs/formats.md), given to engines.
#pragma once

#include <istream>
#include <string>

#include "base/status.h"
#include "ptql/engine/engines.h"

namespace copse::ptql {

// Feeds all events and the end of the run; stops early when all are done. What is wrong: "FILE:
// line 3: why". The contract of the engine is looked after: what is no possible run is wrong, too.
Status feed_events(std::istream& text, const std::string& file, Engines& engines);

}  // namespace copse::ptql
