// What is run in a box: one pipeline, what it sees and what it may use up. A value; how it travels
// to the spawner is here too.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::sandbox {

// One program of the pipeline.
struct BoxStage {
  std::string program;  // absolute path, as seen inside
  std::vector<std::string> arguments;
  std::optional<std::string> text;  // instead of a program: written to its output
};

// A folder of this machine that is visible inside, at the same path.
struct BoxFolder {
  std::string path;  // canonical
  bool writable = false;
  // What is expected there; another folder that was put in its place is not shown.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

struct BoxLimits {
  std::uint64_t memory = 1ULL << 30;        // data of one process, bytes; RLIMIT_DATA
  std::uint64_t file_size = 256ULL << 20;   // of any file written
  std::uint64_t files = 256;                // open in one process
  std::uint64_t processes = 128;            // at once
  std::uint64_t total_memory = 2ULL << 30;  // of all processes, where control groups can be used
  std::uint64_t temporary = 256ULL << 20;   // in the private /tmp
};

// Which layers are applied. A box whose layer cannot be set up runs nothing.
struct BoxLayers {
  bool namespaces = true;
  bool landlock = true;
  bool seccomp = true;
  bool cgroup = false;

  bool operator==(const BoxLayers&) const = default;
};

struct BoxCommand {
  std::vector<BoxStage> stages;
  std::vector<std::string> environment;  // NAME=value; nothing else is passed on
  std::string directory;                 // absolute; empty: /
  std::vector<BoxFolder> folders;
  std::vector<std::string> hidden;  // absolute paths in folders that are masked
  BoxLimits limits;
  BoxLayers layers;
  // A network of its own with nothing in it but a proxy (box_network.h); needs namespaces.
  bool network = false;
  std::chrono::milliseconds timeout{30'000};
};

// A message of at most kMaxBoxMessage bytes; empty when it would be longer.
inline constexpr std::size_t kMaxBoxMessage = std::size_t{192} * 1024;
std::string EncodeBoxCommand(const BoxCommand& command);
// Nothing when the bytes are no message.
std::optional<BoxCommand> DecodeBoxCommand(std::string_view message);

}  // namespace toolpost::sandbox
