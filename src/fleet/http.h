// Requests to a server of a fleet, over HTTP or HTTPS.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace copse::fleet {

// A file of a form (multipart/form-data).
struct FormPart {
  std::string name;
  std::string_view bytes;
};

struct Answer {
  int status = 0;  // of HTTP; 0: there was no answer, and nobody knows what became of the request
  std::string body;
  std::string trouble;  // without an answer: why
};

// One connection, kept open between requests. Threads: one at a time.
class HttpClient {
 public:
  HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // A request ends without an answer when nothing of one came for so long.
  void set_patience(std::chrono::seconds patience) noexcept { patience_ = patience; }

  // `url` may have a user's name and password. Redirections are not followed: what is sent goes where
  // it was meant to.
  Answer post(const std::string& url, std::string_view body);
  Answer post_form(const std::string& url, const std::vector<FormPart>& parts);

  // With all that may not stand in a query of a URL as %XX.
  static std::string escaped(std::string_view text);

 private:
  struct Handle;
  template <typename Prepare>
  Answer perform(const std::string& url, Prepare prepare);

  std::unique_ptr<Handle> handle_;
  std::chrono::seconds patience_{60};
};

}  // namespace copse::fleet
