#include "report/model/output.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/shortest_digits.h"

namespace copse::report {
namespace {

Status failure(const std::string& name, int error) {
  return Status::error(Fault::kSystem, name + ": " + std::strerror(error));
}

template <typename Number>
void put_as_text(Output& out, Number number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.put(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

}  // namespace

void Output::put_number(std::int64_t number) { put_as_text(*this, number); }
void Output::put_number(std::uint64_t number) { put_as_text(*this, number); }
void Output::put_number(double number) { put(shortest_digits(std::isfinite(number) ? number : 0)); }

void Output::flush() {
  if (status_.ok() && !buffer_.empty()) status_ = write(buffer_);
  buffer_.clear();
}

void Output::put_slowly(std::string_view text) {
  flush();
  if (text.size() <= kBufferBytes) {
    buffer_.append(text);
  } else if (status_.ok()) {
    status_ = write(text);
  }
}

Status Output::finish() {
  flush();
  return status_;
}

Status StringOutput::write(std::string_view block) {
  text_.append(block);
  return {};
}

Status DescriptorOutput::write(std::string_view block) {
  const int error = write_all(descriptor_, block);
  if (error == 0) return {};
  reader_gone_ = error == EPIPE;
  return failure(name_, error);
}

Status AtomicFile::commit() {
  if (Status status = finish(); !status.ok()) return status;
  return file_.commit();
}

}  // namespace copse::report
