#include "classfile/monitor_blocks.h"

#include <algorithm>

#include "classfile/opcodes.h"

namespace copse::classfile {
namespace {

constexpr std::int32_t kNotReached = -1;
// Real methods stay far below; hostile ones would take minutes.
constexpr std::size_t kMostWork = std::size_t{1} << 22;
// Most instructions of a handler before its monitorexit: keep the exception, load the object.
constexpr std::size_t kMostBeforeExit = 6;

bool is_monitor(const Instruction& at) {
  return at.opcode == opcode::kMonitorenter || at.opcode == opcode::kMonitorexit;
}

// Neither throws, calls nor leads elsewhere.
bool moves_values(std::uint8_t op) {
  using namespace opcode;
  return op == kNop || (op >= kIload && op < kIaload) || (op >= kIstore && op < kIastore) ||
         (op > kSastore && op <= kSwap) || op == kWide;
}

bool covers(const ExceptionRange& range, std::uint32_t bci) {
  return range.start <= bci && bci < range.end;
}

}  // namespace

// The verifier lets code lock what no constructor has made yet, but not give it to a probe. In the order
// of the code each `new` is before the call that initialises its object, as brackets are.
bool MonitorBlocks::objects_are_initialised(std::span<const CallSiteView> calls,
                                            bool is_constructor) const {
  int pending = is_constructor ? 1 : 0;
  std::size_t call = 0;
  for (const Instruction& at : instructions_->all()) {
    if (at.opcode == opcode::kNew) ++pending;
    if (at.opcode == opcode::kMonitorenter && pending > 0) return false;
    if (!is_invoke(at.opcode)) continue;
    const CallSiteView& view = calls[call++];
    if (at.opcode == opcode::kInvokespecial && view.name == "<init>") --pending;
  }
  return true;
}

// False: held by one way to the instruction and not by another.
bool MonitorBlocks::reach(std::uint32_t bci, std::int32_t depth) {
  const std::size_t index = instructions_->index_of(bci);
  if (depths_[index] != kNotReached) return depths_[index] == depth;
  depths_[index] = depth;
  pending_.push_back(index);
  return true;
}

bool MonitorBlocks::follow(std::size_t instruction) {
  const auto all = instructions_->all();
  for (std::size_t i = instruction;;) {
    const Instruction& at = all[i];
    std::int32_t depth = depths_[i];
    for (const ExceptionRange& range : ranges_) {
      if (!covers(range, at.bci)) continue;
      if (!reach(range.handler, depth)) return false;
      if (range.catch_type == 0) break;  // takes all that comes to it
    }
    if (at.opcode == opcode::kMonitorenter) ++depth;
    if (at.opcode == opcode::kMonitorexit && --depth < 0) return false;
    bool agree = true;
    if (is_short_branch(at.opcode) || is_wide_branch(at.opcode)) {
      agree = reach(instructions_->branch_target(at), depth);
    } else if (is_switch(at.opcode)) {
      instructions_->for_each_case(
          i, [&](std::uint32_t target) { agree = reach(target, depth) && agree; });
    }
    if (!agree || (is_return(at.opcode) && depth != 0)) return false;
    if (ends_path(at.opcode) || ++i == all.size()) return true;
    if (depths_[i] != kNotReached) return depths_[i] == depth;
    depths_[i] = depth;
  }
}

bool MonitorBlocks::compute_depths() {
  const std::size_t count = instructions_->all().size();
  if (count * ranges_.size() > kMostWork) return false;
  depths_.assign(count, kNotReached);
  pending_.clear();
  reach(0, 0);
  while (!pending_.empty()) {
    const std::size_t next = pending_.back();
    pending_.pop_back();
    if (!follow(next)) return false;
  }
  return true;
}

std::optional<std::uint32_t> MonitorBlocks::handler_of_all(std::uint32_t bci) const {
  const auto found = std::ranges::find_if(ranges_, [bci](const ExceptionRange& range) {
    return range.catch_type == 0 && covers(range, bci);
  });
  if (found == ranges_.end()) return std::nullopt;
  return found->handler;
}

// Its monitorexit, reached from nowhere else; nothing where the handler does more.
std::optional<std::size_t> MonitorBlocks::exit_of_handler(std::size_t handler) const {
  const auto all = instructions_->all();
  const std::size_t end = std::min(all.size(), handler + kMostBeforeExit + 1);
  for (std::size_t i = handler; i < end; ++i) {
    if (i != handler && instructions_->is_target(all[i].bci)) return std::nullopt;
    if (i != handler && all[i].opcode == opcode::kMonitorexit) return i;
    if (!moves_values(all[i].opcode)) return std::nullopt;
  }
  return std::nullopt;
}

bool MonitorBlocks::find_places() {
  const auto all = instructions_->all();
  std::vector<std::size_t> in_handlers;
  std::int32_t deepest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Instruction& at = all[i];
    if (depths_[i] == kNotReached) continue;
    const std::int32_t depth = depths_[i];
    if (instructions_->is_handler(at.bci)) {
      if (const auto exit = exit_of_handler(i)) {
        places_.push_back(
            {at.bci, MonitorPlace::Kind::kHandler, static_cast<std::uint32_t>(depth - 1)});
        in_handlers.push_back(*exit);
      }
    }
    if (at.opcode == opcode::kMonitorenter) {
      if (i + 1 == all.size() || !handler_of_all(all[i + 1].bci)) return false;
      places_.push_back({at.bci, MonitorPlace::Kind::kEnter, static_cast<std::uint32_t>(depth)});
      deepest = std::max(deepest, depth + 1);
    } else if (at.opcode == opcode::kMonitorexit && !std::ranges::binary_search(in_handlers, i)) {
      const auto handler = handler_of_all(at.bci);
      if (!handler || *handler < at.bci) return false;
      places_.push_back({at.bci, MonitorPlace::Kind::kExit, static_cast<std::uint32_t>(depth - 1)});
    }
  }
  levels_ = static_cast<std::uint32_t>(deepest);
  return true;
}

void MonitorBlocks::find(const InstructionList& instructions,
                         std::span<const ExceptionRange> ranges,
                         std::span<const CallSiteView> calls, bool is_constructor) {
  instructions_ = &instructions;
  ranges_ = ranges;
  places_.clear();
  levels_ = 0;
  if (std::ranges::none_of(instructions.all(), is_monitor)) return;
  const bool known =
      objects_are_initialised(calls, is_constructor) && compute_depths() && find_places();
  if (known) return;
  places_.clear();
  levels_.reset();
}

}  // namespace copse::classfile
