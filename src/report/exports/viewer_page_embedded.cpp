// The page is bytes of this object file, taken in by the assembler: a string literal of its size
// would be slow to compile and is limited by other compilers.
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
extern const char copse_viewer_page_begin;
extern const char copse_viewer_page_end;
}

namespace copse::report {

std::string_view viewer_page() {
  return {&copse_viewer_page_begin,
          static_cast<std::size_t>(&copse_viewer_page_end - &copse_viewer_page_begin)};
}

}  // namespace copse::report
