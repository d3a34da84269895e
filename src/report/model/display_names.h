// Names and shares in the text formats.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/model/quantity.h"
#include "report/model/report_model.h"

namespace copse::report {

// Frame for calls without a recorded caller.
inline constexpr std::string_view kNoRecordedCaller = "(no recorded caller)";

// "12.3 %"; "<0.1 %" for a small part; "" when the whole is 0. `samples`: behind the part (figure()).
std::string percent(std::uint64_t part, std::uint64_t whole, std::uint64_t samples = kExact);

// At most `width` characters: "...tail" for a longer text, because the end of a name distinguishes
// best.
std::string fitted(const std::string& text, std::size_t width);

// The same for the text after the first word: "park ...nizer$ConditionObject".
std::string fitted_behind_word(const std::string& text, std::size_t width);

// "Node" of "p.Tree$Node": without the package and the enclosing class, unless that leaves a number, as of an anonymous
// class.
std::string_view innermost_class(std::string_view class_name);

// `class_name` is "" for a row that is no method.
std::string display_name(std::string_view class_name, std::string_view method);

// "throw NumberFormatException at Integer.parseInt:678": drops, from each word, all parts before
// the first one that begins with a capital letter. Names in brackets or parentheses, such as those of threads, have no
// packages and stay whole.
std::string without_packages(std::string_view words);

// (ILjava/lang/String;)V -> "(int, String)"; an invalid descriptor unchanged.
std::string parameter_list(std::string_view descriptor);

// Forms of a descriptor behind a method's name, the shortest first:
//
//   (int, Row)    (int, shop.Row)    (int, Row): Key    (int, shop.Row): shop.Key    (ILshop/Row;)Lshop/Key;
using Signatures = std::array<std::string, 5>;
Signatures signatures(std::string_view descriptor);

// Names for the methods of one report, the same in every format: pkg.Class.method, and where several methods of the
// class share the name, the shortest of its signatures that no other of them has.
class DisplayNames {
 public:
  explicit DisplayNames(const ReportModel::Methods& methods);
  std::string method(std::int32_t index) const;  // printable
  std::string plain(
      std::int32_t index) const;  // as the class file spells it, for formats that escape names
  // The same of at most `width` characters. A method loses its last parameters, "call(int, ...)", then its package from
  // the left, then the enclosing class, then the parentheses, then its class, then the beginning of its name. An event's
  // object loses its packages, then its place, then the beginning of its class; the first word, the kind of the event, stays.
  std::string method(std::int32_t index, std::size_t width) const;
  // Characters that a name needs to show its class and its method.
  std::size_t least_width(std::int32_t index) const;

 private:
  void tell_apart(const std::vector<std::size_t>& rows);
  std::string shortened_method(std::size_t i, std::size_t width) const;

  const ReportModel::Methods& methods_;
  std::unordered_map<std::size_t, std::string>
      signature_;  // by row of a method that shares its name
};

}  // namespace copse::report
