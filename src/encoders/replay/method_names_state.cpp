#include "encoders/replay/method_names_state.h"

#include <string_view>
#include <unordered_map>

namespace copse::encoders {
namespace {

class TextTable {
 public:
  std::uint64_t index_of(const std::string& text) {
    const auto [it, added] = indices_.try_emplace(text, texts_.size());
    if (added) texts_.push_back(text);
    return it->second;
  }
  void save(wire::StateWriter& out) const {
    out.number(texts_.size());
    for (const std::string_view text : texts_) out.text(text);
  }

 private:
  std::unordered_map<std::string_view, std::uint64_t> indices_;
  std::vector<std::string_view> texts_;
};

// Line and bytecode index, where -1 is "unknown".
std::uint64_t number_of(std::int32_t value) { return static_cast<std::uint32_t>(value + 1); }
std::int32_t value_of(std::uint64_t number) { return static_cast<std::int32_t>(number) - 1; }

}  // namespace

void save_method_names(const std::vector<MethodName>& methods, wire::StateWriter& out) {
  TextTable texts;
  wire::StateWriter rows;
  rows.number(methods.empty() ? 0 : methods.size() - 1);
  for (std::size_t i = 1; i < methods.size(); ++i) {
    const MethodName& method = methods[i];
    for (const std::string* text :
         {&method.class_name, &method.name, &method.descriptor, &method.source, &method.loader}) {
      rows.number(texts.index_of(*text));
    }
    rows.number(method.sites.size());
    for (const SiteName& site : method.sites) {
      rows.number(number_of(site.bci));
      rows.number(number_of(site.line));
    }
  }
  texts.save(out);
  for (const std::uint8_t byte : rows.bytes()) out.byte(byte);
}

std::vector<MethodName> load_method_names(wire::StateReader& in) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 31;
  std::vector<std::string_view> texts(in.count(1));
  for (std::string_view& text : texts) text = in.text();
  std::vector<MethodName> methods(1);
  for (std::size_t left = in.count(6); left > 0 && in.ok(); --left) {
    MethodName& method = methods.emplace_back();
    for (std::string* text :
         {&method.class_name, &method.name, &method.descriptor, &method.source, &method.loader}) {
      const std::uint64_t index = in.number_below(texts.size(), "text");
      if (in.ok()) *text = texts[index];
    }
    method.sites.resize(in.count(2));
    for (SiteName& site : method.sites) {
      site.bci = value_of(in.number_below(kLimit, "bytecode index"));
      site.line = value_of(in.number_below(kLimit, "line"));
    }
  }
  return methods;
}

}  // namespace copse::encoders
