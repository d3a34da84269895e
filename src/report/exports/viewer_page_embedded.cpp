// The page, in gzip format, is bytes of this object file, taken in by the assembler: a string literal of its size
// would be slow to compile and is limited by other compilers.
#include <zlib.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "report/exports/html_writer.h"

asm(R"(
  .section .rodata
  .global copse_viewer_page_begin
  .global copse_viewer_page_end
  .hidden copse_viewer_page_begin
  .hidden copse_viewer_page_end
copse_viewer_page_begin:
  .incbin ")" COPSE_VIEWER_PAGE R"("
copse_viewer_page_end:
  .byte 0
  .previous
)");

extern "C" {
extern const unsigned char copse_viewer_page_begin[];
extern const unsigned char copse_viewer_page_end[];
}

namespace copse::report {
namespace {

std::string inflated_page() {
  const auto size = static_cast<std::size_t>(copse_viewer_page_end - copse_viewer_page_begin);
  std::uint32_t bytes = 0;  // a gzip file ends with the size of its contents, the lowest byte first
  for (int i = 1; i <= 4; ++i) bytes = bytes << 8 | copse_viewer_page_begin[size - i];
  std::string page(bytes, '\0');
  z_stream stream{};
  constexpr int kOnlyGzip = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kOnlyGzip) != Z_OK) throw std::bad_alloc();
  stream.next_in = const_cast<Bytef*>(copse_viewer_page_begin);
  stream.avail_in = static_cast<uInt>(size);
  stream.next_out = reinterpret_cast<Bytef*>(page.data());
  stream.avail_out = bytes;
  const int outcome = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
  if (outcome != Z_STREAM_END) throw std::runtime_error("the page in this build: is damaged");
  return page;
}

}  // namespace

std::string_view viewer_page() {
  static const std::string page = inflated_page();
  return page;
}

}  // namespace copse::report
