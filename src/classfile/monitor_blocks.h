// The blocks of a method that hold a monitor, as compilers make them of `synchronized (object) { }`.
//
// Code may take and give back monitors as it likes. Probes can stand only where it is sure which
// monitorexit belongs to which monitorenter, and that an exception that a probe throws (no stack left)
// gives the monitor back as one of the block's own would:
//
//   monitorenter  what follows is covered by a handler for every exception
//   monitorexit   covered by one, too, that stands behind it; or it is what such a handler does first.
//                 Then the probe stands at the handler's start: javac lets such handlers cover
//                 themselves, and a probe in front of the monitorexit could loop for ever.
//
// A method with a block of another shape has none, as far as this says.
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
  // `calls`: of the method, in bytecode order. Only of methods without subroutines. Cost: a pass where
  // there is no monitorenter, else instructions times exception ranges.
  void find(const InstructionList& instructions, std::span<const ExceptionRange> ranges,
            std::span<const CallSiteView> calls, bool is_constructor);

  // How deep they nest, 0: there are none; nothing: there may be some of another shape.
  std::optional<std::uint32_t> levels() const noexcept { return levels_; }
  // By bci.
  std::span<const MonitorPlace> places() const noexcept { return places_; }

 private:
  bool objects_are_initialised(std::span<const CallSiteView> calls, bool is_constructor) const;
  bool compute_depths();
  bool reach(std::uint32_t bci, std::int32_t depth);
  bool follow(std::size_t instruction);
  bool find_places();
  std::optional<std::size_t> exit_of_handler(std::size_t handler) const;
  // Of the handler that takes what no other one does; nothing where there is none.
  std::optional<std::uint32_t> handler_of_all(std::uint32_t bci) const;
  std::size_t index_of(std::uint32_t bci) const;

  const InstructionList* instructions_ = nullptr;
  std::span<const ExceptionRange> ranges_;
  std::vector<std::int32_t> depths_;  // monitors held before each instruction; -1: not reached
  std::vector<std::size_t> pending_;
  std::vector<MonitorPlace> places_;
  std::optional<std::uint32_t> levels_ = 0;
};

}  // namespace copse::classfile
