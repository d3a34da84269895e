#include "encoders/numbering/luce.h"

#include <algorithm>

#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

using encoders::LuceGraph;

namespace {

// The call from ROOT that a piece starts with. No thread's own entry has this site, so what it is
// given is never the code of a method that a thread started with.
EdgeKey start_edge(MethodId method) { return edge_key({kRootMethod, SiteOrdinal{1}}, method); }

}  // namespace

LuceNumbering::LuceNumbering(LuceNumberingOptions options)
    : options_(options), graph_(encoders::LuceOptions::canonical()), methods_(1) {
  methods_[0].start = LuceCode{};
}

std::optional<LuceNumbering::Mapping> LuceNumbering::mapping(EdgeKey edge, std::uint64_t code) {
  if (const std::optional<Mapping> known = known_mapping(edge, code)) return known;
  if (ran_out_) return std::nullopt;
  try {
    const std::uint64_t before = made_ + graph_.version();
    const std::optional<Mapping> answer = made_mapping(edge, code);
    if (made_ + graph_.version() != before) note(edge, code, answer);
    return answer;
  } catch (...) {
    // Results given out stay correct, because every change belongs to a later version.
    ran_out_ = true;
    throw;
  }
}

void LuceNumbering::note(EdgeKey edge, std::uint64_t code,
                         const std::optional<Mapping>& answer) noexcept {
  if (journal_ == nullptr) return;
  const std::uint64_t next = answer ? (*answer)(code) : kStartsPiece;
  journal_->add_word(kAsked, next << kAnswerShift | code, raw(edge));
}

// The same questions in the same order have the same answers, unless another version of Copse was asked.
bool LuceNumbering::replay(const NumberingChange& change, MethodId last) {
  if (change.kind != kAsked || change.words.size() != 1) return false;
  if (!is_edge_up_to(change.words[0], last)) return false;
  const std::uint64_t code = change.small & kStartsPiece;
  const std::uint64_t next = change.small >> kAnswerShift;
  if (code >= options_.most_codes) return false;
  const std::optional<Mapping> answer = mapping(EdgeKey{change.words[0]}, code);
  return answer ? (*answer)(code) == next : next == kStartsPiece;
}

std::optional<LuceNumbering::Mapping> LuceNumbering::known_mapping(EdgeKey edge,
                                                                   std::uint64_t code) const {
  const MethodId caller = caller_of(edge);
  const MethodId callee = callee_of(edge);
  if (raw(std::max(caller, callee)) >= methods_.size()) return std::nullopt;
  const std::optional<Block> from = block_of(methods_[raw(caller)], code);
  if (!from) return std::nullopt;
  const Change* change = changes_.find({raw(edge), from->base});
  if (change == nullptr) return std::nullopt;
  const std::uint64_t next = from->first + (code - from->base) + change->addition;
  const Block* to = block_of(methods_[raw(callee)], LuceCode{next, change->version});
  return to == nullptr ? std::nullopt : std::optional(mapping_between(*from, *change, *to));
}

std::optional<LuceNumbering::Mapping> LuceNumbering::made_mapping(EdgeKey edge,
                                                                  std::uint64_t code) {
  const MethodId caller = caller_of(edge);
  const MethodId callee = callee_of(edge);
  const std::size_t last = raw(std::max(caller, callee));
  if (last >= methods_.size()) methods_.resize(last + 1);
  if (is_cut(edge) || methods_[raw(callee)].is_full) return std::nullopt;
  if (code == 0) add_start(caller);
  const std::optional<Block> from = block_of(methods_[raw(caller)], code);
  if (!from) return std::nullopt;

  const PairKey key{raw(edge), from->base};
  const Change* known = changes_.find(key);
  Change change{};
  if (known != nullptr) {
    change = *known;
  } else {
    // Takes the block's last code: if the graph has room for that code, it has room for all smaller ones.
    const LuceCode end{from->first + from->length - 1, from->version};
    LuceCode to;
    if (!graph_.update(edge, end, to)) return std::nullopt;
    change = {to.code - end.code, to.version};
    changes_[key] = change;
    ++made_;
  }
  const LuceCode at{from->first + (code - from->base) + change.addition, change.version};
  Method& target = methods_[raw(callee)];
  if (block_of(target, at) == nullptr && !add_block(callee, at)) {
    target.is_full = true;
    ++made_;
    return std::nullopt;
  }
  return mapping_between(*from, change, *block_of(target, at));
}

// Returns the mapping of the codes that stay within the callee's block.
LuceNumbering::Mapping LuceNumbering::mapping_between(const Block& from, Change change,
                                                      const Block& to) {
  const std::uint64_t begin = std::max(from.first + change.addition, to.first);
  const std::uint64_t end =
      std::min(from.first + from.length + change.addition, to.first + to.length);
  const std::uint64_t first = from.base + (begin - change.addition - from.first);
  return {first, end - begin, to.base + (begin - to.first) - first};
}

bool LuceNumbering::is_cut(EdgeKey edge) {
  if (const bool* known = cut_.find(edge)) return *known;
  bool& cut = cut_[edge];
  cut = !order_.add(caller_of(edge), callee_of(edge));
  ++made_;
  return cut;
}

void LuceNumbering::add_start(MethodId id) {
  std::optional<LuceCode>& start = methods_[raw(id)].start;
  if (start) return;
  LuceCode at;
  // A method whose counts may not grow has a code for such calls: the graph gives it, too.
  graph_.update(start_edge(id), LuceCode{}, at);
  start = at;
  ++made_;
}

// A block with this code in it; false when the method has no room.
bool LuceNumbering::add_block(MethodId id, LuceCode at) {
  Method& method = methods_[raw(id)];
  const std::size_t place = place_of(method, at);
  std::uint64_t first = at.code & ~std::uint64_t{options_.longest - 1};
  std::uint64_t end = std::min(first + options_.longest, std::max(graph_.count(id), at.code + 1));
  if (place > 0) {
    const Block& before = method.blocks[method.in_order[place - 1]];
    if (before.version == at.version) first = std::max(first, before.first + before.length);
  }
  if (place < method.in_order.size()) {
    const Block& behind = method.blocks[method.in_order[place]];
    if (behind.version == at.version) end = std::min(end, behind.first);
  }
  if (end - first > options_.most_codes - method.codes) return false;
  const auto length = static_cast<std::uint32_t>(end - first);
  const auto index = static_cast<std::uint32_t>(method.blocks.size());
  encoders::make_room_tightly(method.blocks);
  encoders::make_room_tightly(method.in_order);
  method.blocks.push_back({at.version, first, method.codes, length});
  method.in_order.insert(method.in_order.begin() + static_cast<std::ptrdiff_t>(place), index);
  method.codes += length;
  ++made_;
  return true;
}

std::optional<LuceNumbering::Block> LuceNumbering::block_of(const Method& method,
                                                            std::uint64_t code) {
  if (code == 0) {
    if (!method.start) return std::nullopt;
    return Block{method.start->version, method.start->code, 0, 1};
  }
  if (code >= method.codes) return std::nullopt;
  const auto after =
      std::upper_bound(method.blocks.begin(), method.blocks.end(), code,
                       [](std::uint64_t c, const Block& block) { return c < block.base; });
  return *(after - 1);
}

// Where in `in_order` what comes after it begins.
std::size_t LuceNumbering::place_of(const Method& method, LuceCode at) {
  const auto after = std::upper_bound(
      method.in_order.begin(), method.in_order.end(), at, [&](LuceCode a, std::uint32_t index) {
        const Block& block = method.blocks[index];
        return a.version != block.version ? a.version < block.version : a.code < block.first;
      });
  return static_cast<std::size_t>(after - method.in_order.begin());
}

const LuceNumbering::Block* LuceNumbering::block_of(const Method& method, LuceCode at) {
  const std::size_t place = place_of(method, at);
  if (place == 0) return nullptr;
  const Block& block = method.blocks[method.in_order[place - 1]];
  return block.version == at.version && at.code - block.first < block.length ? &block : nullptr;
}

std::optional<LuceGraph::Code> LuceNumbering::luce_code(MethodId method, std::uint64_t code) const {
  if (raw(method) >= methods_.size()) return std::nullopt;
  const std::optional<Block> block = block_of(methods_[raw(method)], code);
  if (!block) return std::nullopt;
  return LuceCode{block->first + (code - block->base), block->version};
}

std::optional<LuceNumbering::Step> LuceNumbering::step_to(MethodId method, std::uint64_t code,
                                                          MethodId) const {
  const std::optional<LuceCode> at = luce_code(method, code);
  LuceGraph::Step step;
  if (code == 0 || !at || !graph_.previous(method, *at, step)) return std::nullopt;
  if (step.edge == kNoEdge || step.edge == start_edge(method)) return std::nullopt;
  const MethodId caller = caller_of(step.edge);
  if (raw(caller) >= methods_.size()) return std::nullopt;
  const LuceCode from{at->code - step.addition, graph_.caller_version(caller, at->version)};
  // So decoding ends, whatever a file says.
  if (from.version >= at->version) return std::nullopt;
  const Method& calling = methods_[raw(caller)];
  const bool is_start =
      calling.start && calling.start->code == from.code && calling.start->version == from.version;
  if (is_start) return Step{step.edge, 0};
  const Block* block = block_of(calling, from);
  if (block == nullptr) return std::nullopt;
  return Step{step.edge, block->base + (from.code - block->first)};
}

// A change of the graph's log takes an eighth of what is reckoned for a mapping.
std::uint64_t LuceNumbering::mapping_count() const noexcept {
  return changes_.size() + graph_.log_entries() / 8;
}

std::uint64_t LuceNumbering::largest_code() const noexcept {
  std::uint32_t codes = 1;
  for (const Method& method : methods_) codes = std::max(codes, method.codes);
  return codes - 1;
}

SchemeFacts LuceNumbering::facts() const {
  return {{{"max_id", largest_code()},
           {"versions", graph_.version()},
           {"log_entries", graph_.log_entries()}},
          {}};
}

std::uint64_t LuceNumbering::bytes() const {
  std::uint64_t bytes = sizeof(*this) + graph_.graph_bytes() + graph_.log_bytes() + order_.bytes() +
                        cut_.bytes() + changes_.bytes() + encoders::allocated_bytes(methods_);
  for (const Method& method : methods_) {
    bytes += encoders::allocated_bytes(method.blocks) + encoders::allocated_bytes(method.in_order);
  }
  return bytes;
}

// The graph, then per method its start and its blocks in order of their codes.
void LuceNumbering::save(wire::StateWriter& out) const {
  graph_.save(out);
  out.number(methods_.size());
  for (const Method& method : methods_) {
    out.byte(method.start ? 1 : 0);
    if (method.start) {
      out.number(method.start->code);
      out.number(method.start->version);
    }
    out.number(method.blocks.size());
    for (const Block& block : method.blocks) {
      out.number(block.version);
      out.number(block.first);
      out.number(block.length);
    }
  }
}

void LuceNumbering::load(wire::StateReader& in) {
  graph_.load(in);
  methods_.assign(in.count(2), Method());
  if (methods_.empty()) in.fail("ROOT is missing");
  for (Method& method : methods_) {
    if (!in.ok()) return;
    const std::uint8_t has_start = in.byte();
    if (has_start > 1) in.fail("neither with nor without a start");
    if (has_start == 1) {
      const std::uint64_t code = in.number();
      method.start = LuceCode{code, in.number()};
    }
    for (std::size_t left = in.count(3); left > 0 && in.ok(); --left) {
      const std::uint64_t version = in.number();
      const std::uint64_t first = in.number();
      const std::uint64_t length = in.number_below(kMostIdCodes - method.codes + 1, "length");
      if (!in.ok()) break;
      if (length == 0) in.fail("a block is empty");
      const std::size_t place = place_of(method, LuceCode{first, version});
      method.in_order.insert(method.in_order.begin() + static_cast<std::ptrdiff_t>(place),
                             static_cast<std::uint32_t>(method.blocks.size()));
      method.blocks.push_back({version, first, method.codes, static_cast<std::uint32_t>(length)});
      method.codes += static_cast<std::uint32_t>(length);
    }
  }
}

}  // namespace copse::encoders
