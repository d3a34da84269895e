// Several contexts as one line each, innermost frame first, callers with the line of their call:
//
//   Log.log <- Main.work:21 <- ... <- Main.main:12
//
// A line has, as far as it is wide enough, the innermost frame, the frames at which the context
// parts from its neighbours, the innermost frame's caller, the thread's entry unless all have that
// in common, and then further frames from the innermost on. What is left out is "...". Frames that
// repeat, alone or several in turn, are one: "f:7 (x12)". Names are without their package and
// enclosing class, and without parameters, where that leaves them different; callers that have no
// room otherwise are without their class.
//
// Cost: linear in the contexts' number and depth.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/model/report_model.h"
#include "report/text/display_names.h"

namespace copse::report {

class ContextLines {
 public:
  // `rows`: nodes of the report, which outlives this.
  ContextLines(const ReportModel& model, const DisplayNames& names,
               const std::vector<std::int32_t>& rows);

  // Of the i-th of the rows, at most `width` characters.
  std::string text(std::size_t i, std::size_t width) const;
  // The outermost frames that several contexts all have, likewise; "" when they have none.
  std::string common(std::size_t width) const;

 private:
  struct Frame {
    std::int32_t method;
    std::int32_t line;  // of the call it makes; -1: none, or not known
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  // Frames that follow one another, so many times. They are those of `frames` from `first` on.
  struct Part {
    std::size_t first = 0;
    std::size_t length = 1;
    std::size_t times = 1;
  };
  struct Context {
    std::vector<Frame> frames;  // innermost first, those that repeat once
    std::vector<Part> parts;
  };

  std::vector<Frame> frames_of(std::int32_t row) const;
  static Context in_parts(const std::vector<Frame>& frames);
  static void keep_what_both_end_in(std::vector<Frame>& common, const std::vector<Frame>& other);
  void choose_names();
  std::string name_of(std::int32_t method, std::size_t length) const;
  enum class Names { kWithClass, kAlone };
  // By part: how much of it.
  using Shown = std::map<std::size_t, Names>;
  std::string text_of(const Context& context, const Part& part, Names names) const;
  bool are_equal(const Context& a, const Part& in_a, const Context& b, const Part& in_b) const;
  std::set<std::size_t> where_neighbours_part(std::size_t i) const;
  std::string joined(const Context& context, const Shown& shown) const;
  std::string text(const Context& context, std::size_t first,
                   const std::vector<std::size_t>& wanted, std::size_t width) const;

  const ReportModel& model_;
  const DisplayNames& names_;
  std::vector<Context> contexts_;
  Context common_;
  std::unordered_map<std::int32_t, std::string> name_of_;  // by method: of those that occur
};

}  // namespace copse::report
