#include "compare/diff/numbered_classes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "compare/diff/event_names.h"

namespace copse::diff {
namespace {

using report::ReportModel;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr char kMark = '\x01';  // before texts of classes; no class name begins with it

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

// A class of one report.
struct NumberedClass {
  NumberedClass(std::string name, std::string stable_name)
      : class_name(std::move(name)),
        stable(std::move(stable_name)),
        family(before_last(stable, '~')),
        numberless(before_last(family, '~')),
        outer(outer_of(numberless)) {}

  std::string class_name;
  std::string stable;                  // "" means unknown
  std::string family;                  // with the method around it, without its code
  std::string numberless;              // Foo$*
  std::string outer;                   // the class around it, as far as its name shows
  std::vector<std::size_t> rows = {};  // of methods
  std::string text = {};               // "" until it is known which class it is
  std::string name_now = class_name;
  bool has_other_number = false;  // in NEW
};

struct Side {
  ReportModel::Methods* methods;
  std::vector<NumberedClass> units = {};  // in the order of their names
};

using Indices = std::vector<std::size_t>;

class Matching {
 public:
  Matching(ReportModel& old_report, ReportModel& new_report)
      : sides_{Side{&old_report.methods}, Side{&new_report.methods}} {
    std::set<std::string> numbered;
    for (const Side& side : sides_) {
      for (std::size_t row = 0; row < side.methods->name.size(); ++row) {
        if (!stable_name(*side.methods, row).empty())
          numbered.insert(side.methods->class_name[row]);
      }
    }
    for (Side& side : sides_) find_units(side, numbered);
    find_renumbered();
    for (const auto& [name, group] :
         grouped([](const NumberedClass& unit) { return unit.class_name; })) {
      const auto& [olds, news] = group;
      const auto old_one =
          std::ranges::find_if(olds, [&](std::size_t i) { return old_unit(i).stable.empty(); });
      const auto new_one =
          std::ranges::find_if(news, [&](std::size_t j) { return new_unit(j).stable.empty(); });
      if (old_one != olds.end() && news.size() == 1) {
        pair(*old_one, news[0]);
      } else if (new_one != news.end() && olds.size() == 1) {
        pair(olds[0], *new_one);
      }
    }
    for (const auto& [stable, group] :
         grouped([](const NumberedClass& unit) { return unit.stable; })) {
      if (!stable.empty()) match_equal(group[0], group[1]);
    }
    const auto by_number = [](const NumberedClass& unit) {
      return unit.family + kMark + unit.class_name;
    };
    for (const auto& [name, group] : grouped(by_number)) {
      const auto& [olds, news] = group;
      if (olds.size() == 1 && news.size() == 1 && !moved_.contains(old_unit(olds[0]).outer) &&
          !may_have_moved_.contains(old_unit(olds[0]).outer)) {
        pair(olds[0], news[0]);
      }
    }
  }

  std::vector<Renamed> take(std::unordered_map<std::string, std::string>& stable_of_text) {
    std::vector<Renamed> renumbered;
    for (const std::size_t side : {1u, 0u}) {
      ReportModel::Methods& methods = *sides_[side].methods;
      std::map<std::string, std::string, std::less<>> other_names;
      for (NumberedClass& unit : sides_[side].units) {
        if (unit.text.empty()) unit.text = next_text();
        stable_of_text.try_emplace(unit.text, methods.stable_class[unit.rows.front()]);
        if (unit.name_now != unit.class_name) other_names[unit.class_name] = unit.name_now;
        if (unit.has_other_number) {
          renumbered.push_back({printable(unit.class_name), printable(unit.name_now)});
        }
        for (const std::size_t row : unit.rows) {
          methods.stable_class[row] = unit.text;
          methods.class_name[row] = unit.name_now;
        }
      }
      rename_events(methods, [&](std::string_view class_name, std::string_view method) {
        const auto other = other_names.find(class_name);
        std::string name(other == other_names.end() ? class_name : other->second);
        return method.empty() ? name : std::move(name) + '.' + std::string(method);
      });
    }
    return renumbered;
  }

 private:
  NumberedClass& old_unit(std::size_t i) { return sides_[0].units[i]; }
  NumberedClass& new_unit(std::size_t i) { return sides_[1].units[i]; }

  // `numbered`: names of classes with a stable name in one of the reports.
  static void find_units(Side& side, const std::set<std::string>& numbered) {
    const ReportModel::Methods& methods = *side.methods;
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
    for (auto& [key, of_class] : rows) {
      side.units.emplace_back(key.first, key.second).rows = std::move(of_class);
    }
  }

  // Groups the classes that are not known yet by a text that both reports have.
  template <typename Text>
  std::map<std::string, std::array<Indices, 2>> grouped(Text text) const {
    std::map<std::string, std::array<Indices, 2>> groups;
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < sides_[side].units.size(); ++i) {
        const NumberedClass& unit = sides_[side].units[i];
        if (unit.text.empty()) groups[text(unit)][side].push_back(i);
      }
    }
    std::erase_if(groups, [](const auto& group) {
      return group.second[0].empty() || group.second[1].empty();
    });
    return groups;
  }

  // Notes outer classes whose numbers moved, since a number has another class in NEW, and those whose numbers may have
  // moved, since a stable name is on no class of the same number.
  void find_renumbered() {
    std::array<std::map<std::string, std::set<std::string>>, 2> names;    // by stable name
    std::array<std::map<std::string, std::set<std::string>>, 2> stables;  // by name
    for (std::size_t side = 0; side < 2; ++side) {
      for (const NumberedClass& unit : sides_[side].units) {
        if (unit.stable.empty() || is_stable_name(unit.class_name)) continue;
        names[side][unit.stable].insert(unit.class_name);
        stables[side][unit.class_name].insert(unit.stable);
      }
    }
    for (const auto& [stable, of_old] : names[0]) {
      const auto same = names[1].find(stable);
      if (same == names[1].end() || same->second.size() != of_old.size()) continue;
      const auto is_in_new = [&](const std::string& name) { return same->second.contains(name); };
      if (std::ranges::none_of(of_old, is_in_new)) may_have_moved_.insert(outer_of(stable));
    }
    for (const auto& [name, of_old] : stables[0]) {
      const auto same = stables[1].find(name);
      const bool is_one =
          same != stables[1].end() && same->second.size() == 1 && of_old.size() == 1;
      if (!is_one || same->second == of_old) continue;
      const std::string &before = *of_old.begin(), &now = *same->second.begin();
      if (names[0].contains(now) || names[1].contains(before)) moved_.insert(outer_of(before));
    }
  }

  // Matches classes of one stable name.
  void match_equal(const Indices& olds, const Indices& news) {
    const auto has_no_number = [](const NumberedClass& unit) {
      return is_stable_name(unit.class_name);
    };
    const bool lacks_numbers =
        std::ranges::any_of(olds, [&](std::size_t i) { return has_no_number(old_unit(i)); }) ||
        std::ranges::any_of(news, [&](std::size_t i) { return has_no_number(new_unit(i)); });
    if (lacks_numbers) return make_one(olds, news);
    if (!moved_.contains(old_unit(olds.front()).outer)) {
      bool any = false;
      for (const std::size_t i : olds) {
        const auto same = std::ranges::find_if(
            news, [&](std::size_t j) { return new_unit(j).class_name == old_unit(i).class_name; });
        if (same == news.end()) continue;
        pair(i, *same);
        any = true;
      }
      if (any) return;
    } else if (olds.size() == 1 && news.size() == 1) {
      return pair(olds.front(), news.front());
    }
    make_one(olds, news);
  }

  void pair(std::size_t before, std::size_t now) {
    NumberedClass &of_old = old_unit(before), &of_new = new_unit(now);
    of_old.text = of_new.text = next_text();
    of_old.name_now = of_new.class_name;
    of_old.has_other_number = of_old.class_name != of_new.class_name &&
                              !is_stable_name(of_old.class_name) &&
                              !is_stable_name(of_new.class_name);
  }

  // Keeps the name if there is only one with a number.
  void make_one(const Indices& olds, const Indices& news) {
    std::set<std::string> names;
    std::vector<NumberedClass*> units;
    for (const std::size_t i : olds) units.push_back(&old_unit(i));
    for (const std::size_t j : news) units.push_back(&new_unit(j));
    for (const NumberedClass* const unit : units) {
      if (!is_stable_name(unit->class_name)) names.insert(unit->class_name);
    }
    const std::string text = next_text();
    const std::string name = names.size() == 1 ? *names.begin() : units.front()->numberless;
    for (NumberedClass* const unit : units) {
      unit->text = text;
      unit->name_now = name;
    }
  }

  std::string next_text() { return kMark + std::to_string(++texts_); }

  std::array<Side, 2> sides_;
  std::set<std::string> moved_, may_have_moved_;  // outer classes, by their numbers
  std::size_t texts_ = 0;
};

}  // namespace

NumberedClasses::NumberedClasses(ReportModel& old_report, ReportModel& new_report)
    : renumbered_(Matching(old_report, new_report).take(stable_of_text_)) {}

void NumberedClasses::restore(ReportModel::Methods& methods) const {
  for (std::string& stable : methods.stable_class) {
    if (stable.starts_with(kMark)) stable = stable_of_text_.at(stable);
  }
}

}  // namespace copse::diff
