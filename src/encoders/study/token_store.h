// Tokens kept until the run has ended: consecutive bytes, and 8 bytes more for each token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "encoders/replay/token.h"

namespace copse::study {

class TokenStore {
 public:
  explicit TokenStore(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Returns false, and keeps nothing, if the bytes would pass the bound. Then later tokens are refused, too, so that
  // the store holds the first tokens without a gap.
  bool add(const encoders::Token& token);

  std::size_t size() const noexcept { return ends_.size(); }
  std::string_view bytes(std::size_t index) const noexcept;
  encoders::Token token(std::size_t index) const;

 private:
  const std::size_t most_bytes_;
  bool full_ = false;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> ends_;
};

// Counts pairs (token, context) with the same token beyond the first context of each token: 0 if tokens tell contexts
// apart. `contexts` are numbers, one per kept token.
struct Collisions {
  std::uint64_t contexts = 0;  // distinct ones
  std::uint64_t count = 0;
};
Collisions count_collisions(const TokenStore& tokens, const std::vector<std::uint32_t>& contexts);

}  // namespace copse::study
