// A small pool of connections, and what happens before the first one is used.
#include "store/store.h"

#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "db/postgres.h"
#include "db/sqlite.h"
#include "store/key_epoch.h"
#include "store/migrations.h"
#include "store/serving_lock.h"

namespace toolpost::store {
namespace {

constexpr std::size_t kMostConnections = 4;
constexpr std::chrono::seconds kPatience{10};

// Missing parents too, all 0700 as the XDG directories want it.
Result<void> CreateDirectory(const std::filesystem::path& directory) {
  std::error_code ignored;
  if (std::filesystem::is_directory(directory, ignored)) return {};
  if (directory.has_parent_path() && directory.parent_path() != directory) {
    RETURN_IF_ERROR(CreateDirectory(directory.parent_path()));
  }
  if (directory.empty() || !directory.has_filename()) return {};  // "a/" is "a"
  if (mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return Error::Unavailable(base::StrCat("The state directory cannot be created (",
                                         std::strerror(errno), "): name another with --state-dir"));
}

}  // namespace

struct Store::Impl {
  explicit Impl(StoreOptions given) : options(std::move(given)) {}

  bool IsPostgres() const { return !options.url.empty(); }
  std::string File() const { return options.directory + "/toolpost.db"; }

  Result<void> PrepareDirectory() const {
    if (options.directory.empty()) {
      return Error::Unavailable("There is no state directory: name one with --state-dir");
    }
    return CreateDirectory(options.directory);
  }

  Result<std::unique_ptr<db::Sql>> Open() const {
    if (IsPostgres()) {
      ASSIGN_OR_RETURN(auto postgres, db::Postgres::Open({.url = options.url}));
      return std::unique_ptr<db::Sql>(std::move(postgres));
    }
    RETURN_IF_ERROR(PrepareDirectory());
    ASSIGN_OR_RETURN(auto sqlite, db::Sqlite::Open({.path = File()}));
    return std::unique_ptr<db::Sql>(std::move(sqlite));
  }

  Result<std::unique_ptr<db::Sql>> OpenMigrated() {
    if (migrated.load(std::memory_order_acquire)) return Open();
    const std::lock_guard lock(migration_mutex);
    ASSIGN_OR_RETURN(auto connection, Open());
    RETURN_IF_ERROR(Migrate(*connection));
    migrated.store(true, std::memory_order_release);
    return connection;
  }

  Result<std::unique_ptr<db::Sql>> Borrow() {
    {
      std::unique_lock lock(mutex);
      const bool free = returned.wait_for(lock, kPatience,
                                          [&] { return !idle.empty() || lent < kMostConnections; });
      if (!free) return Error::Unavailable("The store is busy: try again");
      ++lent;
      if (!idle.empty()) {
        auto connection = std::move(idle.back());
        idle.pop_back();
        return connection;
      }
    }
    auto opened = OpenMigrated();
    if (!opened) Return(nullptr);
    return opened;
  }

  void Return(std::unique_ptr<db::Sql> connection) {
    {
      const std::lock_guard lock(mutex);
      --lent;
      if (connection != nullptr) idle.push_back(std::move(connection));
    }
    returned.notify_one();
  }

  // Costs nothing while all is well.
  void Note(const std::optional<Error>& error) {
    if (!error && !troubled.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex);
    problem = error ? error->message : std::string();
    troubled.store(error.has_value(), std::memory_order_relaxed);
  }

  const StoreOptions options;
  ServingLock serving;
  std::mutex serving_mutex;
  std::mutex
      migration_mutex;  // held while the first connection is opened, so that one does the work
  std::atomic<bool> migrated = false;
  std::mutex mutex;
  std::condition_variable returned;
  std::vector<std::unique_ptr<db::Sql>> idle;
  std::size_t lent = 0;
  std::string problem;
  std::atomic<bool> troubled = false;
};

Store::Store(StoreOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Store::~Store() = default;

Result<void> Store::LockForServing() {
  if (impl_->IsPostgres()) return {};
  RETURN_IF_ERROR(impl_->PrepareDirectory());
  const std::lock_guard lock(impl_->serving_mutex);
  return impl_->serving.Take(impl_->options.directory);
}

Result<void> Store::With(const std::function<Result<void>(db::Sql&)>& work) {
  struct Loan {
    Impl& impl;
    std::unique_ptr<db::Sql> connection;
    ~Loan() { impl.Return(std::move(connection)); }
  };
  auto connection = impl_->Borrow();
  if (!connection) {
    impl_->Note(connection.error());
    return connection.error();
  }
  const Loan loan{*impl_, *std::move(connection)};
  Result<void> done = work(*loan.connection);
  if (done) {
    impl_->Note({});
  } else if (done.error().code == Code::kUnavailable) {
    impl_->Note(done.error());
  }
  return done;
}

std::string Store::problem() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->problem;
}

Result<std::int64_t> Store::KeyEpoch() {
  if (!Exists()) return std::int64_t{0};
  return Read<std::int64_t>(*this, ReadKeyEpoch);
}

bool Store::Exists() const {
  struct stat status {};
  return impl_->IsPostgres() || lstat(impl_->File().c_str(), &status) == 0;
}

const StoreOptions& Store::options() const { return impl_->options; }

}  // namespace toolpost::store
