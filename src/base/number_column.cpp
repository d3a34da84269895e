#include "base/number_column.h"

#include <bit>
#include <cstring>

namespace copse {
namespace {

// Bytes of a number, one of 0, 1, 2, 4, 8.
std::size_t width_of(std::uint64_t number) noexcept {
  return number == 0 ? 0
                     : std::bit_ceil((static_cast<std::size_t>(std::bit_width(number)) + 7) / 8);
}

// Little-endian: the lowest bytes come first.
void put(std::uint8_t* bytes, std::size_t at, std::size_t width, std::uint64_t number) noexcept {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(bytes + at * width, &number, width);
}

}  // namespace

void NumberColumn::set(std::size_t row, std::uint64_t number) {
  Page& page = pages_[row >> kPageLog];
  const std::size_t needed = width_of(number);
  if (needed > page.size() >> kPageLog) {
    Page wider(kPageRows * needed);
    const std::size_t first = row & ~(kPageRows - 1);
    const std::size_t rows = page.empty() ? 0 : std::min(kPageRows, size_ - first);
    for (std::size_t i = 0; i < rows; ++i) {
      put(wider.data(), i, needed, static_cast<const NumberColumn&>(*this)[first + i]);
    }
    page = std::move(wider);
  }
  if (!page.empty()) put(page.data(), row % kPageRows, page.size() >> kPageLog, number);
}

void NumberColumn::resize(std::size_t rows) {
  const std::size_t pages = (rows + kPageRows - 1) >> kPageLog;
  pages_.resize(pages);
  // Rows that are cut off are 0 if they come back.
  for (std::size_t row = rows; row < size_ && row < pages << kPageLog; ++row) set(row, 0);
  size_ = rows;
}

std::size_t NumberColumn::memory_bytes() const noexcept {
  std::size_t bytes = pages_.capacity() * sizeof(Page);
  for (const Page& page : pages_) bytes += page.capacity();
  return bytes;
}

}  // namespace copse
