// Results of functions that can fail: Status, or Result<T> with a value. The message is one line in
// the form "what: why", ready to be printed behind "copse: ". No exceptions cross a module.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace copse {

class [[nodiscard]] Status {
 public:
  Status() = default;  // success
  static Status error(std::string message) { return Status(std::move(message)); }

  bool ok() const noexcept { return !message_; }
  explicit operator bool() const noexcept { return ok(); }
  const std::string& message() const noexcept { return *message_; }  // only when !ok()

 private:
  explicit Status(std::string message) : message_(std::move(message)) {}
  std::optional<std::string> message_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}           // NOLINT: implicit by intent
  Result(Status failure) : state_(std::move(failure)) {}  // NOLINT: failure must not be ok()
  static Result error(std::string message) { return Result(Status::error(std::move(message))); }

  bool ok() const noexcept { return std::holds_alternative<T>(state_); }
  explicit operator bool() const noexcept { return ok(); }
  T& value() & noexcept { return *std::get_if<T>(&state_); }  // only when ok()
  const T& value() const& noexcept { return *std::get_if<T>(&state_); }
  T&& value() && noexcept { return std::move(*std::get_if<T>(&state_)); }
  T& operator*() & noexcept { return value(); }
  const T& operator*() const& noexcept { return value(); }
  T* operator->() noexcept { return std::get_if<T>(&state_); }
  const T* operator->() const noexcept { return std::get_if<T>(&state_); }
  const Status& status() const noexcept {
    return *std::get_if<Status>(&state_);
  }  // only when !ok()
  const std::string& message() const noexcept { return status().message(); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace copse
