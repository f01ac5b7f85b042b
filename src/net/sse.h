// Server-sent events: the framing of text/event-stream (WHATWG HTML 9.2), ready for
// Exchange::Write.
#pragma once

#include <string>
#include <string_view>

#include "base/long_message.h"

namespace toolpost::net {

// One event. Each line of `data` (ended by LF, CR or CRLF) becomes a `data:` line, so that the
// reader gets them joined by LF. Empty `id` and `event` are left out; line ends inside them are
// dropped, as is an id that holds NUL, which readers ignore.
std::string SseEvent(std::string_view data, std::string_view id = {}, std::string_view event = {});

// The same around a message of one line.
base::LongMessage LongSseEvent(base::LongMessage data, std::string_view id, std::string_view event);

// The event that gives a reader an id to resume from before there is data: an id, an empty data
// line and, unless 0, the reconnection time.
std::string SsePriming(std::string_view id, unsigned retry_ms = 0);

// A comment: keeps proxies from closing a quiet stream; readers ignore it.
std::string_view SseComment();

}  // namespace toolpost::net
