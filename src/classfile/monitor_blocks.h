// The blocks of a method that hold a monitor, as compilers make them of `synchronized (object) {
// }`.
//
// Code may take and give back monitors as it likes. Probes need blocks in which each monitorexit
// surely belongs to a known monitorenter, and in which an exception of a probe (no stack left)
// gives the monitor back like one of the block's own:
//
//   monitorenter  the code behind it is covered by a handler for every exception
//   monitorexit   covered by such a handler too, which stands behind it; or the first action of such
//                 a handler. Then the probe stands at the handler's start: javac lets such handlers
//                 cover themselves, and a probe in front of the monitorexit could loop for ever.
//
// If one block of a method has another shape, no block of the method is reported.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classfile/instruction_list.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

struct MonitorPlace {
  enum class Kind : std::uint8_t {
    kEnter,    // a monitorenter
    kExit,     // a monitorexit outside of handlers that do nothing else
    kHandler,  // the start of a handler that gives back what it holds, and nothing else
  };
  std::uint32_t bci;
  Kind kind;
  std::uint32_t level;  // blocks around this one
};

class MonitorBlocks {
 public:
  // Finds the blocks. `calls`: the method's, in bytecode order. REQUIRES: the method has no
  // subroutines. Cost: a pass if there is no monitorenter, else instructions times exception
  // ranges.
  void find(const InstructionList& instructions, std::span<const ExceptionRange> ranges,
            std::span<const CallSiteView> calls, bool is_constructor);

  // Nesting depth of the blocks; 0 means none, std::nullopt that some have another shape.
  std::optional<std::uint32_t> levels() const noexcept { return levels_; }
  // Places in order of bci.
  std::span<const MonitorPlace> places() const noexcept { return places_; }

 private:
  bool objects_are_initialised(std::span<const CallSiteView> calls, bool is_constructor) const;
  bool compute_depths();
  bool reach(std::uint32_t bci, std::int32_t depth);
  bool follow(std::size_t instruction);
  bool find_places();
  std::optional<std::size_t> exit_of_handler(std::size_t handler) const;
  // Returns the handler that takes every exception at `bci` not taken by another; std::nullopt if
  // there is none.
  std::optional<std::uint32_t> handler_of_all(std::uint32_t bci) const;

  const InstructionList* instructions_ = nullptr;
  std::span<const ExceptionRange> ranges_;
  std::vector<std::int32_t> depths_;  // monitors held before each instruction; -1: not reached
  std::vector<std::size_t> pending_;
  std::vector<MonitorPlace> places_;
  std::optional<std::uint32_t> levels_ = 0;
};

}  // namespace copse::classfile
