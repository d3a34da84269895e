// The one hash of this module; sha256.cpp alone knows the library.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/stable_id.h"

namespace copse::identity {

// The first 16 bytes of SHA-256.
StableId hash_of(std::string_view bytes);

}  // namespace copse::identity
