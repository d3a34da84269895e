#include "encoders/replay/state_file.h"

#include <string_view>
#include <utility>

#include "encoders/replay/method_names_state.h"

namespace copse::encoders {
namespace {

// Limits of a file's claims on its reader.
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 24;

void put_scheme(wire::StateWriter& out, const EncoderInfo& scheme, const EncoderConfig& config) {
  out.text(scheme.name);
  out.number(config.max_codes);
  out.number(config.breadcrumbs.hot_threshold);
  out.number(config.breadcrumbs.work_limit);
  out.number(config.breadcrumbs.max_depth);
}

const EncoderInfo* take_scheme(wire::StateReader& in, EncoderConfig& config) {
  const std::string_view name = in.text();
  const EncoderInfo* scheme = find_encoder(name);
  if (in.ok() && (!scheme || !scheme->decodes)) in.fail("a scheme that nothing here decodes");
  config.max_codes = in.number_below((std::uint64_t{1} << 62) + 1, "limit of codes");
  if (config.max_codes == 0) in.fail("limit of codes is 0");
  BreadcrumbsOptions& search = config.breadcrumbs;
  search.hot_threshold = static_cast<std::uint32_t>(in.number_below(1ull << 32, "threshold"));
  search.work_limit = in.number_below(kMostWork + 1, "search limit");
  search.max_depth = static_cast<std::uint32_t>(in.number_below(kMaxPathSteps + 1, "search depth"));
  return scheme;
}

// In order of the methods of the graph. Eight bytes each, as keys are hashes.
void put_method_keys(wire::StateWriter& out, const EncoderConfig& config) {
  for (std::uint32_t i = 1; i < config.graph.method_limit(); ++i) {
    if (!config.graph.contains(MethodId{i})) continue;
    const std::uint64_t key = config.method_key(MethodId{i});
    for (int shift = 56; shift >= 0; shift -= 8) out.byte(static_cast<std::uint8_t>(key >> shift));
  }
}

void take_method_keys(wire::StateReader& in, EncoderConfig& config) {
  std::vector<std::uint64_t> keys(config.graph.method_limit());
  for (std::uint32_t i = 1; i < keys.size(); ++i) {
    if (!config.graph.contains(MethodId{i})) continue;
    for (int byte = 0; byte < 8; ++byte) keys[i] = keys[i] << 8 | in.byte();
  }
  config.method_key = [keys = std::move(keys)](MethodId method) { return keys[raw(method)]; };
}

bool has_method_keys(const EncoderInfo& scheme) { return scheme.name == "stable"; }

class Loader {
 public:
  // Sections stand in one order, and each makes what the following ones are read with.
  void take(std::uint8_t type, wire::StateReader& in) {
    for (; next_ < type; ++next_) {
      if (is_required(StateSection{next_})) return in.fail("a section is missing before this");
    }
    if (next_++ != type) return in.fail("a section out of place");
    switch (StateSection{type}) {
      case StateSection::kScheme:
        file_.scheme = take_scheme(in, config_);
        break;
      case StateSection::kGraph:
        config_.graph.load(in);
        break;
      case StateSection::kMethodKeys:
        take_method_keys(in, config_);
        break;
      case StateSection::kState:
        make_encoder_from(in);
        break;
      case StateSection::kNames:
        file_.methods = load_method_names(in);
        break;
      case StateSection::kEnd:
        break;
    }
  }

  // When all sections were taken.
  StateFile file() && { return std::move(file_); }

 private:
  bool is_required(StateSection section) const {
    if (section == StateSection::kGraph) return file_.scheme->needs_graph;
    if (section == StateSection::kMethodKeys) return has_method_keys(*file_.scheme);
    return section != StateSection::kNames;
  }

  void make_encoder_from(wire::StateReader& in) {
    Result<std::unique_ptr<Encoder>> made = make_encoder(file_.scheme->name, config_);
    if (!made.ok()) return in.fail(made.message());
    (*made)->load_state(in);
    file_.encoder = std::move(*made);
  }

  std::uint8_t next_ = static_cast<std::uint8_t>(StateSection::kScheme);
  EncoderConfig config_;
  StateFile file_;
};

}  // namespace

wire::SectionWriter state_file(const EncoderInfo& scheme, const EncoderConfig& config,
                               const wire::StateWriter& state,
                               const std::vector<MethodName>& methods) {
  wire::SectionWriter file(kStateFileHeader);
  const auto put = [&](StateSection type, auto&& fill) {
    wire::StateWriter content;
    fill(content);
    file.add(static_cast<std::uint8_t>(type), content.bytes());
  };
  put(StateSection::kScheme, [&](wire::StateWriter& out) { put_scheme(out, scheme, config); });
  if (scheme.needs_graph) {
    put(StateSection::kGraph, [&](wire::StateWriter& out) { config.graph.save(out); });
  }
  if (has_method_keys(scheme)) {
    put(StateSection::kMethodKeys, [&](wire::StateWriter& out) { put_method_keys(out, config); });
  }
  file.add(static_cast<std::uint8_t>(StateSection::kState), state.bytes());
  if (!methods.empty()) {
    put(StateSection::kNames, [&](wire::StateWriter& out) { save_method_names(methods, out); });
  }
  put(StateSection::kEnd, [](wire::StateWriter&) {});
  return file;
}

Status write_state_file(const std::string& path, const EncoderInfo& scheme,
                        const EncoderConfig& config, const wire::StateWriter& state,
                        const std::vector<MethodName>& methods) {
  if (!scheme.decodes) {
    return Status::error(Fault::kUnsupported,
                         std::string(scheme.name) + ": a hash, which no file can decode");
  }
  return state_file(scheme, config, state, methods).write_to(path);
}

Result<StateFile> read_state_file(std::unique_ptr<wire::ByteSource> bytes) {
  constexpr wire::SectionFile kFile{kStateFileHeader, "the saved state of an encoder",
                                    static_cast<std::uint8_t>(StateSection::kEnd)};
  Loader loader;
  const Status status =
      wire::read_sections(std::move(bytes), kFile,
                          [&](std::uint8_t type, wire::StateReader& in) { loader.take(type, in); });
  if (!status.ok()) return status;
  return std::move(loader).file();
}

Result<StateFile> read_state_file(const std::string& path) {
  Result<std::unique_ptr<wire::ByteSource>> bytes = wire::open_file(path);
  if (!bytes.ok()) return bytes.status();
  return read_state_file(std::move(bytes).value());
}

}  // namespace copse::encoders
