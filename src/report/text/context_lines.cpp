#include "report/text/context_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/row.h"
#include "report/text/quantity.h"

namespace copse::report {
namespace {

constexpr std::size_t kLongestCycle = 8;    // frames in a repeated sequence
constexpr std::size_t kLengthsOfNames = 3;  // besides the full name
constexpr std::size_t kNeighbours = 20;     // rows above and below that a line must differ from
constexpr std::string_view kArrow = " <- ";
constexpr std::string_view kLeftOut = "...";

// Returns how many times the `length` frames from `first` on occur in a row.
template <typename Frame>
std::size_t repeats(const std::vector<Frame>& frames, std::size_t first, std::size_t length) {
  std::size_t same = first + length;
  while (same < frames.size() && frames[same] == frames[same - length]) ++same;
  return (same - first) / length;
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
  std::string_view type = std::string_view(full).substr(full.rfind('.') + 1);
  // Names of anonymous classes are numbers, of local ones begin with one.
  const std::size_t inner = type.rfind('$') + 1;
  const bool has_name =
      inner > 1 && inner < type.size() && (type[inner] < '0' || type[inner] > '9');
  if (length == 0 && has_name) type.remove_prefix(inner);
  const std::string name = display_name(type, methods.name[at(method)]);
  return length < 2 ? name : name + parameter_list(methods.descriptor[at(method)]);
}

std::string ContextLines::text_of(const Context& context, const Part& part, Names names) const {
  std::string text;
  for (std::size_t i = part.first; i < part.first + part.length; ++i) {
    const Frame& frame = context.frames[i];
    if (!text.empty()) text += kArrow;
    const bool is_method = !model_.methods.class_name[at(frame.method)].empty();
    text += names == Names::kAlone && is_method ? printable(model_.methods.name[at(frame.method)])
                                                : name_of_.at(frame.method);
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

// Returns the parts at which the context diverges from each of its neighbours.
std::set<std::size_t> ContextLines::where_neighbours_part(std::size_t i) const {
  const Context& own = contexts_[i];
  std::set<std::size_t> places;
  const std::size_t end = std::min(contexts_.size(), i + kNeighbours + 1);
  for (std::size_t j = i - std::min(i, kNeighbours); j < end; ++j) {
    if (j == i) continue;
    const Context& other = contexts_[j];
    const std::size_t most = std::min(own.parts.size(), other.parts.size());
    std::size_t same = 0;
    while (same < most && are_equal(own, own.parts[same], other, other.parts[same])) ++same;
    if (same < own.parts.size()) places.insert(same);
  }
  return places;
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

// Shows the `first` part, then the wanted parts that fit, in their order, then others.
std::string ContextLines::text(const Context& context, std::size_t first,
                               const std::vector<std::size_t>& wanted, std::size_t width) const {
  Shown shown = {{first, Names::kWithClass}};
  if (characters(joined(context, shown)) > width) shown = {{first, Names::kAlone}};
  const auto add_if_it_fits = [&](std::size_t part) {
    if (shown.contains(part)) return true;
    for (const Names names : {Names::kWithClass, Names::kAlone}) {
      Shown more = shown;
      more.emplace(part, names);
      if (characters(joined(context, more)) > width) continue;
      shown = std::move(more);
      return true;
    }
    return false;
  };
  if (!wanted.empty() && !add_if_it_fits(wanted.front())) {
    // A distinguishing frame matters more than a class name.
    const Shown before = std::exchange(shown, {{first, Names::kAlone}});
    if (!add_if_it_fits(wanted.front())) shown = before;
  }
  for (const std::size_t part : wanted) add_if_it_fits(part);
  for (std::size_t part = first; part < context.parts.size() && add_if_it_fits(part); ++part) {
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

std::string ContextLines::text(std::size_t i, std::size_t width) const {
  const Context& context = contexts_[i];
  const std::set<std::size_t> places = where_neighbours_part(i);
  // The divergence from the most similar neighbour comes first.
  std::vector<std::size_t> wanted(places.rbegin(), places.rend());
  if (context.parts.size() > 1) wanted.push_back(1);
  if (common_.frames.empty()) wanted.push_back(context.parts.size() - 1);
  return text(context, 0, wanted, width);
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
  return text(common_, first, {parts.size() - 1}, width);
}

}  // namespace copse::report
