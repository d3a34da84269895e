#include "import/sample_bytes.h"

#include <zlib.h>

#include <new>
#include <span>
#include <utility>

namespace copse::join {
namespace {

constexpr std::size_t kBlockBytes = 1 << 16;

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

// A gzip file: a sequence of members.
class SampleBytes::Inflater {
 public:
  Inflater() {
    constexpr int kOnlyGzip = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kOnlyGzip) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Returns true when the given bytes are used up and yield no more output.
  bool needs_bytes() const noexcept { return stream_.avail_in == 0 && !filled_its_output_; }
  // REQUIRES: the bytes stay valid until needs_bytes().
  void give(std::span<std::uint8_t> bytes) {
    stream_.next_in = bytes.data();
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  // Returns true if the file may end here.
  bool is_between_members() const noexcept { return is_between_members_; }
  // Returns the number of bytes that came out, or an error when the input is no gzip data.
  Result<std::size_t> inflate_into(std::span<std::uint8_t> out) {
    if (is_between_members_ && inflateReset(&stream_) != Z_OK) return damaged();
    is_between_members_ = false;
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    is_between_members_ = outcome == Z_STREAM_END;
    filled_its_output_ = stream_.avail_out == 0 && !is_between_members_;
    if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR) return damaged();
    return out.size() - stream_.avail_out;
  }

 private:
  static Status damaged() {
    return Status::error(Fault::kMalformed,
                         "its gzip data is damaged: copy or make the file again");
  }

  z_stream stream_{};
  bool is_between_members_ = false;
  bool filled_its_output_ = false;
};

SampleBytes::SampleBytes(std::unique_ptr<wire::ByteSource> source)
    : source_(std::move(source)), read_(kBlockBytes) {
  refill();
}

SampleBytes::~SampleBytes() = default;

// False at the end, or after a failure.
bool SampleBytes::read_compressed() {
  const Result<std::size_t> got = source_->read(read_);
  if (!got.ok()) {
    status_ = got.status();
    return false;
  }
  inflater_->give(std::span(read_).first(*got));
  return *got != 0;
}

void SampleBytes::refill() {
  if (!status_) return;
  if (!inflater_) {
    const Result<std::size_t> got = source_->read(read_);
    if (!got.ok()) {
      status_ = got.status();
      return;
    }
    const std::span<std::uint8_t> bytes = std::span(read_).first(*got);
    if (!std::exchange(is_at_start_, false) || !text_of(bytes).starts_with("\x1f\x8b")) {
      block_ = text_of(bytes);
      return;
    }
    inflater_ = std::make_unique<Inflater>();
    inflated_.resize(kBlockBytes);
    inflater_->give(bytes);
  }
  std::size_t made = 0;
  while (made < inflated_.size() && status_.ok()) {
    if (inflater_->needs_bytes() && !read_compressed()) {
      if (status_.ok() && !inflater_->is_between_members()) {
        status_ =
            Status::error(Fault::kMalformed,
                          name() + ": ends in the middle of its gzip data: copy or make it again");
      }
      break;
    }
    const Result<std::size_t> inflated =
        inflater_->inflate_into(std::span(inflated_).subspan(made));
    if (inflated.ok()) {
      made += *inflated;
    } else {
      status_ = inflated.status().behind(name() + ": ");
    }
  }
  block_ = text_of(std::span(inflated_).first(made));
}

}  // namespace copse::join
