#include "encoders/graph_file.h"

#include <array>
#include <string_view>

#include "base/byte_writer.h"
#include "base/replaced_file.h"
#include "encoders/file_sections.h"
#include "encoders/method_names_state.h"

namespace copse::encoders {
namespace {

constexpr std::string_view kMagic = "copse.graph/1\n";
// Of what a file may ask of its reader.
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 24;

enum class Tag : std::uint32_t {
  kScheme = 0x5343484D,      // "SCHM"
  kGraph = 0x47524150,       // "GRAP"
  kMethodKeys = 0x4B455953,  // "KEYS"
  kState = 0x53544154,       // "STAT"
  kNames = 0x4E414D45,       // "NAME"
  kEnd = 0x454E4420,         // "END "
};

constexpr std::array kOrder = {Tag::kScheme, Tag::kGraph, Tag::kMethodKeys,
                               Tag::kState,  Tag::kNames, Tag::kEnd};

void put_scheme(StateWriter& out, const EncoderInfo& scheme, const EncoderConfig& config) {
  out.text(scheme.name);
  out.number(config.max_codes);
  out.number(config.breadcrumbs.hot_threshold);
  out.number(config.breadcrumbs.work_limit);
  out.number(config.breadcrumbs.max_depth);
}

const EncoderInfo* take_scheme(StateReader& in, EncoderConfig& config) {
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
void put_method_keys(StateWriter& out, const EncoderConfig& config) {
  for (std::uint32_t i = 1; i < config.graph.method_limit(); ++i) {
    if (!config.graph.contains(MethodId{i})) continue;
    const std::uint64_t key = config.method_key(MethodId{i});
    for (int shift = 56; shift >= 0; shift -= 8) out.byte(static_cast<std::uint8_t>(key >> shift));
  }
}

void take_method_keys(StateReader& in, EncoderConfig& config) {
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
  explicit Loader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  Result<GraphFile> run() {
    if (!begins_with(bytes_, kMagic)) return error_at(0, "not a file of copse.graph/1");
    position_ = kMagic.size();
    for (Tag tag{}; tag != Tag::kEnd;) {
      if (Status status = section(tag); !status.ok()) return status;
    }
    if (position_ != bytes_.size()) return error_at(position_, "bytes behind the last section");
    return std::move(file_);
  }

 private:
  Status section(Tag& tag) {
    const Result<Section> section = section_at(bytes_, position_);
    if (!section.ok()) return section.status();
    tag = Tag{section->tag};
    StateReader in(section->content, section->content_at);
    if (Status status = take(tag, position_, in); !status.ok()) return status;
    if (!in.at_end()) in.fail("bytes are left over in this section");
    position_ = section->end;
    return in.status();
  }

  // Sections stand in one order, and each makes what the following ones are read with.
  Status advance_to(Tag tag, std::size_t start) {
    while (next_ < kOrder.size() && kOrder[next_] != tag) {
      if (is_required(kOrder[next_])) return error_at(start, "a section is missing before this");
      ++next_;
    }
    return next_++ < kOrder.size() ? Status() : error_at(start, "a section out of place");
  }

  bool is_required(Tag tag) const {
    if (tag == Tag::kGraph) return file_.scheme->needs_graph;
    if (tag == Tag::kMethodKeys) return has_method_keys(*file_.scheme);
    return tag != Tag::kNames;
  }

  Status take(Tag tag, std::size_t start, StateReader& in) {
    if (Status status = advance_to(tag, start); !status.ok()) return status;
    switch (tag) {
      case Tag::kScheme:
        file_.scheme = take_scheme(in, config_);
        break;
      case Tag::kGraph:
        config_.graph.load(in);
        break;
      case Tag::kMethodKeys:
        take_method_keys(in, config_);
        break;
      case Tag::kState:
        return make_encoder_from(in);
      case Tag::kNames:
        file_.methods = load_method_names(in);
        break;
      case Tag::kEnd:
        break;
    }
    return in.status();
  }

  Status make_encoder_from(StateReader& in) {
    Result<std::unique_ptr<Encoder>> made = make_encoder(file_.scheme->name, config_);
    if (!made.ok()) return made.status();
    (*made)->load_state(in);
    file_.encoder = std::move(*made);
    return in.status();
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  std::size_t next_ = 0;  // in kOrder
  EncoderConfig config_;
  GraphFile file_;
};

}  // namespace

std::vector<std::uint8_t> graph_file_bytes(const EncoderInfo& scheme, const EncoderConfig& config,
                                           const StateWriter& state,
                                           const std::vector<MethodName>& methods) {
  ByteWriter file;
  put_first_line(file, kMagic);
  const auto put = [&](Tag tag, auto&& fill) {
    StateWriter content;
    fill(content);
    put_section(file, static_cast<std::uint32_t>(tag), content);
  };
  put(Tag::kScheme, [&](StateWriter& out) { put_scheme(out, scheme, config); });
  if (scheme.needs_graph) put(Tag::kGraph, [&](StateWriter& out) { config.graph.save(out); });
  if (has_method_keys(scheme)) {
    put(Tag::kMethodKeys, [&](StateWriter& out) { put_method_keys(out, config); });
  }
  put_section(file, static_cast<std::uint32_t>(Tag::kState), state);
  if (!methods.empty()) {
    put(Tag::kNames, [&](StateWriter& out) { save_method_names(methods, out); });
  }
  put(Tag::kEnd, [](StateWriter&) {});
  return std::move(file).take();
}

Status write_graph_file(const std::string& path, const EncoderInfo& scheme,
                        const EncoderConfig& config, const StateWriter& state,
                        const std::vector<MethodName>& methods) {
  if (!scheme.decodes) {
    return Status::error(std::string(scheme.name) + ": a hash, which no file can decode");
  }
  const std::vector<std::uint8_t> bytes = graph_file_bytes(scheme, config, state, methods);
  ReplacedFile file(path);
  Status status = file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (status.ok()) status = file.commit();
  return status;
}

Result<GraphFile> load_graph_file(std::span<const std::uint8_t> bytes) {
  return Loader(bytes).run();
}

Result<GraphFile> read_graph_file(const std::string& path) {
  const Result<std::vector<std::uint8_t>> bytes = read_file_of(path, kMagic);
  if (!bytes.ok()) return bytes.status();
  Result<GraphFile> loaded = load_graph_file(*bytes);
  if (!loaded.ok()) return Status::error(path + ": " + loaded.message());
  return loaded;
}

}  // namespace copse::encoders
