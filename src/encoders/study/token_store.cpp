#include "encoders/study/token_store.h"

#include <algorithm>
#include <numeric>

namespace copse::study {

bool TokenStore::add(const encoders::Token& token) {
  full_ = full_ || token.size() > most_bytes_ - bytes_.size();
  if (full_) return false;
  bytes_.insert(bytes_.end(), token.bytes().begin(), token.bytes().end());
  ends_.push_back(bytes_.size());
  return true;
}

std::string_view TokenStore::bytes(std::size_t index) const noexcept {
  const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1];
  return {reinterpret_cast<const char*>(bytes_.data()) + begin,
          static_cast<std::size_t>(ends_[index] - begin)};
}

encoders::Token TokenStore::token(std::size_t index) const {
  const std::string_view text = bytes(index);
  return encoders::Token(std::vector<std::uint8_t>(text.begin(), text.end()));
}

Collisions count_collisions(const TokenStore& tokens, const std::vector<std::uint32_t>& contexts) {
  std::vector<std::uint32_t> order(tokens.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int by_token = tokens.bytes(a).compare(tokens.bytes(b));
    return by_token != 0 ? by_token < 0 : contexts[a] < contexts[b];
  });
  Collisions found;
  for (std::size_t i = 1; i < order.size(); ++i) {
    found.count += tokens.bytes(order[i]) == tokens.bytes(order[i - 1]) &&
                   contexts[order[i]] != contexts[order[i - 1]];
  }
  std::vector<std::uint32_t> distinct(
      contexts.begin(), contexts.begin() + static_cast<std::ptrdiff_t>(tokens.size()));
  std::sort(distinct.begin(), distinct.end());
  found.contexts =
      static_cast<std::uint64_t>(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
  return found;
}

}  // namespace copse::study
