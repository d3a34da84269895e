#include "encoders/graph_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/replaced_file.h"
#include "encoders/crc32.h"
#include "encoders/method_names_state.h"

namespace copse::encoders {
namespace {

constexpr std::string_view kMagic = "copse.graph/1\n";
constexpr std::size_t kSectionHeader = 16;  // tag 4, length 8, CRC-32 4
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

void put_section(ByteWriter& file, Tag tag, const StateWriter& content) {
  const std::span<const std::uint8_t> bytes = content.bytes();
  file.u4(static_cast<std::uint32_t>(tag));
  file.u4(static_cast<std::uint32_t>(bytes.size() >> 32));
  file.u4(static_cast<std::uint32_t>(bytes.size()));
  file.u4(crc32(bytes));
  file.bytes(bytes);
}

bool begins_with_magic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), bytes.begin(), bytes.begin() + kMagic.size());
}

Status error_at(std::size_t position, const std::string& why) {
  return Status::error("at byte " + std::to_string(position) + ": " + why);
}

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
    if (!begins_with_magic(bytes_)) {
      return error_at(0, "not a file of copse.graph/1");
    }
    position_ = kMagic.size();
    for (Tag tag{}; tag != Tag::kEnd;) {
      if (Status status = section(tag); !status.ok()) return status;
    }
    if (position_ != bytes_.size()) return error_at(position_, "bytes behind the last section");
    return std::move(file_);
  }

 private:
  Status section(Tag& tag) {
    const std::size_t start = position_;
    ByteReader header(bytes_.subspan(start));
    tag = Tag{header.u4()};
    const std::uint64_t length = std::uint64_t{header.u4()} << 32 | header.u4();
    const std::uint32_t checksum = header.u4();
    if (!header.ok() || length > header.remaining()) {
      return error_at(start, "the file ends within this section");
    }
    const auto content = bytes_.subspan(start + kSectionHeader, length);
    if (crc32(content) != checksum) {
      return error_at(start, "this section's checksum does not fit its content");
    }
    StateReader in(content, start + kSectionHeader);
    if (Status status = take(tag, start, in); !status.ok()) return status;
    if (!in.at_end()) in.fail("bytes are left over in this section");
    position_ = start + kSectionHeader + length;
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

// Appends what the file has left, at most `most` bytes.
Status read_some(int file, std::vector<std::uint8_t>& bytes, std::size_t most) {
  while (most > 0) {
    const std::size_t size = bytes.size();
    bytes.resize(size + std::min(most, std::max<std::size_t>(size, 1 << 16)));
    const ssize_t got = ::read(file, bytes.data() + size, bytes.size() - size);
    const int error = errno;
    bytes.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got == 0) break;
    if (got < 0 && error != EINTR) return Status::error(std::strerror(error));
    most -= bytes.size() - size;
  }
  return {};
}

}  // namespace

std::vector<std::uint8_t> graph_file_bytes(const EncoderInfo& scheme, const EncoderConfig& config,
                                           const StateWriter& state,
                                           const std::vector<MethodName>& methods) {
  ByteWriter file;
  file.bytes({reinterpret_cast<const std::uint8_t*>(kMagic.data()), kMagic.size()});
  const auto put = [&](Tag tag, auto&& fill) {
    StateWriter content;
    fill(content);
    put_section(file, tag, content);
  };
  put(Tag::kScheme, [&](StateWriter& out) { put_scheme(out, scheme, config); });
  if (scheme.needs_graph) put(Tag::kGraph, [&](StateWriter& out) { config.graph.save(out); });
  if (has_method_keys(scheme)) {
    put(Tag::kMethodKeys, [&](StateWriter& out) { put_method_keys(out, config); });
  }
  put_section(file, Tag::kState, state);
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
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Status::error(path + ": cannot be read: " + std::strerror(errno));
  std::vector<std::uint8_t> bytes;
  // A foreign file may be endless: its beginning is enough.
  const Status status = read_some(file, bytes, kMagic.size());
  Status rest;
  if (status.ok() && begins_with_magic(bytes)) rest = read_some(file, bytes, ~std::size_t{0});
  ::close(file);
  for (const Status& part : {status, rest}) {
    if (!part.ok()) return Status::error(path + ": cannot be read: " + part.message());
  }
  Result<GraphFile> loaded = load_graph_file(bytes);
  if (!loaded.ok()) return Status::error(path + ": " + loaded.message());
  return loaded;
}

}  // namespace copse::encoders
