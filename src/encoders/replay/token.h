// Data that a client stores with an event: a byte string written by one encoder and read by the same encoder's decode,
// in this process or another. Its size is the scheme's token size T. Integers are little-endian. A token is untrusted
// input: every read is bounds-checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_path.h"
#include "base/ids.h"
#include "base/status.h"

namespace copse::encoders {

class Token {
 public:
  Token() = default;
  explicit Token(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}

  void clear() noexcept { bytes_.clear(); }
  void put(std::uint64_t value, int byte_count);  // low bytes of value
  void put(MethodId method) { put(raw(method), 4); }
  void put_site(CallSite site) { put(site_key(site), 5); }
  void put(EdgeKey edge) { put(raw(edge), 8); }

  std::size_t size() const noexcept { return bytes_.size(); }
  const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }
  std::string hex() const;
  static Result<Token> from_hex(std::string_view text);

  friend bool operator==(const Token&, const Token&) = default;

 private:
  std::vector<std::uint8_t> bytes_;
};

// Reads a token front to back. A read past the end returns 0 and makes failed() true for good.
class TokenReader {
 public:
  explicit TokenReader(const Token& token) noexcept : bytes_(token.bytes()) {}

  std::uint64_t take(int byte_count) noexcept;
  MethodId take_method() noexcept { return MethodId{static_cast<std::uint32_t>(take(4))}; }
  CallSite take_site() noexcept { return site_from_key(take(5)); }
  EdgeKey take_edge() noexcept { return EdgeKey{take(8)}; }

  bool at_end() const noexcept { return position_ == bytes_.size(); }
  bool failed() const noexcept { return failed_; }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

}  // namespace copse::encoders
