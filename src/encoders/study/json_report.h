// Writes a comparison as JSON, schema copse.compare/2 (reports/copse.compare.schema.json).
#pragma once

#include <string>

#include "encoders/study/comparison.h"

namespace copse::study {

std::string comparison_json(const Comparison& comparison);

}  // namespace copse::study
