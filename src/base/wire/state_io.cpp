#include "base/wire/state_io.h"

namespace copse::wire {

void StateWriter::edge(EdgeKey edge) {
  number(raw(caller_of(edge)));
  number(raw(site_of(edge).ordinal));
  number(raw(callee_of(edge)));
}

std::uint8_t StateReader::byte() {
  last_ = position_;
  if (!ok()) return 0;
  if (at_end()) {
    fail("ends too early");
    return 0;
  }
  return bytes_[position_++];
}

std::uint64_t StateReader::number() {
  constexpr std::size_t kMostBytes = 10;
  last_ = position_;
  if (!ok()) return 0;
  const std::span<const std::uint8_t> rest = bytes_.subspan(position_);
  wire::PayloadReader in(rest);
  const std::uint64_t value = in.number();
  if (in.ok()) {
    position_ += rest.size() - in.remaining();
    return value;
  }
  fail(rest.size() < kMostBytes ? "ends too early" : "a number takes more than 64 bits");
  return 0;
}

std::uint64_t StateReader::number_below(std::uint64_t limit, const char* what) {
  const std::uint64_t value = number();
  if (value < limit) return value;
  fail(std::string(what) + " " + std::to_string(value) + " is out of range");
  return 0;
}

std::size_t StateReader::count(std::size_t least_bytes) {
  const std::uint64_t items = number();
  if (items <= (bytes_.size() - position_) / least_bytes) return static_cast<std::size_t>(items);
  fail("room for " + std::to_string(items) + " items is missing");
  return 0;
}

EdgeKey StateReader::edge() {
  const std::size_t start = position_;
  const std::uint64_t caller = number_below(std::uint64_t{kMaxMethodId} + 1, "caller");
  const std::uint64_t ordinal = number_below(1 << 16, "call site");
  const std::uint64_t callee = number_below(std::uint64_t{kMaxMethodId} + 1, "callee");
  last_ = start;
  if (callee == 0) fail("an edge leads to ROOT");
  const CallSite site{MethodId{static_cast<std::uint32_t>(caller)},
                      SiteOrdinal{static_cast<std::uint16_t>(ordinal)}};
  return edge_key(site, MethodId{static_cast<std::uint32_t>(callee)});
}

std::string_view StateReader::text() {
  const std::size_t length = count(1);
  if (!ok()) return {};
  const auto* at = reinterpret_cast<const char*>(bytes_.data() + position_);
  position_ += length;
  return {at, length};
}

void StateReader::fail(std::string_view why) {
  if (!ok()) return;
  const std::size_t headers = last_ / full_ * wire::kBlockHeaderBytes;
  status_ =
      Status::error(Fault::kMalformed, "at byte " + std::to_string(offset_ + last_ + headers) +
                                           ": " + std::string(why));
}

}  // namespace copse::wire
