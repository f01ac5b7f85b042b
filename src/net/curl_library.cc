// Loads libcurl.
#include "net/curl_library.h"

#include "base/lazy_library.h"

namespace toolpost::net {
namespace {

Result<void> Fill(CurlLibrary& curl) {
  static base::LazyLibrary library("libcurl.so.4", "libcurl4");
  RETURN_IF_ERROR(library.Resolve("curl_global_init", curl.global_init));
  RETURN_IF_ERROR(library.Resolve("curl_free", curl.free));
  RETURN_IF_ERROR(library.Resolve("curl_easy_init", curl.easy_init));
  RETURN_IF_ERROR(library.Resolve("curl_easy_cleanup", curl.easy_cleanup));
  RETURN_IF_ERROR(library.Resolve("curl_easy_setopt", curl.easy_setopt));
  RETURN_IF_ERROR(library.Resolve("curl_easy_getinfo", curl.easy_getinfo));
  RETURN_IF_ERROR(library.Resolve("curl_multi_init", curl.multi_init));
  RETURN_IF_ERROR(library.Resolve("curl_multi_cleanup", curl.multi_cleanup));
  RETURN_IF_ERROR(library.Resolve("curl_multi_add_handle", curl.multi_add_handle));
  RETURN_IF_ERROR(library.Resolve("curl_multi_remove_handle", curl.multi_remove_handle));
  RETURN_IF_ERROR(library.Resolve("curl_multi_perform", curl.multi_perform));
  RETURN_IF_ERROR(library.Resolve("curl_multi_poll", curl.multi_poll));
  RETURN_IF_ERROR(library.Resolve("curl_multi_wakeup", curl.multi_wakeup));
  RETURN_IF_ERROR(library.Resolve("curl_multi_info_read", curl.multi_info_read));
  RETURN_IF_ERROR(library.Resolve("curl_slist_append", curl.slist_append));
  RETURN_IF_ERROR(library.Resolve("curl_slist_free_all", curl.slist_free_all));
  RETURN_IF_ERROR(library.Resolve("curl_url", curl.url));
  RETURN_IF_ERROR(library.Resolve("curl_url_cleanup", curl.url_cleanup));
  RETURN_IF_ERROR(library.Resolve("curl_url_get", curl.url_get));
  RETURN_IF_ERROR(library.Resolve("curl_url_set", curl.url_set));
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return Error::Unavailable("libcurl could not be started");
  }
  return {};
}

}  // namespace

Result<const CurlLibrary*> CurlLibrary::Get() { return base::LoadOnce(&Fill); }

}  // namespace toolpost::net
