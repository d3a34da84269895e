#include "encoders/numbering/segment.h"

#include <algorithm>

#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

SegmentNumbering::SegmentNumbering(SegmentNumberingOptions options)
    : options_(options), methods_(1) {}

std::uint32_t SegmentNumbering::edge_of(EdgeKey key) {
  if (const std::uint32_t* known = edge_index_.find(key)) return *known;
  const std::size_t last = std::max(raw(caller_of(key)), raw(callee_of(key)));
  if (last >= methods_.size()) methods_.resize(last + 1);
  edges_.push_back({key, false, {}});
  const auto index = static_cast<std::uint32_t>(edges_.size() - 1);
  try {
    edge_index_[key] = index;
  } catch (...) {
    edges_.pop_back();
    throw;
  }
  return index;
}

std::optional<SegmentNumbering::Mapping> SegmentNumbering::mapping(EdgeKey key,
                                                                   std::uint64_t code) {
  const std::uint32_t index = edge_of(key);
  Edge& edge = edges_[index];
  if (const std::optional<Mapping> known = find(edge, code)) return known;
  if (edge.is_cut) return std::nullopt;
  if (is_on_path(callee_of(key), caller_of(key), code) ||
      !append(index, static_cast<std::uint32_t>(code))) {
    edge.is_cut = true;
    return std::nullopt;
  }
  return find(edge, code);
}

std::optional<SegmentNumbering::Mapping> SegmentNumbering::known_mapping(EdgeKey key,
                                                                         std::uint64_t code) const {
  const std::uint32_t* index = edge_index_.find(key);
  return index == nullptr ? std::nullopt : find(edges_[*index], code);
}

std::optional<SegmentNumbering::Mapping> SegmentNumbering::find(const Edge& edge,
                                                                std::uint64_t code) {
  const auto after =
      std::upper_bound(edge.ranges.begin(), edge.ranges.end(), code,
                       [](std::uint64_t c, const Range& range) { return c < range.source; });
  if (after == edge.ranges.begin()) return std::nullopt;
  const Range& range = *(after - 1);
  if (code - range.source >= range.length) return std::nullopt;
  return Mapping{range.source, range.length, std::uint64_t{range.base} - range.source};
}

bool SegmentNumbering::is_on_path(MethodId wanted, MethodId method, std::uint64_t code) const {
  while (method != wanted) {
    if (method == kRootMethod || code == 0) return false;
    const Step step = step_to(method, code, kRootMethod).value();
    method = caller_of(step.edge);
    code = step.code;
  }
  return true;
}

// False when the callee has no room.
bool SegmentNumbering::append(std::uint32_t index, std::uint32_t code) {
  Edge& edge = edges_[index];
  const MethodId caller = caller_of(edge.key);
  Method& callee = methods_[raw(callee_of(edge.key))];
  const auto after =
      std::upper_bound(edge.ranges.begin(), edge.ranges.end(), code,
                       [](std::uint32_t c, const Range& range) { return c < range.source; });
  const std::size_t position = static_cast<std::size_t>(after - edge.ranges.begin());

  std::uint32_t first = code & ~(options_.longest - 1);
  std::uint32_t end = first + options_.longest;
  if (position > 0) {
    first = std::max(first, edge.ranges[position - 1].source + edge.ranges[position - 1].length);
  }
  if (position < edge.ranges.size()) end = std::min(end, edge.ranges[position].source);
  // ROOT's only code is there from the start.
  const std::uint32_t reserve = caller == kRootMethod ? 0 : options_.reserve;
  end = std::min(end, std::min(methods_[raw(caller)].codes + reserve, options_.most_codes));
  const std::uint32_t length = end - first;
  if (length > options_.most_codes - callee.codes) return false;

  const bool extends = position > 0 && !callee.issues.empty() &&
                       callee.issues.back().base == edge.ranges[position - 1].base &&
                       edge.ranges[position - 1].source + edge.ranges[position - 1].length == first;
  if (extends) {
    edge.ranges[position - 1].length += length;
  } else {
    // Room for both first: without memory neither must be there.
    encoders::make_room_tightly(callee.issues);
    encoders::make_room_tightly(edge.ranges);
    callee.issues.push_back({index, first, callee.codes});
    edge.ranges.insert(edge.ranges.begin() + static_cast<std::ptrdiff_t>(position),
                       Range{first, callee.codes, length});
    ++range_count_;
  }
  callee.codes += length;
  if (journal_ != nullptr) {
    journal_->add_word(kIssued, std::uint64_t{length} << kLengthShift | first, raw(edge.key));
  }
  return true;
}

bool SegmentNumbering::replay(const NumberingChange& change, MethodId last) {
  if (change.kind != kIssued || change.words.size() != 1) return false;
  if (!is_edge_up_to(change.words[0], last)) return false;
  const auto source = static_cast<std::uint32_t>(change.small & kSourceMask);
  const auto length = static_cast<std::uint32_t>(change.small >> kLengthShift);
  const std::uint32_t index = edge_of(EdgeKey{change.words[0]});
  Method& callee = methods_[raw(callee_of(edges_[index].key))];
  if (length == 0 || source >= options_.most_codes || length > options_.most_codes - callee.codes) {
    return false;
  }
  const Issue* const before = callee.issues.empty() ? nullptr : &callee.issues.back();
  const bool extends = before != nullptr && before->edge == index &&
                       before->source + (callee.codes - before->base) == source;
  if (!extends) {
    callee.issues.push_back({index, source, callee.codes});
    ++range_count_;
  }
  callee.codes += length;
  return true;
}

std::optional<SegmentNumbering::Step> SegmentNumbering::step_to(MethodId method, std::uint64_t code,
                                                                MethodId) const {
  if (raw(method) >= methods_.size() || code == 0 || code >= methods_[raw(method)].codes) {
    return std::nullopt;
  }
  const std::vector<Issue>& issues = methods_[raw(method)].issues;
  const auto after =
      std::upper_bound(issues.begin(), issues.end(), code,
                       [](std::uint64_t c, const Issue& issue) { return c < issue.base; });
  const Issue& issue = *(after - 1);
  return Step{edges_[issue.edge].key, issue.source + (code - issue.base)};
}

std::uint64_t SegmentNumbering::largest_code() const noexcept {
  std::uint32_t codes = 1;
  for (const Method& method : methods_) codes = std::max(codes, method.codes);
  return codes - 1;
}

std::uint64_t SegmentNumbering::bytes() const {
  std::uint64_t bytes = sizeof(*this) + edge_index_.bytes() + encoders::allocated_bytes(edges_) +
                        encoders::allocated_bytes(methods_);
  for (const Edge& edge : edges_) bytes += encoders::allocated_bytes(edge.ranges);
  for (const Method& method : methods_) bytes += encoders::allocated_bytes(method.issues);
  return bytes;
}

// Per method what it gave out, in order of its codes, each with the edge and the caller's first
// code.
void SegmentNumbering::save(wire::StateWriter& out) const {
  out.number(edges_.size());
  for (const Edge& edge : edges_) out.edge(edge.key);
  out.number(methods_.size());
  for (const Method& method : methods_) {
    out.number(method.issues.size());
    for (std::size_t i = 0; i < method.issues.size(); ++i) {
      const Issue& issue = method.issues[i];
      const bool last = i + 1 == method.issues.size();
      out.number(issue.edge);
      out.number(issue.source);
      out.number((last ? method.codes : method.issues[i + 1].base) - issue.base);
    }
  }
}

void SegmentNumbering::load(wire::StateReader& in) {
  edges_.resize(in.count(3));
  for (Edge& edge : edges_) edge.key = in.edge();
  methods_.assign(in.count(1), Method());
  if (methods_.empty()) in.fail("ROOT is missing");
  for (std::uint32_t id = 0; id < methods_.size() && in.ok(); ++id) {
    Method& method = methods_[id];
    for (std::size_t left = in.count(3); left > 0 && in.ok(); --left) {
      const std::uint64_t edge = in.number_below(edges_.size(), "edge");
      const std::uint64_t source = in.number_below(kMostIdCodes, "code");
      const std::uint64_t length = in.number_below(kMostIdCodes - method.codes + 1, "length");
      if (!in.ok()) break;
      if (length == 0) in.fail("a range is empty");
      if (raw(callee_of(edges_[edge].key)) != id) in.fail("a range's edge leads elsewhere");
      method.issues.push_back(
          {static_cast<std::uint32_t>(edge), static_cast<std::uint32_t>(source), method.codes});
      method.codes += static_cast<std::uint32_t>(length);
      ++range_count_;
    }
  }
}

}  // namespace copse::encoders
