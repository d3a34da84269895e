// Queries about the runs of random_run.h, of two to four identifiers.
#pragma once

#include <string>

#include "random_run.h"

namespace copse::ptql::testing {

std::string random_query(Random& random);

}  // namespace copse::ptql::testing
