// Results of functions that can fail: Status, or Result<T> with a value. The message is one line in
// the form "what: why", ready to be printed behind "copse: ". No exceptions cross a module.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace copse {

// Kind of a failure. A command ends with status 2 after kUsage, with 1 after the others.
enum class Fault : std::uint8_t {
  kUsage,        // The request is wrong (an option, a value, a rule), whatever the files hold.
  kNotFound,     // No method, thread, id or JVM of the name that was given, or several of them.
  kMalformed,    // The input is damaged, or has another format.
  kSystem,       // The operating system, a tool or a server refused; the message has its reason.
  kLimit,        // More contexts, bytes, time or address space are needed than there are.
  kUnsupported,  // This JVM, scheme, file or build can never do it.
  kRefused,      // Not in the present state, or not with the other inputs.
  kInternal,     // Copse contradicts itself.
};

class [[nodiscard]] Status {
 public:
  Status() = default;  // success
  static Status error(Fault fault, std::string message) {
    return Status({fault, std::move(message)});
  }
  // Returns the same failure with a longer message. REQUIRES: !ok().
  Status behind(std::string_view prefix) const {
    return error(fault(), std::string(prefix) + message());
  }

  bool ok() const noexcept { return !failure_; }
  explicit operator bool() const noexcept { return ok(); }
  Fault fault() const noexcept { return failure_->fault; }                   // only when !ok()
  const std::string& message() const noexcept { return failure_->message; }  // only when !ok()

 private:
  struct Failure {
    Fault fault;
    std::string message;
  };
  explicit Status(Failure failure) : failure_(std::move(failure)) {}
  std::optional<Failure> failure_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}           // NOLINT: implicit by intent
  Result(Status failure) : state_(std::move(failure)) {}  // NOLINT: failure must not be ok()
  static Result error(Fault fault, std::string message) {
    return Result(Status::error(fault, std::move(message)));
  }

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
  Fault fault() const noexcept { return status().fault(); }
  const std::string& message() const noexcept { return status().message(); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace copse
