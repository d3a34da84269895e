// Writes and reads the state that encoders need to decode. The bytes read are untrusted.
//
// Numbers and texts are as in payload.h; an edge is three numbers: caller, ordinal, callee.
//
// The reader's failure is sticky and keeps the first reason: every later read gives 0 or an empty
// text. Callers check status() once after a group of reads, but loops must stop on !ok(). A count
// is checked against the remaining bytes before anything is allocated for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_path.h"
#include "base/status.h"
#include "base/wire/block.h"
#include "base/wire/payload.h"

namespace copse::wire {

class StateWriter {
 public:
  void byte(std::uint8_t value) { out_.byte(value); }
  void number(std::uint64_t value) { out_.number(value); }
  void edge(EdgeKey edge);
  void text(std::string_view text) { out_.text(text); }

  const std::vector<std::uint8_t>& bytes() const noexcept { return out_.bytes(); }

 private:
  wire::PayloadWriter out_;
};

class StateReader {
 public:
  // `offset`: position of `bytes` in the file, for messages. In the file, a block's header follows
  // every `full` of the bytes.
  StateReader(std::span<const std::uint8_t> bytes, std::size_t offset,
              std::size_t full = ~std::size_t{0}) noexcept
      : bytes_(bytes), offset_(offset), full_(full) {}

  std::uint8_t byte();
  std::uint64_t number();
  std::uint64_t number_below(std::uint64_t limit, const char* what);
  // Reads a count of items that take at least `least_bytes` each.
  std::size_t count(std::size_t least_bytes);
  EdgeKey edge();  // fails for an edge to ROOT
  std::string_view text();

  // Fails with "at byte N: why", at the value read last. Only the first call counts.
  void fail(std::string_view why);
  bool ok() const noexcept { return status_.ok(); }
  const Status& status() const noexcept { return status_; }
  bool at_end() const noexcept { return position_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t offset_;
  std::size_t full_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;  // position of the value read last
  Status status_;
};

// Write and read nodes {edge, parent}. The first is ROOT, and parents come before their children.
template <typename Node>
void put_parent_tree(StateWriter& out, const std::vector<Node>& nodes) {
  out.number(nodes.size() - 1);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    out.number(i - nodes[i].parent);
    out.edge(nodes[i].edge);
  }
}

template <typename Node>
void take_parent_tree(StateReader& in, std::vector<Node>& nodes) {
  const std::size_t count = in.count(4);
  nodes.assign(1, Node{});
  nodes.reserve(count + 1);
  for (std::size_t i = 1; i <= count && in.ok(); ++i) {
    const std::uint64_t up = in.number_below(i + 1, "parent");
    if (up == 0) in.fail("a node is its own parent");
    Node node;
    node.edge = in.edge();
    node.parent = static_cast<std::uint32_t>(i - up);
    nodes.push_back(node);
  }
}

}  // namespace copse::wire
