// A contiguous input buffer: bytes are received at its end and consumed from its front.
//
// Consuming moves no bytes, so views into consumed input stay valid until the next Prepare or
// Release. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace toolpost::net {

class ReadBuffer {
 public:
  std::string_view view() const { return {data_.get() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }

  // Makes room for at least `minimum` bytes at the end. Invalidates views.
  void Prepare(std::size_t minimum) {
    if (empty()) begin_ = end_ = 0;
    if (capacity_ - end_ >= minimum) return;
    std::size_t capacity = capacity_ == 0 ? kInitial : capacity_;
    while (capacity < size() + minimum) capacity *= 2;
    if (capacity == capacity_) {
      std::memmove(data_.get(), data_.get() + begin_, size());
    } else {
      auto grown = std::make_unique_for_overwrite<char[]>(capacity);
      if (!empty()) std::memcpy(grown.get(), data_.get() + begin_, size());
      data_ = std::move(grown);
      capacity_ = capacity;
    }
    end_ = size();
    begin_ = 0;
  }
  char* space() { return data_.get() + end_; }
  std::size_t room() const { return capacity_ - end_; }

  void Commit(std::size_t count) { end_ += count; }
  void Consume(std::size_t count) { begin_ += count; }
  // Gives a buffer that grew for a large request back, once it is empty.
  void Shrink() {
    if (!empty() || capacity_ <= kKept) return;
    data_.reset();
    capacity_ = begin_ = end_ = 0;
  }

 private:
  static constexpr std::size_t kInitial = 4096;
  static constexpr std::size_t kKept = std::size_t{16} * 1024;

  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace toolpost::net
