// The bytes of one connection, in clear or through TLS.
#pragma once

#include <openssl/ssl.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace toolpost::tds_server {

// One thread at a time, except Shut().
class Channel {
 public:
  enum class Input { kReady, kNone, kClosed };

  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // All `size` bytes; false at the end of the connection.
  bool Read(char* data, std::size_t size);
  bool Write(std::string_view bytes);
  // Whether there is something to read, now or within `patience`.
  Input Await(std::chrono::milliseconds patience);
  // From any thread: ends what is under way.
  void Shut();

  void BeginTls(SSL_CTX* context);
  enum class Handshake { kGoesOn, kDone, kFailed };
  // One step of the handshake, whose records travel inside packets: takes what the client sent and
  // says what to send.
  Handshake Step(std::string_view received, std::string& to_send);
  // Everything after the handshake goes through TLS, until it is dropped.
  void UseTls() { encrypted_ = true; }
  void DropTls() { encrypted_ = false; }
  bool encrypted() const { return encrypted_; }

 private:
  struct FreeSsl {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };

  long Receive(char* data, std::size_t size);
  long ReceiveTls(char* data, std::size_t size);
  bool Send(std::string_view bytes);
  std::string TakeOutput();

  const int socket_;
  std::unique_ptr<SSL, FreeSsl> tls_;  // on memory BIOs
  bool encrypted_ = false;
};

}  // namespace toolpost::tds_server
