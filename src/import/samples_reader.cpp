#include "import/samples_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace copse::join {
namespace {

using namespace std::string_view_literals;

// The first bytes of a packed file. None of them begins a profile of pprof that a tool writes, nor text.
struct Packing {
  std::string_view beginning;
  const char* name;
  const char* unpack;  // a command that gives the file's content
};
constexpr std::array kPackings = {
    Packing{"\x28\xb5\x2f\xfd"sv, "zstd", "zstd -d"},
    Packing{"\x04\x22\x4d\x18"sv, "lz4", "lz4 -d"},
    Packing{"\x02\x21\x4c\x18"sv, "lz4", "lz4 -d"},
    Packing{"\xfd\x37zXZ\0"sv, "xz", "xz -d"},
    Packing{"\x5d\0\0"sv, "lzma", "xz -d"},
    Packing{"LZIP\x01"sv, "lzip", "lzip -d"},
    Packing{"LZIP\0"sv, "lzip", "lzip -d"},
    Packing{"\x1f\x9d"sv, "compress", "gzip -d"},
    Packing{"PK\x03\x04"sv, "zip", "unzip"},
    Packing{"7z\xbc\xaf\x27\x1c"sv, "7z", "7z x"},
    Packing{"\xff\x06\0\0sNaPpY"sv, "snappy", "snzip -d"},
    Packing{"\x78\x9c"sv, "zlib", "zlib-flate -uncompress"},
    Packing{"\x78\xda"sv, "zlib", "zlib-flate -uncompress"},
};

// "BZh", a digit, and the number that stands for a block or for the end.
bool begins_as_bzip2(std::string_view beginning) {
  if (beginning.size() < 10 || !beginning.starts_with("BZh")) return false;
  const std::string_view number = beginning.substr(4, 6);
  return number == "\x31\x41\x59\x26\x53\x59"sv || number == "\x17\x72\x45\x38\x50\x90"sv;
}

// A frame that decoders skip; zstd in parallel begins with one.
bool begins_as_skippable_frame(std::string_view beginning) {
  return beginning.size() >= 4 && (static_cast<unsigned char>(beginning[0]) & 0xf0) == 0x50 &&
         beginning.substr(1, 3) == "\x2a\x4d\x18"sv;
}

// Returns "" for a file that is not packed, or packed by gzip.
std::string packing_trouble(std::string_view beginning) {
  constexpr Packing kBzip2{"", "bzip2", "bzip2 -d"}, kZstd{"", "zstd", "zstd -d"};
  const auto known = std::find_if(kPackings.begin(), kPackings.end(), [&](const Packing& packing) {
    return beginning.starts_with(packing.beginning);
  });
  const Packing* const packing = known != kPackings.end()               ? &*known
                                 : begins_as_bzip2(beginning)           ? &kBzip2
                                 : begins_as_skippable_frame(beginning) ? &kZstd
                                                                        : nullptr;
  if (packing == nullptr) return "";
  return std::string("is compressed by ") + packing->name +
         ", and copse reads gzip alone: decompress it first (" + packing->unpack + ")";
}

// Stacks have ASCII in them, whose units have a zero byte.
bool begins_as_utf16(std::string_view beginning) {
  const bool has_mark = beginning.starts_with("\xff\xfe") || beginning.starts_with("\xfe\xff");
  return has_mark && beginning.find('\0') != std::string_view::npos;
}

bool begins_as_json(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && beginning[first] == '{';
}

Status read_into(SampledStacks& stacks, SampleBytes& bytes, const JfrReading& jfr) {
  if (!bytes.status()) return bytes.status();
  if (const std::string why = packing_trouble(bytes.block()); !why.empty()) {
    return Status::error(Fault::kMalformed, bytes.name() + ": " + why);
  }
  if (begins_as_utf16(bytes.block())) {
    return Status::error(
        Fault::kMalformed,
        bytes.name() + ": is text in UTF-16: make UTF-8 of it (iconv -f UTF-16 -t UTF-8)");
  }
  if (bytes.block().starts_with(kUtf8Mark)) bytes.take(kUtf8Mark.size());
  if (bytes.at_end()) return Status::error(Fault::kMalformed, bytes.name() + ": is empty");
  if (begins_as_json(bytes.block())) return read_jfr_json(bytes, jfr, stacks);
  if (begins_as_collapsed(bytes.block())) return read_collapsed(bytes, stacks);
  if (begins_as_pprof(bytes.block())) return read_pprof(bytes, stacks);
  return Status::error(Fault::kMalformed,
                       bytes.name() +
                           ": is none of what is read: collapsed stacks, a flight recording, or a "
                           "profile of pprof");
}

}  // namespace

bool is_flight_recording(const SampleBytes& bytes) {
  return bytes.block().starts_with(std::string_view("FLR\0", 4));
}

Result<SampledStacks> read_samples(SampleBytes& bytes, const JfrReading& jfr,
                                   FrameReading reading) {
  SampledStacks stacks(reading);
  const Status status = read_into(stacks, bytes, jfr);
  if (!status) return status;
  return stacks;
}

}  // namespace copse::join
