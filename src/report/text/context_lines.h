// Formats several contexts as one line each, innermost frame first, callers with the line of their
// call:
//
//   Log.log <- Main.work:21 <- ... <- Main.main:12
//
// A line shows, as far as the width allows and in this order: the innermost frame; the frames at
// which the context differs from its neighbours; the innermost frame's caller; the thread's entry,
// unless all contexts share it; further frames from the innermost on. Omitted frames are "...". A
// repeated frame or sequence of frames appears once: "f:7 (x12)". Names omit package, enclosing
// class and parameters while they stay distinct. Callers also omit their class when there is no
// room.
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
  // `rows`: nodes of the report. REQUIRES: the report and `names` outlive this object.
  ContextLines(const ReportModel& model, const DisplayNames& names,
               const std::vector<std::int32_t>& rows);

  // Returns the line of the i-th row, at most `width` characters.
  std::string text(std::size_t i, std::size_t width) const;
  // Returns the outermost frames common to several contexts, at most `width` characters; "" if
  // none.
  std::string common(std::size_t width) const;

 private:
  struct Frame {
    std::int32_t method;
    std::int32_t line;  // of the call it makes; -1 means none or unknown
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  // `length` frames of `frames` from `first` on, repeated `times` times in a row.
  struct Part {
    std::size_t first = 0;
    std::size_t length = 1;
    std::size_t times = 1;
  };
  struct Context {
    std::vector<Frame> frames;  // innermost first, repetitions once
    std::vector<Part> parts;
  };

  std::vector<Frame> frames_of(std::int32_t row) const;
  static Context in_parts(const std::vector<Frame>& frames);
  static void keep_what_both_end_in(std::vector<Frame>& common, const std::vector<Frame>& other);
  void choose_names();
  std::string name_of(std::int32_t method, std::size_t length) const;
  enum class Names { kWithClass, kAlone };
  // By part: the form of its names.
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
  std::unordered_map<std::int32_t, std::string> name_of_;  // by method that occurs
};

}  // namespace copse::report
