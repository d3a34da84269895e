// Formats several contexts as one line each, innermost frame first, callers with the line of their
// call:
//
//   Log.log <- Main.work:21 <- ... <- Main.main:12
//
// A line shows, as far as the width allows and in this order: the innermost frame; the outermost frame at which the
// context differs from a neighbour; the first frame of the program, if the innermost one is an event or the JDK's; the
// other frames at which it differs; the innermost frame's caller; the thread's entry, unless all contexts share it;
// further frames from the innermost on. Omitted frames are "...". A repeated frame or sequence of frames appears once:
// "f:7 (x12)". Names omit package, enclosing class and parameters while they stay distinct. Where the first three frames
// have no room, their names also omit the parameters, "f(...)", then the class, and then their beginning.
//
// lines() takes a second line rather than cut the innermost frame, or omit its first caller or a frame that tells the
// context from a neighbour:
//
//   throw MismatchedException at :21 <- match <- ...
//     <- traditionalStatement:5946 <- ... <- field:3061 <- ...
//
// Cost: linear in the contexts' number and depth.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/model/display_names.h"
#include "report/model/event_objects.h"
#include "report/model/report_model.h"

namespace copse::report {

class ContextLines {
 public:
  // `rows`: nodes of the report. REQUIRES: the report and `names` outlive this object.
  ContextLines(const ReportModel& model, const DisplayNames& names,
               const std::vector<std::int32_t>& rows);

  // Returns the line of the i-th row, at most `width` characters.
  std::string text(std::size_t i, std::size_t width) const;
  // Returns one line or two for the i-th row, each of at most `width` characters; the second one is indented.
  std::vector<std::string> lines(std::size_t i, std::size_t width) const;
  // Returns the i-th row of a table in lines of `width` characters: its columns, and lines(i) beside them.
  std::vector<std::string> row(std::string columns, std::size_t i, std::size_t width) const;
  // Characters that a table leaves for contexts rather than show its last columns.
  static constexpr std::size_t kLeastRoom = 36;
  // Returns the characters that the innermost method and its first caller take, without classes.
  std::size_t least_width(std::size_t i) const;
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
  enum class Names { kWithClass, kWithoutParameters, kAlone, kCut };
  // By part: the form of its names.
  using Shown = std::map<std::size_t, Names>;
  struct Room {
    std::size_t width, lines = 1;
  };
  // Parts of a row's context that tell it from others, and those that are good to know.
  struct Choice {
    std::vector<std::size_t> needed, wanted;
  };
  std::string text_of(const Context& context, const Part& part, Names names) const;
  std::string name_in(const Context& context, std::size_t frame, Names names) const;
  std::string event_name(const EventObject& event, const Context& context, std::size_t frame,
                         Names names) const;
  bool is_of_program(const Frame& frame) const;
  std::optional<std::size_t> caller_in_program(const Context& context) const;
  bool are_equal(const Context& a, const Part& in_a, const Context& b, const Part& in_b) const;
  std::map<std::size_t, std::size_t> where_neighbours_part(std::size_t i) const;
  std::vector<std::size_t> telling_parts(std::size_t i,
                                         const std::map<std::size_t, std::size_t>& places) const;
  std::string joined(const Context& context, const Shown& shown) const;
  // Adds the part with the first of the forms that fits.
  bool add_if_it_fits(const Context& context, std::size_t part, std::initializer_list<Names> names,
                      Room room, Shown& shown) const;
  Choice choice_for(std::size_t i) const;
  std::size_t rows_with(const Context& context, const Part& part) const;
  std::vector<std::string> told_in(std::size_t i, Room room, std::size_t least) const;
  Shown first_and_needed(const Context& context, std::size_t first,
                         const std::vector<std::size_t>& needed, std::size_t width) const;
  std::string text(const Context& context, std::size_t first,
                   const std::vector<std::size_t>& needed, const std::vector<std::size_t>& wanted,
                   std::size_t width) const;

  const ReportModel& model_;
  const DisplayNames& names_;
  std::vector<Context> contexts_;
  Context common_;
  std::unordered_map<std::int32_t, std::string> name_of_;  // by method that occurs
};

}  // namespace copse::report
