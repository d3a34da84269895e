// Writes figures of encoders as lines of text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/scheme_facts.h"

namespace copse::study {

// Returns a line for a scheme that has facts, and one for each of its epochs.
std::string facts_text(std::string_view name, const SchemeFacts& facts);

// Returns the lines of facts_text(), the first with the entries on stacks.
std::string figures_text(const EncoderFigures& figures);

// Returns a line for a scheme whose tokens do not decode: its collisions beside those that chance lets as many contexts
// have.
std::string chance_text(std::string_view name, std::uint64_t collisions, std::uint64_t contexts,
                        std::uint64_t token_bytes);

}  // namespace copse::study
