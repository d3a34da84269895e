#include "compare/diff/numbered_classes.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/normal_names.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
// Limit for pairs of classes of one method; beyond it the classes stay unpaired.
constexpr std::size_t kMostUnitPairs = std::size_t{1} << 20;
// Weights of a pair: per common callee, equal sets of callees, equal numbers, equal position among
// the paired classes.
constexpr std::uint64_t kCommonCallee = 16, kSameCallees = 24, kSameNumber = 8, kSamePlace = 4;

std::string before_last(const std::string& text, char sign) {
  return text.substr(0, text.rfind(sign));
}

// Orders numbers in names by value: V$2 comes before V$10.
bool comes_before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto take_number = [&](std::string_view& text) {
    const auto end = std::ranges::find_if_not(text, is_digit);
    std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else if (a[0] != b[0]) {
      return a[0] < b[0];
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

// Returns the class around a numbered one, as far as its name without numbers shows.
std::string outer_of(const std::string& numberless) {
  const std::string before = numberless.substr(0, numberless.find('*'));
  return before.substr(0, before.find_last_not_of('$') + 1);  // npos + 1 is 0
}

// Returns true for a stable name. Sums and the reports of a fleet have it in place of the class
// name.
bool is_stable_name(const std::string& class_name) {
  return std::ranges::count(class_name, '~') >= 2;
}
const std::string& stable_name(const ReportModel::Methods& methods, std::size_t row) {
  const std::string& class_name = methods.class_name[row];
  return methods.stable_class[row].empty() && is_stable_name(class_name)
             ? class_name
             : methods.stable_class[row];
}

}  // namespace

class NumberedClasses::Pairing {
  // A class of one report.
  class Unit {
   public:
    Unit(std::string name, std::string stable_name)
        : class_name(std::move(name)),
          stable(std::move(stable_name)),
          family(before_last(stable, '~')),
          numberless(before_last(family, '~')),
          digits(stable.substr(stable.rfind('~') + 1)),
          outer(outer_of(numberless)) {}

    // Independent of the method around the class.
    std::string code() const { return numberless + '~' + digits; }

    std::string class_name;
    std::string stable;                  // "" means unknown
    std::string family;                  // with the method around it
    std::string numberless;              // Foo$*
    std::string digits;                  // digits for its code
    std::string outer;                   // the class around it, as far as its name shows
    std::vector<std::size_t> rows = {};  // of methods
    std::set<std::string> methods = {};  // names and descriptors
    std::set<std::string> callees = {};
    std::size_t other = kNone;    // in the other report
    std::size_t same_as = kNone;  // in its own report: representative of equal stable names
    bool may_be_another = false;
    bool is_by_number = false;  // paired by number: one of the two has no stable name
  };

  struct Side {
    ReportModel* report;
    std::vector<std::string> stable_column = {};  // original column
    std::vector<Unit> units = {};                 // in the order of their names
    std::vector<std::size_t> unit_of = {};  // by row of methods; kNone means not a numbered class
    std::vector<std::size_t> places = {};   // by unit: earlier paired classes of its outer class
  };

 public:
  Pairing(ReportModel& old_report, ReportModel& new_report)
      : sides_{Side{&old_report}, Side{&new_report}} {
    std::set<std::string> numbered;
    for (Side& side : sides_) {
      const ReportModel::Methods& methods = side.report->methods;
      side.stable_column = methods.stable_class;
      for (std::size_t row = 0; row < methods.name.size(); ++row) {
        if (!stable_name(methods, row).empty()) numbered.insert(methods.class_name[row]);
      }
    }
    for (Side& side : sides_) find_units(side, numbered);
    pair_named_alike();
    pair_all({});
    give_tokens();
  }

  bool pair_in_renamed(const std::map<std::string, std::string>& now) {
    const std::size_t before = pairs();
    pair_all(now);
    if (pairs() == before) return false;
    give_tokens();
    return true;
  }

  std::vector<Renumbered> adopt_names() {
    std::vector<Renumbered> renumbered;
    for (const Unit& unit : old_side().units) {
      if (unit.other == kNone) continue;
      const std::string& name = new_side().units[unit.other].class_name;
      if (name != unit.class_name && !is_stable_name(name) && !is_stable_name(unit.class_name)) {
        renumbered.push_back({unit.class_name, name, unit.may_be_another});
      }
      for (const std::size_t row : unit.rows) old_side().report->methods.class_name[row] = name;
    }
    return renumbered;
  }

  void restore(ReportModel::Methods& methods) const {
    for (std::string& stable : methods.stable_class) {
      if (!stable.starts_with(kKnown) && !stable.starts_with(kByNumber)) continue;
      stable = stable_of_token_.at(stable);
    }
  }

 private:
  using Indices = std::vector<std::size_t>;

  Side& old_side() { return sides_[0]; }
  Side& new_side() { return sides_[1]; }

  std::size_t pairs() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        sides_[0].units, [](const Unit& unit) { return unit.other != kNone; }));
  }

  // `numbered`: names of classes with a stable name in one of the reports.
  static void find_units(Side& side, const std::set<std::string>& numbered) {
    const ReportModel::Methods& methods = side.report->methods;
    const auto less = [](const auto& a, const auto& b) {
      if (a.first != b.first) return comes_before(a.first, b.first);
      return a.second < b.second;
    };
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>, decltype(less)> rows(
        less);
    for (std::size_t row = 0; row < methods.name.size(); ++row) {
      if (!numbered.contains(methods.class_name[row])) continue;
      rows[{methods.class_name[row], stable_name(methods, row)}].push_back(row);
    }
    side.unit_of.assign(methods.name.size(), kNone);
    for (auto& [key, of_class] : rows) {
      for (const std::size_t row : of_class) side.unit_of[row] = side.units.size();
      side.units.emplace_back(key.first, key.second).rows = std::move(of_class);
    }
  }

  void pair(std::size_t before, std::size_t now, bool may_be_another) {
    old_side().units[before].other = now;
    new_side().units[now].other = before;
    old_side().units[before].may_be_another = may_be_another;
  }

  // Pairs by number where one report has no stable name.
  void pair_named_alike() {
    std::map<std::string, Indices> named;
    for (std::size_t i = 0; i < new_side().units.size(); ++i) {
      named[new_side().units[i].class_name].push_back(i);
    }
    for (std::size_t i = 0; i < old_side().units.size(); ++i) {
      const Unit& unit = old_side().units[i];
      const auto same = named.find(unit.class_name);
      if (same == named.end() || same->second.size() != 1) continue;
      const Unit& other = new_side().units[same->second.front()];
      if (other.other == kNone && (unit.stable.empty() || other.stable.empty())) {
        pair(i, same->second.front(), false);
        old_side().units[i].is_by_number = true;
        new_side().units[same->second.front()].is_by_number = true;
      }
    }
  }

  // A name of OLD in the terms of NEW.
  static std::string in_new(const std::string& name, const std::string& outer,
                            const std::map<std::string, std::string>& now) {
    for (const std::string& known : {outer, outer.substr(0, outer.find('$'))}) {
      const auto renamed = now.find(known);
      if (renamed != now.end() && name.starts_with(known)) {
        return renamed->second + name.substr(known.size());
      }
    }
    return name;
  }

  // Groups the unpaired classes with a stable name by text.
  template <typename Text>
  std::map<std::string, std::array<Indices, 2>> grouped(Text text) {
    std::map<std::string, std::array<Indices, 2>> groups;
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < sides_[side].units.size(); ++i) {
        const Unit& unit = sides_[side].units[i];
        if (unit.other == kNone && !unit.stable.empty())
          groups[text(unit, side)][side].push_back(i);
      }
    }
    std::erase_if(groups, [](const auto& group) {
      return group.second[0].empty() || group.second[1].empty();
    });
    return groups;
  }

  void pair_all(const std::map<std::string, std::string>& now) {
    const auto name = [&](const Unit& unit, const std::string& text, std::size_t side) {
      return side == 0 ? in_new(text, unit.outer, now) : text;
    };
    find_renumbered();
    const auto equal = [&](const Unit& unit, std::size_t side) {
      return name(unit, unit.stable, side);
    };
    for (const auto& [stable, group] : grouped(equal)) pair_equal(group[0], group[1]);
    // The method around them may have another name.
    const auto moved = [&](const Unit& unit, std::size_t side) {
      return name(unit, unit.code(), side);
    };
    for (const auto& [words, group] : grouped(moved)) {
      if (group[0].size() != 1 || group[1].size() != 1) continue;
      const std::size_t before = group[0].front(), after = group[1].front();
      if (old_side().units[before].stable != new_side().units[after].stable) {
        pair(before, after, false);
      }
    }
    const auto family = [&](const Unit& unit, std::size_t side) {
      return name(unit, unit.family, side);
    };
    if (auto groups = grouped(family); !groups.empty()) {
      find_calls(now);
      for (Side& side : sides_) find_places(side);
      for (const auto& [words, group] : groups) {
        pair_changed(group[0], group[1],
                     [&](const Unit& before) { return name(before, before.class_name, 0); });
      }
    }
  }

  // Notes outer classes with a renumbered class: the stable name is on no class of the same name
  // any more, or on a class with the name of another one. Then does the same by code only, because
  // the method around the class may have another name.
  void find_renumbered() {
    find_renumbered([](const Unit& unit) { return unit.stable; });
    find_renumbered([](const Unit& unit) { return unit.code(); });
  }
  template <typename Text>
  void find_renumbered(Text text) {
    std::array<std::map<std::string, std::set<std::string>>, 2> names;  // by text
    std::array<std::map<std::string, std::set<std::string>>, 2> texts;  // by name
    for (std::size_t side = 0; side < 2; ++side) {
      for (const Unit& unit : sides_[side].units) {
        if (unit.stable.empty() || is_stable_name(unit.class_name)) continue;
        names[side][text(unit)].insert(unit.class_name);
        texts[side][unit.class_name].insert(text(unit));
      }
    }
    for (const auto& [words, of_old] : names[0]) {
      const auto same = names[1].find(words);
      if (same == names[1].end() || same->second.size() != of_old.size()) continue;
      if (in_common(same->second, of_old) == 0) renumbered_.insert(outer_of(words));
    }
    for (const auto& [name, of_old] : texts[0]) {
      const auto same = texts[1].find(name);
      const bool is_one = same != texts[1].end() && same->second.size() == 1 && of_old.size() == 1;
      if (!is_one || same->second == of_old) continue;
      const std::string &before = *of_old.begin(), &now = *same->second.begin();
      if (names[0].contains(now) || names[1].contains(before)) renumbered_.insert(outer_of(before));
    }
  }
  bool is_renumbered(const Unit& unit) const { return renumbered_.contains(unit.outer); }

  // Pairs classes of one stable name.
  void pair_equal(const Indices& olds, const Indices& news) {
    const auto has_no_number = [](const Side& side, const Indices& units) {
      return std::ranges::any_of(
          units, [&](std::size_t i) { return is_stable_name(side.units[i].class_name); });
    };
    if (has_no_number(old_side(), olds) || has_no_number(new_side(), news)) {
      for (const std::size_t i : olds) pair(i, news.front(), false);
      for (const std::size_t j : news) {
        new_side().units[j].same_as = news.front();
        new_side().units[j].other = olds.front();
      }
      return;
    }
    if (!is_renumbered(old_side().units[olds.front()])) {
      std::unordered_map<std::string_view, std::size_t> named;
      for (const std::size_t j : news) named.emplace(new_side().units[j].class_name, j);
      for (const std::size_t i : olds) {
        const auto same = named.find(old_side().units[i].class_name);
        if (same == named.end()) continue;
        pair(i, same->second, false);
        named.erase(same);
      }
      return;
    }
    const bool is_only = olds.size() == 1 && news.size() == 1;
    for (std::size_t i = 0; i < std::min(olds.size(), news.size()); ++i) {
      pair(olds[i], news[i], !is_only);
    }
  }

  // Callees of one name are equal; callees of numbered classes are equal when their classes are of
  // one method.
  std::string callee_text(std::size_t side, std::size_t row,
                          const std::map<std::string, std::string>& now) const {
    const ReportModel::Methods& methods = sides_[side].report->methods;
    const std::size_t unit = sides_[side].unit_of[row];
    std::string owner = normal_class(methods.class_name[row]);
    if (unit != kNone && !sides_[side].units[unit].stable.empty()) {
      owner = sides_[side].units[unit].family;
    }
    if (side == 0) owner = in_new(owner, owner, now);
    return owner + '.' + signature(sides_[side], row);
  }
  static std::string signature(const Side& side, std::size_t row) {
    const ReportModel::Methods& methods = side.report->methods;
    return normal_method(methods.name[row]) + normal_descriptor(methods.descriptor[row]);
  }

  void find_calls(const std::map<std::string, std::string>& now) {
    for (std::size_t s = 0; s < 2; ++s) {
      Side& side = sides_[s];
      for (Unit& unit : side.units) {
        unit.callees.clear();
        for (const std::size_t row : unit.rows) unit.methods.insert(signature(side, row));
      }
      const ReportModel::Nodes& nodes = side.report->nodes;
      std::unordered_set<std::uint64_t> seen;
      for (std::size_t node = 1; node < nodes.method.size(); ++node) {
        const std::int32_t caller = nodes.method[at(nodes.parent[node])];
        if (caller < 0 || side.unit_of[at(caller)] == kNone) continue;
        const std::size_t callee = at(nodes.method[node]);
        if (!seen.insert(std::uint64_t{at(caller)} << 32 | callee).second) continue;
        side.units[side.unit_of[at(caller)]].callees.insert(callee_text(s, callee, now));
      }
    }
  }

  static std::size_t in_common(const std::set<std::string>& a, const std::set<std::string>& b) {
    return static_cast<std::size_t>(
        std::ranges::count_if(a, [&](const std::string& text) { return b.contains(text); }));
  }

  static void find_places(Side& side) {
    std::map<std::string_view, std::size_t> paired;
    side.places.clear();
    for (const Unit& unit : side.units) {
      std::size_t& place = paired[unit.outer];
      side.places.push_back(place);
      if (unit.other != kNone && !unit.stable.empty()) ++place;
    }
  }

  // Pairs classes of one method with changed code. `name_now`: name of a class of OLD with its
  // number kept.
  template <typename NameNow>
  void pair_changed(const Indices& olds, const Indices& news, NameNow name_now) {
    if (olds.size() * news.size() > kMostUnitPairs) return;
    const std::size_t width = news.size();
    std::vector<std::uint64_t> worth(olds.size() * width);
    for (std::size_t i = 0; i < olds.size(); ++i) {
      const Unit& before = old_side().units[olds[i]];
      const std::string name = name_now(before);
      for (std::size_t j = 0; j < width; ++j) {
        const Unit& now = new_side().units[news[j]];
        const bool is_twin = before.stable == now.stable && !is_renumbered(before);
        if (is_twin || in_common(before.methods, now.methods) == 0) continue;
        std::uint64_t weight = kCommonCallee * in_common(before.callees, now.callees);
        if (before.callees == now.callees) weight += kSameCallees;
        if (!is_renumbered(before) && name == now.class_name) weight += kSameNumber;
        if (weight == 0) continue;
        const bool is_same_place = old_side().places[olds[i]] == new_side().places[news[j]];
        worth[i * width + j] = weight + 1 + (is_same_place ? kSamePlace : 0);
      }
    }
    take_best(olds, news, worth);
  }

  // Takes the pairing with the largest sum that keeps the order.
  void take_best(const Indices& olds, const Indices& news,
                 const std::vector<std::uint64_t>& worth) {
    const std::size_t width = news.size();
    std::vector<std::uint64_t> best((olds.size() + 1) * (width + 1));
    const auto best_at = [&](std::size_t i, std::size_t j) -> std::uint64_t& {
      return best[i * (width + 1) + j];
    };
    for (std::size_t i = olds.size(); i-- > 0;) {
      for (std::size_t j = width; j-- > 0;) {
        best_at(i, j) = std::max(best_at(i + 1, j), best_at(i, j + 1));
        if (const std::uint64_t pair_worth = worth[i * width + j]; pair_worth != 0) {
          best_at(i, j) = std::max(best_at(i, j), best_at(i + 1, j + 1) + pair_worth);
        }
      }
    }
    for (std::size_t i = 0, j = 0; i < olds.size() && j < width;) {
      const std::uint64_t pair_worth = worth[i * width + j];
      if (pair_worth != 0 && best_at(i, j) == best_at(i + 1, j + 1) + pair_worth) {
        const bool may_be_another = has_rival(i, j, olds.size(), width, worth);
        if (!may_be_another || olds.size() == width) pair(olds[i], news[j], may_be_another);
        ++i;
        ++j;
      } else {
        best_at(i, j) == best_at(i + 1, j) ? ++i : ++j;
      }
    }
  }

  // Returns true if one of the two fits another class as well.
  static bool has_rival(std::size_t i, std::size_t j, std::size_t height, std::size_t width,
                        const std::vector<std::uint64_t>& worth) {
    const std::uint64_t own = worth[i * width + j];
    for (std::size_t other = 0; other < width; ++other) {
      if (other != j && worth[i * width + other] >= own) return true;
    }
    for (std::size_t other = 0; other < height; ++other) {
      if (other != i && worth[other * width + j] >= own) return true;
    }
    return false;
  }

  void give_tokens() {
    stable_of_token_.clear();
    for (const std::size_t side : {1u, 0u}) {
      for (std::size_t i = 0; i < sides_[side].units.size(); ++i) {
        const Unit& unit = sides_[side].units[i];
        const bool is_of_new = side == 1 || unit.other != kNone;
        std::size_t number = side == 0 && is_of_new ? unit.other : i;
        if (side == 1 && unit.same_as != kNone) number = unit.same_as;
        const bool is_known = !unit.stable.empty() && !unit.is_by_number;
        const std::string token = std::string(is_known ? kKnown : kByNumber) +
                                  (is_of_new ? "new" : "old") + std::to_string(number);
        stable_of_token_.try_emplace(token, sides_[side].stable_column[unit.rows.front()]);
        for (const std::size_t row : unit.rows) {
          sides_[side].report->methods.stable_class[row] = token;
        }
      }
    }
  }

  std::array<Side, 2> sides_;
  std::set<std::string> renumbered_;  // outer classes, of OLD
  std::unordered_map<std::string, std::string> stable_of_token_;
};

NumberedClasses::NumberedClasses(ReportModel& old_report, ReportModel& new_report)
    : pairing_(std::make_unique<Pairing>(old_report, new_report)) {}
NumberedClasses::~NumberedClasses() = default;

bool NumberedClasses::pair_in_renamed(const std::map<std::string, std::string>& now) {
  return pairing_->pair_in_renamed(now);
}
std::vector<Renumbered> NumberedClasses::adopt_names() { return pairing_->adopt_names(); }
void NumberedClasses::restore(ReportModel::Methods& methods) const { pairing_->restore(methods); }

}  // namespace copse::diff
