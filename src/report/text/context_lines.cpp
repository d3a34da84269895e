#include "report/text/context_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/grouped.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "report/model/quantity.h"
#include "report/model/row.h"

namespace copse::report {
namespace {

constexpr std::size_t kLongestCycle = 8;    // frames in a repeated sequence
constexpr std::size_t kLengthsOfNames = 3;  // besides the full name
constexpr std::size_t kNeighbours = 20;     // rows above and below that a line must differ from
constexpr std::size_t kCutName = 12;        // characters of a name that is cut
constexpr std::string_view kArrow = " <- ";
constexpr std::string_view kLeftOut = "...";

// Returns how many times the `length` frames from `first` on occur in a row.
template <typename Frame>
std::size_t repeats(const std::vector<Frame>& frames, std::size_t first, std::size_t length) {
  std::size_t same = first + length;
  while (same < frames.size() && frames[same] == frames[same - length]) ++same;
  return (same - first) / length;
}

// Breaks a text before arrows, so that each line has at most `width` characters; empty if that takes more than `most`.
std::vector<std::string> broken(std::string_view text, std::size_t width, std::size_t most) {
  constexpr std::string_view kIndent = "  ";
  std::vector<std::string> lines;
  std::string indent;
  while (characters(text) + indent.size() > width) {
    std::size_t cut = 0;
    for (std::size_t arrow = text.find(kArrow, 1);
         arrow != std::string_view::npos &&
         characters(text.substr(0, arrow)) + indent.size() <= width;
         arrow = text.find(kArrow, arrow + 1)) {
      cut = arrow;
    }
    if (cut == 0 || lines.size() + 1 == most) return {};
    lines.push_back(indent.append(text.substr(0, cut)));
    text.remove_prefix(cut + 1);
    indent = kIndent;
  }
  lines.push_back(indent.append(text));
  return lines;
}

}  // namespace

ContextLines::ContextLines(const ReportModel& model, const DisplayNames& names,
                           const std::vector<std::int32_t>& rows)
    : model_(model), names_(names) {
  std::vector<Frame> common;
  for (const std::int32_t row : rows) {
    std::vector<Frame> frames = frames_of(row);
    if (row == rows.front()) common = frames;
    keep_what_both_end_in(common, frames);
    contexts_.push_back(in_parts(frames));
  }
  if (rows.size() > 1) common_ = in_parts(common);
  choose_names();
}

std::vector<ContextLines::Frame> ContextLines::frames_of(std::int32_t row) const {
  const ReportModel::Nodes& nodes = model_.nodes;
  std::vector<Frame> frames;
  std::int32_t line = -1;
  for (; row > 0; row = nodes.parent[at(row)]) {
    frames.push_back({nodes.method[at(row)], line});
    const std::int32_t site = nodes.site[at(row)];
    line = site < 0 ? -1 : model_.sites.line[at(site)];
  }
  return frames;
}

void ContextLines::keep_what_both_end_in(std::vector<Frame>& common,
                                         const std::vector<Frame>& other) {
  const auto [ours, theirs] =
      std::mismatch(common.rbegin(), common.rend(), other.rbegin(), other.rend());
  common.erase(common.begin(), ours.base());
}

// Keeps one copy of each repeated sequence.
ContextLines::Context ContextLines::in_parts(const std::vector<Frame>& frames) {
  Context context;
  for (std::size_t first = 0; first < frames.size();) {
    std::size_t most = 1;
    Part part{context.frames.size(), 1, 1};
    for (std::size_t length = 1; length <= kLongestCycle; ++length) {
      const std::size_t times = repeats(frames, first, length);
      // The shortest of the cycles that cover the most frames.
      if (times < 2 || times * length <= most) continue;
      most = times * length;
      part.length = length;
      part.times = times;
    }
    const auto begin = frames.begin() + static_cast<std::ptrdiff_t>(first);
    context.frames.insert(context.frames.end(), begin,
                          begin + static_cast<std::ptrdiff_t>(part.length));
    context.parts.push_back(part);
    first += most;
  }
  return context;
}

// Chooses for each method the shortest name that no other method of the contexts has.
void ContextLines::choose_names() {
  std::set<std::int32_t> left;
  for (const Context& context : contexts_) {
    for (const Frame& frame : context.frames) left.insert(frame.method);
  }
  for (std::size_t length = 0; length < kLengthsOfNames; ++length) {
    std::unordered_map<std::string, int> uses;
    for (const std::int32_t method : left) ++uses[name_of(method, length)];
    std::erase_if(left, [&](std::int32_t method) {
      const std::string name = name_of(method, length);
      if (uses[name] > 1) return false;
      name_of_[method] = printable(name);
      return true;
    });
  }
  for (const std::int32_t method : left) name_of_[method] = names_.method(method);
}

// `length` 0: without package and enclosing class; 1: without package; 2: with parameters.
std::string ContextLines::name_of(std::int32_t method, std::size_t length) const {
  const ReportModel::Methods& methods = model_.methods;
  const std::string& full = methods.class_name[at(method)];
  if (full.empty() && methods.descriptor[at(method)].empty()) {
    return without_packages(methods.name[at(method)]);
  }
  if (is_evicted_method(methods, at(method))) return "(evicted contexts)";
  const std::string_view type =
      length == 0 ? innermost_class(full) : std::string_view(full).substr(full.rfind('.') + 1);
  const std::string name = display_name(type, methods.name[at(method)]);
  return length < 2 ? name : name + parameter_list(methods.descriptor[at(method)]);
}

std::string ContextLines::name_in(const Context& context, std::size_t frame, Names names) const {
  const std::int32_t method = context.frames[frame].method;
  const std::string& name = name_of_.at(method);
  if (names == Names::kWithClass) return name;
  if (const auto event = event_object_of(model_.methods, at(method))) {
    return event_name(*event, context, frame, names);
  }
  const bool is_method = !model_.methods.class_name[at(method)].empty() &&
                         !is_evicted_method(model_.methods, at(method));
  if (names == Names::kWithoutParameters) {
    const std::size_t parameters = name.find('(');
    return is_method && parameters != std::string::npos && name.find(',') != std::string::npos
               ? name.substr(0, parameters) + "(...)"
               : name;
  }
  // "<init>" alone tells nothing.
  const bool needs_class = is_method && model_.methods.name[at(method)].starts_with('<');
  const std::string alone = needs_class ? printable(name_of(method, 0))
                            : is_method ? printable(model_.methods.name[at(method)])
                                        : name;
  return names == Names::kAlone ? alone : fitted(alone, kCutName);
}

// "throw Missing at :31 <- Store.find": does not name the place again if the caller is shown there.
std::string ContextLines::event_name(const EventObject& event, const Context& context,
                                     std::size_t frame, Names names) const {
  std::string type = names == Names::kWithoutParameters
                         ? without_packages(printable(event.class_name))
                         : std::string(innermost_class(printable(event.class_name)));
  if (names == Names::kCut) type = fitted(type, kCutName);
  std::string text = std::string(word_of(event.kind)) + " " + type;
  if (event.place.empty()) return text;
  const std::size_t colon = std::min(event.place.rfind(':'), event.place.size());
  const std::string line = printable(event.place.substr(colon));
  std::string_view thrower = event.place.substr(0, colon);
  if (frame + 1 < context.frames.size()) {
    const std::int32_t caller = context.frames[frame + 1].method;
    const ReportModel::Methods& methods = model_.methods;
    if (display_name(methods.class_name[at(caller)], methods.name[at(caller)]) == thrower) {
      return line.empty() ? text : text + " at " + line;
    }
  }
  thrower.remove_prefix(thrower.rfind('.') + 1);  // npos + 1 is the start
  return text + " at " + printable(thrower) + line;
}

bool ContextLines::is_of_program(const Frame& frame) const {
  const ReportModel::Methods& methods = model_.methods;
  const std::string& loader = methods.loader[at(frame.method)];
  return !methods.class_name[at(frame.method)].empty() &&
         !is_evicted_method(methods, at(frame.method)) && loader != "boot" && loader != "platform";
}

// Returns the first part with a method of the program; std::nullopt if that is the innermost part, or there is none.
std::optional<std::size_t> ContextLines::caller_in_program(const Context& context) const {
  for (std::size_t i = 0; i < context.parts.size(); ++i) {
    const Part& part = context.parts[i];
    for (std::size_t frame = part.first; frame < part.first + part.length; ++frame) {
      if (!is_of_program(context.frames[frame])) continue;
      if (i == 0) return std::nullopt;
      return i;
    }
  }
  return std::nullopt;
}

std::string ContextLines::text_of(const Context& context, const Part& part, Names names) const {
  std::string text;
  for (std::size_t i = part.first; i < part.first + part.length; ++i) {
    const Frame& frame = context.frames[i];
    if (!text.empty()) text += kArrow;
    text += name_in(context, i, names);
    if (frame.line >= 0) text += fmt::format(":{}", frame.line);
  }
  if (part.times == 1) return text;
  return fmt::format("{} (x{})", part.length == 1 ? text : "[" + text + "]", grouped(part.times));
}

bool ContextLines::are_equal(const Context& a, const Part& in_a, const Context& b,
                             const Part& in_b) const {
  return in_a.length == in_b.length && in_a.times == in_b.times &&
         std::equal(a.frames.begin() + static_cast<std::ptrdiff_t>(in_a.first),
                    a.frames.begin() + static_cast<std::ptrdiff_t>(in_a.first + in_a.length),
                    b.frames.begin() + static_cast<std::ptrdiff_t>(in_b.first));
}

// Returns the parts at which the context diverges from each of its neighbours, by neighbour.
std::map<std::size_t, std::size_t> ContextLines::where_neighbours_part(std::size_t i) const {
  const Context& own = contexts_[i];
  std::map<std::size_t, std::size_t> places;
  const std::size_t end = std::min(contexts_.size(), i + kNeighbours + 1);
  for (std::size_t j = i - std::min(i, kNeighbours); j < end; ++j) {
    if (j == i) continue;
    const Context& other = contexts_[j];
    const std::size_t most = std::min(own.parts.size(), other.parts.size());
    std::size_t same = 0;
    while (same < most && are_equal(own, own.parts[same], other, other.parts[same])) ++same;
    if (same < own.parts.size()) places.emplace(j, same);
  }
  return places;
}

// Returns the parts by which a reader tells the context from its neighbours: first where it diverges from the most
// similar one, then where it diverges from others that have that part as well.
std::vector<std::size_t> ContextLines::telling_parts(
    std::size_t i, const std::map<std::size_t, std::size_t>& places) const {
  if (places.empty()) return {};
  const Context& own = contexts_[i];
  const std::size_t outermost =
      std::ranges::max_element(places, {}, [](const auto& place) { return place.second; })->second;
  std::set<std::size_t> more;
  for (const auto& [j, place] : places) {
    const Context& other = contexts_[j];
    if (place == outermost) continue;
    const bool has_it = std::ranges::any_of(other.parts, [&](const Part& part) {
      return are_equal(own, own.parts[outermost], other, part);
    });
    if (has_it) more.insert(place);
  }
  std::vector<std::size_t> parts = {outermost};
  parts.insert(parts.end(), more.rbegin(), more.rend());
  return parts;
}

std::string ContextLines::joined(const Context& context, const Shown& shown) const {
  std::string text;
  std::size_t next = 0;
  const auto leave_out = [&](std::size_t to) {
    if (to > next) text.append(text.empty() ? "" : kArrow).append(kLeftOut);
  };
  for (const auto& [part, names] : shown) {
    leave_out(part);
    text.append(text.empty() ? "" : kArrow).append(text_of(context, context.parts[part], names));
    next = part + 1;
  }
  leave_out(context.parts.size());
  return text;
}

bool ContextLines::add_if_it_fits(const Context& context, std::size_t part,
                                  std::initializer_list<Names> names, Room room,
                                  Shown& shown) const {
  if (shown.contains(part)) return true;
  for (const Names form : names) {
    Shown more = shown;
    more.emplace(part, form);
    if (broken(joined(context, more), room.width, room.lines).empty()) continue;
    shown = std::move(more);
    return true;
  }
  return false;
}

// Shows the `first` part and as many of the needed ones as fit, with the longest names that leave room for those.
ContextLines::Shown ContextLines::first_and_needed(const Context& context, std::size_t first,
                                                   const std::vector<std::size_t>& needed,
                                                   std::size_t width) const {
  using enum Names;
  struct Forms {
    Names first;
    std::initializer_list<Names> others;
  };
  static constexpr std::initializer_list<Names> kAny = {kWithClass, kWithoutParameters, kAlone};
  static constexpr std::initializer_list<Names> kShort = {kAlone};
  static constexpr std::initializer_list<Names> kShortest = {kCut};
  static constexpr Forms kForms[] = {{kWithClass, kAny},
                                     {kWithClass, kShort},
                                     {kWithoutParameters, kAny},
                                     {kWithoutParameters, kShort},
                                     {kAlone, kAny},
                                     {kAlone, kShort},
                                     {kCut, kShort},
                                     {kCut, kShortest}};
  Shown best;
  std::size_t most = 0;
  for (const Forms& forms : kForms) {
    Shown shown = {{first, forms.first}};
    if (characters(joined(context, shown)) > width) continue;
    // The first of the needed parts matters more than all others.
    std::size_t fitting = 0;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (!add_if_it_fits(context, needed[i], forms.others, {width}, shown)) continue;
      fitting += i == 0 ? needed.size() : 1;
    }
    if (fitting > most || (best.empty() && forms.first != kCut)) best = std::move(shown);
    most = std::max(most, fitting);
    if (!best.empty() && most + 1 >= 2 * needed.size()) return best;
  }
  return best.empty() ? Shown{{first, kAlone}} : best;
}

// Shows the `first` part and the needed parts, then the wanted parts that fit, in their order, then others.
std::string ContextLines::text(const Context& context, std::size_t first,
                               const std::vector<std::size_t>& needed,
                               const std::vector<std::size_t>& wanted, std::size_t width) const {
  using enum Names;
  Shown shown = first_and_needed(context, first, needed, width);
  const auto add = [&](std::size_t part) {
    return add_if_it_fits(context, part, {kWithClass, kWithoutParameters, kAlone}, {width}, shown);
  };
  for (const std::size_t part : wanted) add(part);
  // The first caller says more than the class of the innermost method does.
  const std::size_t caller = first + 1;
  const bool is_event =
      model_.methods.class_name[at(context.frames[context.parts[first].first].method)].empty();
  for (const Names form : {kWithoutParameters, kAlone}) {
    if (is_event || caller >= context.parts.size() || shown.contains(caller)) break;
    Shown shorter = shown;
    shorter.at(first) = std::max(form, shown.at(first));
    if (add_if_it_fits(context, caller, {kAlone}, {width}, shorter)) shown = std::move(shorter);
  }
  for (std::size_t part = first; part < context.parts.size() && add(part); ++part) {
  }
  const std::string line = joined(context, shown);
  if (characters(line) <= width) return line;
  // The innermost frame alone is too long.
  const std::string innermost = text_of(context, context.parts[0], Names::kAlone);
  const std::string rest = line.substr(innermost.size());
  const std::size_t room = width > rest.size() ? width - rest.size() : 0;
  const Part& part = context.parts[0];
  const bool is_method = !model_.methods.class_name[at(context.frames[part.first].method)].empty();
  const std::string cut = is_method ? fitted(innermost, room) : fitted_behind_word(innermost, room);
  return fitted(cut + rest, width);
}

ContextLines::Choice ContextLines::choice_for(std::size_t i) const {
  const Context& context = contexts_[i];
  const std::map<std::size_t, std::size_t> places = where_neighbours_part(i);
  std::vector<std::size_t> needed = telling_parts(i, places);
  if (const auto caller = caller_in_program(context)) {
    needed.insert(needed.begin() + (needed.empty() ? 0 : 1), *caller);
  }
  std::set<std::size_t, std::greater<>> others;
  for (const auto& [neighbour, place] : places) others.insert(place);
  std::vector<std::size_t> wanted(others.begin(), others.end());
  if (context.parts.size() > 1) wanted.push_back(1);
  if (common_.frames.empty()) wanted.push_back(context.parts.size() - 1);
  return {std::move(needed), std::move(wanted)};
}

std::string ContextLines::text(std::size_t i, std::size_t width) const {
  const auto [needed, wanted] = choice_for(i);
  return text(contexts_[i], 0, needed, wanted, width);
}

std::size_t ContextLines::rows_with(const Context& context, const Part& part) const {
  return static_cast<std::size_t>(std::ranges::count_if(contexts_, [&](const Context& other) {
    return std::ranges::any_of(
        other.parts, [&](const Part& theirs) { return are_equal(context, part, other, theirs); });
  }));
}

// Returns lines with the innermost frame, its first caller and `least` of the needed parts, uncut; none if these have no
// room.
std::vector<std::string> ContextLines::told_in(std::size_t i, Room room, std::size_t least) const {
  using enum Names;
  static constexpr std::initializer_list<Names> kAny = {kWithClass, kWithoutParameters, kAlone};
  static constexpr std::initializer_list<Names> kShort = {kAlone};
  const Context& context = contexts_[i];
  auto [parts, wanted] = choice_for(i);
  // Where there are too many parts, the rare ones say most.
  if (parts.size() > least) {
    std::ranges::stable_sort(
        parts, {}, [&](std::size_t part) { return rows_with(context, context.parts[part]); });
  }
  const bool has_caller = context.parts.size() > 1;
  if (has_caller) parts.insert(parts.begin(), 1);
  least = std::min(parts.size(), least + (has_caller ? 1 : 0));
  const bool is_event = model_.methods.class_name[at(context.frames[0].method)].empty();
  for (const Names first : kAny) {
    // The first line of two has an event's caller, which need not be in the event's name as well.
    if (is_event && room.lines > 1 && first == kWithClass) continue;
    for (const auto& forms : {kAny, kShort}) {
      Shown shown = {{0, first}};
      const auto add = [&](std::size_t part) {
        return add_if_it_fits(context, part, forms, room, shown);
      };
      const auto needed = parts.begin() + static_cast<std::ptrdiff_t>(least);
      if (!std::all_of(parts.begin(), needed, add)) continue;
      std::for_each(needed, parts.end(), add);
      if (room.lines == 1) {
        std::ranges::for_each(wanted, add);
        for (std::size_t part = 1; part < context.parts.size() && add(part); ++part) {
        }
      }
      std::vector<std::string> lines = broken(joined(context, shown), room.width, room.lines);
      if (!lines.empty()) return lines;
    }
  }
  return {};
}

std::vector<std::string> ContextLines::lines(std::size_t i, std::size_t width) const {
  constexpr std::size_t kAll =
      2 * kNeighbours + 1;  // of a part for each neighbour, and the caller in the program
  struct Try {
    std::size_t lines, least;
  };
  for (const auto& [lines, least] : {Try{1, kAll}, Try{2, kAll}, Try{2, 1}}) {
    std::vector<std::string> told = told_in(i, {width, lines}, least);
    if (!told.empty()) return told;
  }
  return {text(i, width)};
}

std::vector<std::string> ContextLines::row(std::string columns, std::size_t i,
                                           std::size_t width) const {
  constexpr std::size_t kNoRoom = 20;
  const std::size_t used = characters(columns);
  std::vector<std::string> rows;
  for (const std::string& line : lines(i, std::max(width - std::min(width, used), kNoRoom))) {
    rows.push_back(columns + line);
    columns.assign(used, ' ');
  }
  return rows;
}

std::size_t ContextLines::least_width(std::size_t i) const {
  const Context& context = contexts_[i];
  Shown shown = {{0, Names::kAlone}};
  if (context.parts.size() > 1) shown.emplace(1, Names::kAlone);
  return characters(joined(context, shown));
}

std::string ContextLines::common(std::size_t width) const {
  const std::vector<Part>& parts = common_.parts;
  if (parts.empty()) return "";
  // Skips a long cycle at the place where the contexts diverge.
  std::size_t first = 0;
  while (first + 1 < parts.size() &&
         characters(text_of(common_, parts[first], Names::kAlone)) > width / 2) {
    ++first;
  }
  return text(common_, first, {parts.size() - 1}, {}, width);
}

}  // namespace copse::report
