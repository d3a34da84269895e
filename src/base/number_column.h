// A column of numbers that takes no more bytes than they need: most contexts of a large tree have few calls, and most
// measures are of few contexts.
//
// Pages of 1024 rows have numbers of 0, 1, 2, 4 or 8 bytes; a page without bytes is all zeros. A number that does not
// fit makes its page wider. Access costs a nanosecond or two more than that of a vector.
//
// Otherwise it is used as a vector is. `column[row]` of a column that may change is a Cell, which is read and written
// like a number; a copy of the Cell is still the cell.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace copse {

class NumberColumn {
 public:
  using value_type = std::uint64_t;

  class Cell {
   public:
    operator std::uint64_t() const noexcept {
      return static_cast<const NumberColumn&>(column_)[row_];
    }
    const Cell& operator=(std::uint64_t number) const {
      column_.set(row_, number);
      return *this;
    }
    const Cell& operator=(const Cell& other) const { return *this = std::uint64_t{other}; }
    const Cell& operator+=(std::uint64_t number) const { return *this = *this + number; }
    const Cell& operator-=(std::uint64_t number) const { return *this = *this - number; }

   private:
    friend class NumberColumn;
    Cell(NumberColumn& column, std::size_t row) noexcept : column_(column), row_(row) {}

    NumberColumn& column_;
    const std::size_t row_;
  };

  class const_iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::uint64_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::uint64_t*;
    using reference = std::uint64_t;

    const_iterator() = default;
    std::uint64_t operator*() const noexcept { return (*column_)[row_]; }
    std::uint64_t operator[](difference_type n) const noexcept { return *(*this + n); }
    const_iterator& operator+=(difference_type n) noexcept {
      row_ += static_cast<std::size_t>(n);
      return *this;
    }
    const_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    const_iterator& operator++() noexcept { return *this += 1; }
    const_iterator& operator--() noexcept { return *this -= 1; }
    const_iterator operator++(int) noexcept { return {column_, row_++}; }
    const_iterator operator--(int) noexcept { return {column_, row_--}; }
    friend const_iterator operator+(const_iterator at, difference_type n) noexcept {
      return at += n;
    }
    friend const_iterator operator+(difference_type n, const_iterator at) noexcept {
      return at += n;
    }
    friend const_iterator operator-(const_iterator at, difference_type n) noexcept {
      return at -= n;
    }
    friend difference_type operator-(const_iterator a, const_iterator b) noexcept {
      return static_cast<difference_type>(a.row_) - static_cast<difference_type>(b.row_);
    }
    friend bool operator==(const_iterator a, const_iterator b) noexcept { return a.row_ == b.row_; }
    friend auto operator<=>(const_iterator a, const_iterator b) noexcept {
      return a.row_ <=> b.row_;
    }

   private:
    friend class NumberColumn;
    const_iterator(const NumberColumn* column, std::size_t row) noexcept
        : column_(column), row_(row) {}

    const NumberColumn* column_ = nullptr;
    std::size_t row_ = 0;
  };
  using iterator = const_iterator;

  NumberColumn() = default;
  explicit NumberColumn(std::size_t rows) { resize(rows); }
  NumberColumn(std::initializer_list<std::uint64_t> numbers)
      : NumberColumn(numbers.begin(), numbers.end()) {}
  NumberColumn(const std::vector<std::uint64_t>& numbers)
      : NumberColumn(numbers.begin(), numbers.end()) {}
  template <std::input_iterator Iterator>
  NumberColumn(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::uint64_t operator[](std::size_t row) const noexcept;
  Cell operator[](std::size_t row) noexcept { return {*this, row}; }
  std::uint64_t front() const noexcept { return (*this)[0]; }
  std::uint64_t back() const noexcept { return (*this)[size_ - 1]; }
  const_iterator begin() const noexcept { return {this, 0}; }
  const_iterator end() const noexcept { return {this, size_}; }

  void set(std::size_t row, std::uint64_t number);
  void push_back(std::uint64_t number) {
    if (size_ == pages_.size() << kPageLog) pages_.emplace_back();
    ++size_;
    if (number != 0) set(size_ - 1, number);
  }
  // New rows are 0.
  void resize(std::size_t rows);
  void clear() noexcept {
    pages_.clear();
    size_ = 0;
  }
  void swap(NumberColumn& other) noexcept {
    pages_.swap(other.pages_);
    std::swap(size_, other.size_);
  }
  // Bytes of the numbers, rounded up to pages.
  std::size_t memory_bytes() const noexcept;

  friend bool operator==(const NumberColumn& a, const NumberColumn& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr int kPageLog = 10;
  static constexpr std::size_t kPageRows = std::size_t{1} << kPageLog;
  using Page = std::vector<std::uint8_t>;  // kPageRows numbers, all of the same width

  std::vector<Page> pages_;
  std::size_t size_ = 0;
};

inline std::uint64_t NumberColumn::operator[](std::size_t row) const noexcept {
  const Page& page = pages_[row >> kPageLog];
  const std::uint8_t* const bytes = page.data();
  const std::size_t at = row % kPageRows;
  const auto as = [&](auto number) -> std::uint64_t {
    __builtin_memcpy(&number, bytes + at * sizeof number, sizeof number);
    return number;
  };
  switch (page.size() >> kPageLog) {
    case 0:
      return 0;
    case 1:
      return bytes[at];
    case 2:
      return as(std::uint16_t{});
    case 4:
      return as(std::uint32_t{});
    default:
      return as(std::uint64_t{});
  }
}

}  // namespace copse
