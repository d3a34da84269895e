#include "compare/identity/sha256.h"

#include <nettle/sha2.h>

namespace copse::identity {

StableId hash_of(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  StableId id;
  sha256_digest(&context, id.bytes.size(), id.bytes.data());
  return id;
}

}  // namespace copse::identity
