// Accepts the connections of one address for one loop.
#pragma once

#include "net/socket.h"

namespace toolpost::net {

class Loop;

class Listener {
 public:
  Listener(Loop& loop, Acceptor acceptor);

  void Accept();
  // Accepts again after a failure (for example: no file descriptors left) made it pause. Called
  // once a second.
  void Resume();
  void Close();

 private:
  void Admit(Socket socket);

  Loop& loop_;
  Acceptor acceptor_;
  Tcp::endpoint remote_;
  bool paused_ = false;
};

}  // namespace toolpost::net
