#include "agent/line/note.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "base/grouped.h"

namespace copse::agent {
namespace {

template <typename T>
concept OfSeveralKinds = requires(T note) {
  note.kind;
};

template <typename T>
std::string_view name_of(const T& note) {
  if constexpr (OfSeveralKinds<T>) {
    return T::kKinds[static_cast<std::size_t>(note.kind)];
  } else {
    return T::kKinds[0];
  }
}

std::string text_of(std::uint64_t number) { return std::to_string(number); }
std::string text_of(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

bool read(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}
bool read(std::string_view text, std::string& field) {
  field = text;
  return true;
}

std::vector<std::string_view> tab_separated(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

template <typename T>
bool read_fields(std::span<const std::string_view> texts, T& note) {
  return std::apply(
      [&](auto&... fields) {
        std::size_t i = 0;
        return texts.size() == sizeof...(fields) && (read(texts[i++], fields) && ...);
      },
      note.fields());
}

template <typename T>
bool read_as(std::span<const std::string_view> line, std::optional<Note>& out) {
  const auto kind = std::ranges::find(T::kKinds, line[0]);
  if (kind == T::kKinds.end()) return false;
  T note;
  if constexpr (OfSeveralKinds<T>) {
    note.kind = static_cast<typename T::Kind>(kind - T::kKinds.begin());
  }
  if (read_fields(line.subspan(1), note)) out = std::move(note);
  return true;
}

template <typename... Kinds>
std::optional<Note> read_any(std::span<const std::string_view> line, std::variant<Kinds...>*) {
  std::optional<Note> note;
  static_cast<void>((read_as<Kinds>(line, note) || ...));
  return note;
}

}  // namespace

std::string contents_of(const FileNote& file) {
  using Kind = FileNote::Kind;
  const bool has_events =
      file.has_ids() || file.kind == Kind::kEvents || file.kind == Kind::kValues;
  const bool has_bytes =
      file.kind == Kind::kTrace || file.kind == Kind::kEvents || file.kind == Kind::kValues;
  return counted(file.count, has_events ? "event" : "call") + " in " +
         counted(file.size, has_bytes ? "byte" : "context") + ", " + grouped(file.lost) + " lost" +
         (file.merged == 0 ? "" : ", recursion of " + counted(file.merged, "method") + " merged");
}

CheckedIds& CheckedIds::operator+=(const CheckedIds& other) noexcept {
  CheckedIds added = other;
  const auto sums = fields();
  const auto more = added.fields();
  [&]<std::size_t... kField>(std::index_sequence<kField...>) {
    ((std::get<kField>(sums) += std::get<kField>(more)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(sums)>>());
  return *this;
}

std::string note_line(Note note) {
  return std::visit(
      [](auto& kind) {
        std::string line(name_of(kind));
        std::apply([&](auto&... fields) { ((line += '\t' + text_of(fields)), ...); },
                   kind.fields());
        return line;
      },
      note);
}

std::optional<Note> read_note(std::string_view line) {
  return read_any(tab_separated(line), static_cast<Note*>(nullptr));
}

const std::string* first_text(const std::vector<Note>& notes, TextNote::Kind kind) noexcept {
  for (const Note& note : notes) {
    const auto* text = std::get_if<TextNote>(&note);
    if (text != nullptr && text->kind == kind) return &text->text;
  }
  return nullptr;
}

}  // namespace copse::agent
