// The functions of libcurl we use, loaded with the first request. Only http_transfer.cc and
// http_url.cc include this.
#pragma once

#include <curl/curl.h>

#include <memory>

#include "toolpost/result.h"

namespace toolpost::net {

// Names as in libcurl, without its prefix. Immutable once loaded.
struct CurlLibrary {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_free) free = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  decltype(&curl_url) url = nullptr;
  decltype(&curl_url_cleanup) url_cleanup = nullptr;
  decltype(&curl_url_get) url_get = nullptr;
  decltype(&curl_url_set) url_set = nullptr;

  // Thread-safe. Code::kUnavailable, naming the package, when libcurl is not installed.
  static Result<const CurlLibrary*> Get();
};

// A handle and the function that frees it.
template <typename Handle>
using CurlHandle = std::unique_ptr<Handle, void (*)(Handle*)>;

}  // namespace toolpost::net
