// Buffered output of a format. Keeps the first failure until finish().
//
// Writers put text without checking. The owner of the output calls finish() once and checks its
// Status. After a failure, further text is dropped. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/replaced_file.h"
#include "base/status.h"

namespace copse::report {

class Output {
 public:
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  void put(std::string_view text) {
    if (text.size() > kBufferBytes - buffer_.size()) return put_slowly(text);
    buffer_.append(text);
  }
  void put(char c) { put(std::string_view(&c, 1)); }
  void put_number(std::int64_t number);
  void put_number(std::uint64_t number);
  void put_number(double number);  // shortest form that reads back equal; 0 when not finite

  // Writes the buffered text. Returns the first failure as "NAME: why".
  Status finish();
  bool failed() const noexcept { return !status_.ok(); }

 protected:
  Output() { buffer_.reserve(kBufferBytes); }
  virtual Status write(std::string_view block) = 0;

 private:
  static constexpr std::size_t kBufferBytes = 1 << 16;
  void put_slowly(std::string_view text);
  void flush();

  std::string buffer_;
  Status status_;
};

// Collects text in memory, for tests and for texts that are processed further.
class StringOutput final : public Output {
 public:
  const std::string& text() const noexcept { return text_; }  // complete after finish()

 private:
  Status write(std::string_view block) override;
  std::string text_;
};

// Writes to an open descriptor and does not close it.
class DescriptorOutput final : public Output {
 public:
  DescriptorOutput(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}
  // True after a write found the other end of a pipe closed; the rest can be skipped.
  bool reader_gone() const noexcept { return reader_gone_; }

 private:
  Status write(std::string_view block) override;
  const int descriptor_;
  const std::string name_;
  bool reader_gone_ = false;
};

// Replaces a file in one step (base/replaced_file.h).
class AtomicFile final : public Output {
 public:
  explicit AtomicFile(std::string path) : file_(std::move(path)) {}

  Status commit();
  // File that remains if the process ends before commit(); "" means none.
  const std::string& temporary_path() const noexcept { return file_.temporary_path(); }

 private:
  Status write(std::string_view block) override { return file_.write(block); }

  ReplacedFile file_;
};

}  // namespace copse::report
