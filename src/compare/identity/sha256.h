// Hash of this module; only sha256.cpp uses the library.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/stable_id.h"

namespace copse::identity {

// Returns the first 16 bytes of SHA-256.
StableId hash_of(std::string_view bytes);

}  // namespace copse::identity
