// Writes the figures of an encoder as JSON, in the same form in every schema.
#pragma once

#include <cstdint>
#include <optional>

#include "base/scheme_facts.h"
#include "report/exports/json_text.h"

namespace copse::report {

// Writes the keys `stack`, `facts` and `epochs` of the current object. `tokens`: the number that the stack's sums are
// about.
void put_figures(JsonText& json, const std::optional<StackFigures>& stack, std::uint64_t tokens,
                 const SchemeFacts& facts);

// Writes the key `tokens` and those of put_figures().
void put_figures(JsonText& json, const EncoderFigures& figures);

}  // namespace copse::report
