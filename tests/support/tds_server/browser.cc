// One datagram in, one out.
#include "tds_server/browser.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/strings.h"
#include "tds_server/bytes.h"

namespace toolpost::tds_server {
namespace {

constexpr std::uint16_t kPort = 1434;
constexpr char kAskInstance = 0x04;
constexpr std::uint8_t kAnswer = 0x05;

}  // namespace

Result<std::unique_ptr<Browser>> Browser::Start(Options options) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  if (inet_pton(AF_INET, options.address.c_str(), &address.sin_addr) != 1 ||
      bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    close(descriptor);
    return Error::Unavailable("UDP port 1434 cannot be opened");
  }
  return std::unique_ptr<Browser>(new Browser(descriptor, std::move(options)));
}

Browser::Browser(int socket, Options options)
    : socket_(socket), options_(std::move(options)), thread_([this] { Serve(); }) {}

Browser::~Browser() {
  shutdown(socket_, SHUT_RDWR);
  thread_.join();
  close(socket_);
}

void Browser::Serve() {
  for (;;) {
    char request[512];
    sockaddr_in client{};
    socklen_t size = sizeof client;
    const ssize_t got =
        recvfrom(socket_, request, sizeof request, 0, reinterpret_cast<sockaddr*>(&client), &size);
    if (got <= 0) return;
    if (++requests_ <= options_.unanswered) continue;
    const auto send = [&](const std::string& datagram) {
      sendto(socket_, datagram.data(), datagram.size(), 0,
             reinterpret_cast<const sockaddr*>(&client), size);
    };
    for (const std::string& datagram : options_.noise) send(datagram);
    const std::string answer = AnswerTo({request, static_cast<std::size_t>(got)});
    if (!answer.empty()) send(answer);
  }
}

std::string Browser::AnswerTo(std::string_view request) const {
  if (request.front() != kAskInstance) return {};
  const std::string_view asked = request.substr(1, request.find('\0', 1) - 1);
  for (const auto& [name, port] : options_.instances) {
    if (!base::EqualIgnoringCase(name, asked)) continue;
    std::string text = base::StrCat("ServerName;TESTSQL;InstanceName;", name,
                                    ";IsClustered;No;Version;16.0.1000.6");
    text += port == 0 ? ";;" : base::StrCat(";tcp;", port, ";;");
    ByteWriter out;
    out.U8(kAnswer);
    out.U16(text.size());
    out.Bytes(text);
    return out.data();
  }
  return {};
}

std::string OwnLoopbackAddress() {
  const auto id = static_cast<unsigned>(getpid());
  return base::StrCat("127.", 64 + (id >> 16 & 0x3f), ".", id >> 8 & 0xff, ".", id & 0xff);
}

}  // namespace toolpost::tds_server
