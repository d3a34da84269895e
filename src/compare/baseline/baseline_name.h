// Methods in a baseline, as Java has them: "shop.Dao.find(int, java.lang.String): shop.Row", without the type of void.
//
// A name that would read back as another one stands in quotes, as up to three texts: "shop.Dao" "a (name)" "()V". A row that
// is no method, such as a thread or an object of events, is one text in quotes. In quotes, a backslash and two hexadecimal
// digits stand for a byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::baseline {

struct BaselineName {
  std::string class_name, name, descriptor;
  friend bool operator==(const BaselineName&, const BaselineName&) = default;
};

// Name of the row that has the sums of contexts without room.
inline constexpr std::string_view kOthers = "(others)";

std::string in_text(const BaselineName& name);
// Returns std::nullopt for a text that in_text() does not write.
std::optional<BaselineName> name_in_text(std::string_view text);

std::string quoted(std::string_view text);
// Takes all texts in quotes, with blanks between them, off a line. Returns std::nullopt if there is anything else.
std::optional<std::vector<std::string>> quoted_texts(std::string_view line);

}  // namespace copse::baseline
