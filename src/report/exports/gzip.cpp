#include "report/exports/gzip.h"

#include <zlib.h>

#include <array>
#include <new>

namespace copse::report {

struct Gzip::Stream {
  z_stream z{};
  std::array<char, 1 << 16> bytes;
};

Gzip::Gzip(Output& out) : out_(out), stream_(std::make_unique<Stream>()) {
  constexpr int kAsGzip = 16 + MAX_WBITS;
  constexpr int kMemory = 8;  // zlib's default
  if (deflateInit2(&stream_->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kAsGzip, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

Gzip::~Gzip() { deflateEnd(&stream_->z); }

void Gzip::put(std::string_view bytes) { deflate(bytes, Z_NO_FLUSH); }

void Gzip::finish() { deflate({}, Z_FINISH); }

void Gzip::deflate(std::string_view bytes, int flush) {
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  do {
    z.next_out = reinterpret_cast<Bytef*>(stream_->bytes.data());
    z.avail_out = static_cast<uInt>(stream_->bytes.size());
    ::deflate(&z, flush);
    out_.put(std::string_view(stream_->bytes.data(), stream_->bytes.size() - z.avail_out));
  } while (z.avail_out == 0);
}

}  // namespace copse::report
