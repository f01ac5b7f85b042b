// The message form: numbers as eight bytes, texts and lists with their length before them.
#include "sandbox/box_command.h"

#include <cstring>

namespace toolpost::sandbox {
namespace {

class Writer {
 public:
  void Number(std::uint64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void Text(std::string_view text) {
    Number(text.size());
    bytes_.append(text);
  }
  void Texts(const std::vector<std::string>& texts) {
    Number(texts.size());
    for (const std::string& text : texts) Text(text);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t Number() {
    std::uint64_t value = 0;
    if (bytes_.size() < sizeof value) return ok_ = false, 0;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string Text() {
    const std::uint64_t size = Number();
    if (size > bytes_.size()) return ok_ = false, std::string();
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  // Every element takes at least one number, so that a length cannot promise more than is there.
  std::uint64_t Count() {
    const std::uint64_t count = Number();
    if (count > bytes_.size() / sizeof(std::uint64_t)) return ok_ = false, 0;
    return count;
  }
  std::vector<std::string> Texts() {
    std::vector<std::string> texts(Count());
    for (std::string& text : texts) text = Text();
    return texts;
  }
  bool Done() const { return ok_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace

std::string EncodeBoxCommand(const BoxCommand& command) {
  Writer writer;
  writer.Number(command.stages.size());
  for (const BoxStage& stage : command.stages) {
    writer.Text(stage.program);
    writer.Texts(stage.arguments);
    writer.Number(stage.text.has_value());
    writer.Text(stage.text.value_or(""));
  }
  writer.Texts(command.environment);
  writer.Text(command.directory);
  writer.Number(command.folders.size());
  for (const BoxFolder& folder : command.folders) {
    writer.Text(folder.path);
    for (const std::uint64_t number : {std::uint64_t{folder.writable}, folder.device, folder.inode})
      writer.Number(number);
  }
  writer.Texts(command.hidden);
  const BoxLimits& limits = command.limits;
  const BoxLayers& layers = command.layers;
  for (const std::uint64_t number :
       {limits.memory, limits.file_size, limits.files, limits.processes, limits.total_memory,
        limits.temporary, std::uint64_t{layers.namespaces}, std::uint64_t{layers.landlock},
        std::uint64_t{layers.seccomp}, std::uint64_t{layers.cgroup}, std::uint64_t{command.network},
        static_cast<std::uint64_t>(command.timeout.count())}) {
    writer.Number(number);
  }
  std::string message = writer.Take();
  return message.size() <= kMaxBoxMessage ? message : std::string();
}

std::optional<BoxCommand> DecodeBoxCommand(std::string_view message) {
  Reader reader(message);
  BoxCommand command;
  command.stages.resize(reader.Count());
  for (BoxStage& stage : command.stages) {
    stage.program = reader.Text();
    stage.arguments = reader.Texts();
    const bool is_text = reader.Number() != 0;
    std::string text = reader.Text();
    if (is_text) stage.text = std::move(text);
  }
  command.environment = reader.Texts();
  command.directory = reader.Text();
  command.folders.resize(reader.Count());
  for (BoxFolder& folder : command.folders) {
    folder.path = reader.Text();
    folder.writable = reader.Number() != 0;
    folder.device = reader.Number();
    folder.inode = reader.Number();
  }
  command.hidden = reader.Texts();
  BoxLimits& limits = command.limits;
  for (std::uint64_t* limit : {&limits.memory, &limits.file_size, &limits.files, &limits.processes,
                               &limits.total_memory, &limits.temporary}) {
    *limit = reader.Number();
  }
  BoxLayers& layers = command.layers;
  for (bool* flag :
       {&layers.namespaces, &layers.landlock, &layers.seccomp, &layers.cgroup, &command.network}) {
    *flag = reader.Number() != 0;
  }
  command.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(reader.Number()));
  if (!reader.Done()) return std::nullopt;
  return command;
}

}  // namespace toolpost::sandbox
