// Sends requests to a server of a fleet over HTTP or HTTPS.
#pragma once

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
  int status = 0;  // HTTP status; 0 means no answer: the request may be done or not
  std::string body;
  std::string trouble;  // reason for no answer
};

// One connection, kept open between requests. One thread at a time.
class HttpClient {
 public:
  // Loads libcurl, which only this class uses. Returns an error if the system has none.
  static Status load();

  HttpClient();  // REQUIRES: load() succeeds
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // `url` may include user and password. Redirections are not followed, so data goes only to the
  // given server.
  Answer post(const std::string& url, std::string_view body);
  Answer post_form(const std::string& url, const std::vector<FormPart>& parts);

  // Returns the text with characters not allowed in a URL query as %XX.
  std::string escaped(std::string_view text) const;

 private:
  struct Handle;
  template <typename Prepare>
  Answer perform(const std::string& url, Prepare prepare);

  std::unique_ptr<Handle> handle_;
};

}  // namespace copse::fleet
