#include "fleet/http.h"

#include <curl/curl.h>
#include <dlfcn.h>

#include <new>

namespace copse::fleet {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kPatienceSeconds = 60;  // with fewer than 1 byte per second
// Limit for an answer; 3,000,000 contexts take about 300 MB.
constexpr std::size_t kMostBytes = std::size_t{4} << 30;

// Functions of libcurl, which is loaded when it is first needed: few machines with Copse have a
// fleet. They hide those of the header, so that its macros call them.
// clang-format off
#define COPSE_CURL_FUNCTIONS(FUNCTION)                                          \
  FUNCTION(curl_global_init)   FUNCTION(curl_easy_init)     FUNCTION(curl_easy_cleanup)   \
  FUNCTION(curl_easy_reset)    FUNCTION(curl_easy_setopt)   FUNCTION(curl_easy_perform)   \
  FUNCTION(curl_easy_getinfo)  FUNCTION(curl_easy_strerror) FUNCTION(curl_slist_append)   \
  FUNCTION(curl_slist_free_all) FUNCTION(curl_mime_init)    FUNCTION(curl_mime_addpart)   \
  FUNCTION(curl_mime_name)     FUNCTION(curl_mime_filename) FUNCTION(curl_mime_data)      \
  FUNCTION(curl_mime_free)     FUNCTION(curl_easy_escape)   FUNCTION(curl_free)
// clang-format on
#define COPSE_DECLARE(name) decltype(::name)* name = nullptr;
COPSE_CURL_FUNCTIONS(COPSE_DECLARE)
#undef COPSE_DECLARE

void* open_libcurl() {
  void* const library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  return library != nullptr ? library : ::dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
}

// Loads and initializes libcurl. Returns false if there is none.
bool load_libcurl() {
  void* const library = open_libcurl();
  if (library == nullptr) return false;
#define COPSE_LOAD(name)                                          \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name)); \
  if (name == nullptr) return false;
  COPSE_CURL_FUNCTIONS(COPSE_LOAD)
#undef COPSE_LOAD
  return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

// Lets a request go nowhere but to a server of HTTP.
void keep_to_http(CURL* curl) {
  if (curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK) return;
  constexpr long kHttp = CURLPROTO_HTTP | CURLPROTO_HTTPS;  // for libcurl before 7.85
  CURL_IGNORE_DEPRECATION(curl_easy_setopt(curl, CURLOPT_PROTOCOLS, kHttp);)
}

std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + count > kMostBytes) return 0;
  try {
    body.append(bytes, count);
  } catch (const std::bad_alloc&) {
    return 0;  // ends the request
  }
  return count;
}

}  // namespace

struct HttpClient::Handle {
  Handle() {
    if (HttpClient::load().ok()) curl = curl_easy_init();
    if (curl == nullptr) throw std::bad_alloc();
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { curl_easy_cleanup(curl); }

  CURL* curl = nullptr;
};

Status HttpClient::load() {
  static const bool loaded = load_libcurl();
  if (loaded) return {};
  return Status::error(Fault::kSystem,
                       "libcurl.so.4: cannot be loaded; install libcurl (Debian: libcurl4), which "
                       "sends requests to ClickHouse");
}

HttpClient::HttpClient() : handle_(std::make_unique<Handle>()) {}
HttpClient::~HttpClient() = default;

template <typename Prepare>
Answer HttpClient::perform(const std::string& url, Prepare prepare) {
  CURL* const curl = handle_->curl;
  Answer answer;
  char why[CURL_ERROR_SIZE] = "";
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  keep_to_http(curl);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kPatienceSeconds);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer.body);
  const CURLcode code = prepare(curl);
  if (code != CURLE_OK) {
    answer.trouble = *why != '\0' ? why : curl_easy_strerror(code);
    return answer;
  }
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

Answer HttpClient::post(const std::string& url, std::string_view body) {
  return perform(url, [body](CURL* curl) {
    // Skips the wait for "100 Continue", which some servers never send.
    curl_slist* const headers = curl_slist_append(nullptr, "Expect:");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data() == nullptr ? "" : body.data());
    const CURLcode code = curl_easy_perform(curl);
    curl_slist_free_all(headers);
    return code;
  });
}

Answer HttpClient::post_form(const std::string& url, const std::vector<FormPart>& parts) {
  return perform(url, [&parts](CURL* curl) {
    curl_slist* const headers = curl_slist_append(nullptr, "Expect:");
    curl_mime* const form = curl_mime_init(curl);
    for (const FormPart& each : parts) {
      curl_mimepart* const part = curl_mime_addpart(form);
      curl_mime_name(part, each.name.c_str());
      curl_mime_filename(part, each.name.c_str());
      curl_mime_data(part, each.bytes.data(), each.bytes.size());
    }
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);
    const CURLcode code = curl_easy_perform(curl);
    curl_mime_free(form);
    curl_slist_free_all(headers);
    return code;
  });
}

std::string HttpClient::escaped(std::string_view text) const {
  if (text.empty()) return "";  // for libcurl, a length of 0 is a text that ends at a zero
  const std::unique_ptr<char, decltype(curl_free)> made(
      curl_easy_escape(handle_->curl, text.data(), static_cast<int>(text.size())), curl_free);
  if (made == nullptr) throw std::bad_alloc();
  return made.get();
}

}  // namespace copse::fleet
