// A server that speaks TDS 7.4 and answers from a script: what the tests have in place of SQL
// Server.
#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "tds_server/channel.h"
#include "tds_server/record.h"
#include "tds_server/rules.h"
#include "tds_server/script.h"
#include "toolpost/result.h"

namespace toolpost::tds_server {

// Has a thread for each connection. Thread-safe.
class Server {
 public:
  struct Options {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;   // 0: any that is free
    std::string record_file;  // see Record
  };

  // Code::kUnavailable when the address or the port cannot be used, Code::kInvalidArgument when the
  // certificate or its key cannot be used.
  static Result<std::unique_ptr<Server>> Start(Script script, const Options& options);
  static Result<std::unique_ptr<Server>> Start(Script script) {
    return Start(std::move(script), Options());
  }
  // Ends every connection.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }
  Record& record() { return record_; }
  // From the next request, and the next connection, on. The certificate stays.
  void Load(Script script);
  // Ends the connections that are open; new ones are welcome.
  void CutAll();

 private:
  struct Connection {
    explicit Connection(int socket) : channel(socket) {}
    Channel channel;
    std::thread thread;
  };
  struct FreeContext {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  using Context = std::unique_ptr<SSL_CTX, FreeContext>;

  Server(int listener, std::uint16_t port, Context tls, Script script, const Options& options);
  static Result<Context> MakeContext(const Script& script);
  void Accept();
  std::shared_ptr<Rules> CurrentRules() const;

  const int listener_;
  const std::uint16_t port_;
  const Context tls_;
  Record record_;
  mutable std::mutex mutex_;
  std::shared_ptr<Rules> rules_;
  std::list<Connection> connections_;
  std::thread acceptor_;
};

}  // namespace toolpost::tds_server
