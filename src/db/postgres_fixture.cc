// initdb and postgres as child processes, under the user postgres when the tests run as root (which
// PostgreSQL refuses).
#include "db/postgres_fixture.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>
#include <vector>

#include "db/postgres.h"

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void GiveUp(const std::string& reason) {
  std::cerr << "The tests need PostgreSQL: " << reason << std::endl;
  std::_Exit(1);
}

fs::path FindPrograms() {
  std::vector<std::pair<int, fs::path>> found;
  std::error_code ignored;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const fs::path programs = version.path() / "bin";
    if (fs::exists(programs / "initdb") && fs::exists(programs / "postgres")) {
      found.emplace_back(std::atoi(version.path().filename().c_str()), programs);
    }
  }
  if (found.empty()) GiveUp("install the Debian package postgresql");
  return std::max_element(found.begin(), found.end())->second;
}

const passwd* ServerUser() {
  if (geteuid() != 0) return nullptr;
  const passwd* user = getpwnam("postgres");
  if (user == nullptr) GiveUp("there is no user postgres to run it");
  return user;
}

pid_t Launch(const std::vector<std::string>& command, const fs::path& log) {
  const passwd* user = ServerUser();
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(output, 1);
  dup2(output, 2);
  if (user != nullptr && (setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) _exit(126);
  // After setuid, which forgets it: the server must not outlive tests that crash.
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (getppid() != parent || chdir("/") != 0) _exit(126);
  execv(arguments[0], arguments.data());
  _exit(127);
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Starts a server on the data, with its socket in `directory`, and waits until it answers.
pid_t Serve(const fs::path& programs, const fs::path& data, const fs::path& directory,
            const std::string& url) {
  const pid_t server = Launch({programs / "postgres", "-D", data, "-k", directory, "-c",
                               "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=50"},
                              directory / "log");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!Postgres::Open({.url = url})) {
    if (std::chrono::steady_clock::now() > deadline || waitpid(server, nullptr, WNOHANG) != 0) {
      GiveUp("the server does not start\n" + ReadFile(directory / "log"));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return server;
}

void End(pid_t& server) {
  if (server < 0) return;
  kill(server, SIGQUIT);
  waitpid(server, nullptr, 0);
  server = -1;
}

}  // namespace

PostgresServer& PostgresServer::Get() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() : programs_(FindPrograms()) {
  std::string pattern = (fs::temp_directory_path() / "toolpost-pg-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) GiveUp("no temporary directory");
  directory_ = pattern;
  std::ofstream(directory_ / "password") << kPassword << '\n';
  if (const passwd* user = ServerUser()) {
    if (chown(directory_.c_str(), user->pw_uid, user->pw_gid) != 0 ||
        chown((directory_ / "password").c_str(), user->pw_uid, user->pw_gid) != 0) {
      GiveUp("its directory cannot be handed to the user postgres");
    }
  }
  const pid_t initdb =
      Launch({programs_ / "initdb", "-D", directory_ / "data", "-U", "toolpost", "-A",
              "scram-sha-256", "--pwfile=" + (directory_ / "password").string(), "-E", "UTF8",
              "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--no-sync"},
             directory_ / "log");
  int status = 0;
  if (waitpid(initdb, &status, 0) != initdb || status != 0) {
    GiveUp("initdb failed\n" + ReadFile(directory_ / "log"));
  }
  Start();
}

PostgresServer::~PostgresServer() {
  Stop();
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

void PostgresServer::Start() {
  server_ = Serve(programs_, directory_ / "data", directory_, Url("postgres"));
}

void PostgresServer::Stop() { End(server_); }

std::string PostgresServer::Url(std::string_view database) const {
  return "postgresql://toolpost:" + std::string(kPassword) + "@/" + std::string(database) +
         "?host=" + directory_.string();
}

std::string PostgresServer::NewDatabase() {
  const std::string name = "test" + std::to_string(++databases_);
  auto admin = Postgres::Open({.url = Url("postgres")});
  if (!admin || !(*admin)->Execute("CREATE DATABASE " + name)) {
    GiveUp("no database can be created\n" + ReadFile(directory_ / "log"));
  }
  return Url(name);
}

PostgresStandby::PostgresStandby() {
  const PostgresServer& primary = PostgresServer::Get();
  directory_ = primary.directory_ / "standby";
  fs::create_directory(directory_);
  if (const passwd* user = ServerUser()) {
    if (chown(directory_.c_str(), user->pw_uid, user->pw_gid) != 0)
      GiveUp("the directory of a standby cannot be handed to the user postgres");
  }
  const pid_t backup = Launch({primary.programs_ / "pg_basebackup", "-d", primary.Url("postgres"),
                               "-D", directory_ / "data", "-R", "-c", "fast", "--no-sync"},
                              directory_ / "log");
  int status = 0;
  if (waitpid(backup, &status, 0) != backup || status != 0) {
    GiveUp("pg_basebackup failed\n" + ReadFile(directory_ / "log"));
  }
  server_ =
      Serve(primary.programs_, directory_ / "data", directory_, UrlOf(primary.Url("postgres")));
}

PostgresStandby::~PostgresStandby() {
  End(server_);
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

std::string PostgresStandby::UrlOf(std::string_view url) const {
  return std::string(url.substr(0, url.find("?host="))) + "?host=" + directory_.string();
}

}  // namespace toolpost::db
