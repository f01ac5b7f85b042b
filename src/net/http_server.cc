// HttpServer: loops, threads and their end.
#include "net/http_server.h"

#include <mutex>

#include "base/cores.h"
#include "base/strings.h"
#include "net/binding.h"
#include "net/loop.h"
#include "net/tls.h"

namespace toolpost::net {

std::string_view Request::Find(std::string_view name) const {
  for (const Header& header : *headers) {
    if (base::EqualIgnoringCase(header.name, name)) return header.value;
  }
  return {};
}

class HttpServer::Impl {
 public:
  std::shared_ptr<ServerContext> context = std::make_shared<ServerContext>();
  std::mutex mutex;  // Start and Stop
  std::vector<std::shared_ptr<Loop>> loops;
  bool used = false;
  std::atomic<std::uint16_t> port{0};
};

HttpServer::HttpServer(ServerOptions options, Handler handler) : impl_(std::make_unique<Impl>()) {
  impl_->context->options = std::move(options);
  impl_->context->handler = std::move(handler);
}

HttpServer::~HttpServer() {
  Stop(std::chrono::milliseconds(0));
  impl_->context->handler = nullptr;
}

Result<void> HttpServer::Start() {
  std::lock_guard lock(impl_->mutex);
  if (impl_->used) return Error{Code::kConflict, "This server has been started before", {}};
  const ServerOptions& options = impl_->context->options;
  std::size_t threads = options.threads;
  if (threads == 0) threads = base::UsableCores();
  if (!options.tls_cert.empty() || !options.tls_key.empty()) {
    ASSIGN_OR_RETURN(impl_->context->tls, TlsCredentials::Load(options.tls_cert, options.tls_key));
  }
  std::vector<std::shared_ptr<Loop>> loops;
  for (std::size_t i = 0; i < threads; ++i) loops.push_back(std::make_shared<Loop>(impl_->context));
  ASSIGN_OR_RETURN(impl_->port, BindListeners(options, loops));
  impl_->used = true;
  impl_->loops = std::move(loops);
  for (const auto& loop : impl_->loops) loop->Start();
  return {};
}

std::uint16_t HttpServer::port() const { return impl_->port; }

std::size_t HttpServer::connections() const {
  return impl_->context->connections.load(std::memory_order_relaxed);
}

void HttpServer::OnTick(std::function<void()> work) {
  std::lock_guard lock(impl_->context->tick_mutex);
  impl_->context->tick_work.push_back(std::move(work));
}

void HttpServer::Stop(std::chrono::milliseconds drain) {
  std::lock_guard lock(impl_->mutex);
  for (const auto& loop : impl_->loops) loop->BeginDrain(drain);
  for (const auto& loop : impl_->loops) loop->Join();
  impl_->loops.clear();
}

}  // namespace toolpost::net
