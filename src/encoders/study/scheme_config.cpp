#include "encoders/study/scheme_config.h"

#include <bit>
#include <string_view>
#include <utility>

namespace copse::study {
namespace {

// splitmix64's finaliser: every bit of the result depends on every bit of the value.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return (hash ^ 0xFF) * 0x100000001B3;  // so that "ab","c" is not "a","bc"
}

std::uint64_t key_of(std::size_t id, const MethodName& name) {
  if (name.class_name.empty() && name.name.empty()) return mixed(id);
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::string* part : {&name.class_name, &name.name, &name.descriptor}) {
    hash = hashed(hash, *part);
  }
  return mixed(hash);
}

}  // namespace

SchemeConfig::SchemeConfig(ConfigOptions options, const std::vector<MethodName>& methods)
    : options_(std::move(options)) {
  keys_.reserve(methods.size());
  for (const MethodName& name : methods) keys_.push_back(key_of(keys_.size(), name));
}

bool SchemeConfig::withheld(MethodId method) const {
  const std::uint64_t key = raw(method) < keys_.size() ? keys_[raw(method)] : mixed(raw(method));
  return static_cast<double>(mixed(key + mixed(options_.seed)) >> 11) * 0x1p-53 < options_.withhold;
}

encoders::EncoderConfig SchemeConfig::config(const graph::CallGraph& observed) const {
  encoders::EncoderConfig config;
  const graph::CallGraph& graph = options_.graph ? *options_.graph : observed;
  config.graph = graph;
  if (options_.withhold > 0) {
    config.graph = graph.without([&](MethodId method) {
      const bool stays = !options_.withhold_entries && graph.find(entry_edge(method)) >= 0;
      return !stays && withheld(method);
    });
  }
  config.max_codes = options_.max_codes;
  config.method_key = [keys = keys_](MethodId method) {
    return raw(method) < keys.size() ? keys[raw(method)] : mixed(raw(method));
  };
  return config;
}

SchemeConfig SchemeConfig::with_graph(graph::CallGraph graph) const {
  SchemeConfig same = *this;
  same.options_.graph = std::move(graph);
  return same;
}

std::string SchemeConfig::command_line_options() const {
  const ConfigOptions defaults;
  std::string text;
  if (options_.max_codes != defaults.max_codes) {
    text += " --max-codes " + std::to_string(std::bit_width(options_.max_codes) - 1);
  }
  if (options_.withhold > 0) text += " --withhold " + std::to_string(options_.withhold);
  if (options_.withhold > 0 && options_.withhold_entries) text += " --withhold-entries";
  if (options_.seed != defaults.seed) text += " --seed " + std::to_string(options_.seed);
  if (options_.graph) text += " --graph REPORT";
  return text;
}

}  // namespace copse::study
