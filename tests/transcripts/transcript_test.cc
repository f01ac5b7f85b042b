// Replays every transcript of this folder over each of its transports. A file's name says what it
// proves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/source_directory_fixture.h"
#include "conformance/fixtures.h"
#include "peer.h"
#include "recording.h"
#include "transcript.h"

namespace toolpost::transcripts {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Case {
  std::filesystem::path file;
  std::string transport;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.file.filename().string() << " over " << one.transport;
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const auto& entry :
       std::filesystem::directory_iterator(base::SourceDirectory() / "tests/transcripts")) {
    if (entry.path().extension() != ".txt" || entry.path().stem() == "CMakeLists") continue;
    const auto transcript = ParseTranscript(ReadFile(entry.path()));
    if (!transcript) {
      cases.push_back({entry.path(), "unreadable"});
      continue;
    }
    for (const std::string& transport : transcript->transports)
      cases.push_back({entry.path(), transport});
  }
  std::ranges::sort(cases, {}, [](const Case& one) { return one.file.string() + one.transport; });
  return cases;
}

std::string NameOf(const Case& one) {
  std::string name = one.file.stem().string() + "_over_" + one.transport;
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string Name(const testing::TestParamInfo<Case>& info) { return NameOf(info.param); }

class TranscriptTest : public testing::TestWithParam<Case> {
 protected:
  Result<std::unique_ptr<Peer>> Connect(const std::string& transport, std::size_t page_size) {
    if (transport == "stdio") return ConnectStdio(TOOLPOST_CONFORMANCE_SERVER, page_size);
    ServerOptions options;
    options.name = "toolpost-conformance";
    options.page_size = page_size;
    server_ = std::make_unique<Server>(options);
    RETURN_IF_ERROR(conformance::AddFixtures(*server_));
    if (transport == "memory") return ConnectInMemory(*server_);
    HttpOptions http;
    http.hosts = {"127.0.0.1"};
    http.port = 0;
    http.threads = 1;
    http.drain_timeout = std::chrono::seconds(1);
    RETURN_IF_ERROR(server_->StartHttp(http));
    if (transport == "http") return ConnectHttp(server_->http_port());
    if (transport == "websocket") return ConnectWebSocket(server_->http_port());
    return Error::InvalidParams("no transport is called " + transport);
  }

  Result<void> Play(const Step& step) {
    const std::string text = Fill(step.text, kept_);
    switch (step.kind) {
      case Step::Kind::kSend:
        recording_.Sent(text);
        return Requested(peer_->Send(text));
      case Step::Kind::kGet:
        return Requested(peer_->Get());
      case Step::Kind::kDelete:
        return Requested(peer_->Delete());
      case Step::Kind::kHeader:
        return peer_->SetHeader(text);
      case Step::Kind::kPath:
        return peer_->SetPath(text);
      case Step::Kind::kClose:
        return peer_->Close();
      case Step::Kind::kStatus:
        return ExpectStatus(text);
      case Step::Kind::kExpect:
        return ExpectMessage(step.text);
      case Step::Kind::kExpectSoon:
        return ExpectSoon(step.text);
    }
    return {};
  }

 private:
  Result<void> Requested(Result<void> outcome) {
    if (const std::string session = peer_->Session(); !session.empty()) kept_["session"] = session;
    return outcome;
  }

  Result<void> ExpectStatus(const std::string& wanted) {
    ASSIGN_OR_RETURN(const int status, peer_->Status());
    if (std::to_string(status) == wanted) return {};
    return Error::Internal("wanted status " + wanted + ", got " + std::to_string(status));
  }

  Result<void> ExpectMessage(const std::string& wanted) {
    ASSIGN_OR_RETURN(const std::string message, Next(wanted));
    std::string difference = Compare(wanted, message);
    if (!difference.empty()) return Error::Internal(difference + "\n  in " + message);
    return {};
  }

  Result<void> ExpectSoon(const std::string& wanted) {
    std::deque<std::string> others;
    for (;;) {
      ASSIGN_OR_RETURN(std::string message, Next(wanted));
      if (Compare(wanted, message).empty()) break;
      others.push_back(std::move(message));
    }
    skipped_.insert(skipped_.begin(), others.begin(), others.end());
    return {};
  }

  Result<std::string> Next(const std::string& wanted) {
    if (!skipped_.empty()) {
      std::string message = std::move(skipped_.front());
      skipped_.pop_front();
      return message;
    }
    std::optional<std::string> message = peer_->Receive();
    if (!message) return Error::Internal("wanted " + wanted + ", got nothing");
    recording_.Received(*message);
    return *std::move(message);
  }

  // Empty if they agree. Keeps values only of a message that agrees.
  std::string Compare(const std::string& wanted, const std::string& message) {
    boost::system::error_code failure;
    const Json actual = boost::json::parse(message, failure);
    if (failure) return "the server sent something that is not JSON";
    Kept kept = kept_;
    std::string difference = Mismatch(boost::json::parse(wanted), actual, kept);
    if (difference.empty()) kept_ = std::move(kept);
    return difference;
  }

 protected:
  // The peer goes first: a server waits for the calls of its transports.
  std::unique_ptr<Server> server_;
  std::unique_ptr<Peer> peer_;
  Kept kept_;
  std::deque<std::string> skipped_;
  Recording recording_{NameOf(GetParam())};
};

TEST_P(TranscriptTest, Replays) {
  const auto transcript = ParseTranscript(ReadFile(GetParam().file));
  ASSERT_TRUE(transcript) << transcript.error().message;
  ASSERT_FALSE(transcript->steps.empty());
  ASSERT_EQ(transcript->steps.back().kind, Step::Kind::kClose)
      << "only the end proves that every message was read";
  auto peer = Connect(GetParam().transport, transcript->page_size);
  ASSERT_TRUE(peer) << peer.error().message;
  peer_ = *std::move(peer);
  for (const Step& step : transcript->steps) {
    const auto outcome = Play(step);
    ASSERT_TRUE(outcome) << GetParam().file.filename().string() << ":" << step.line << ": "
                         << outcome.error().message;
  }
  EXPECT_THAT(skipped_, testing::IsEmpty());
  EXPECT_TRUE(recording_.Close()) << "the recording could not be written";
}

INSTANTIATE_TEST_SUITE_P(Transcripts, TranscriptTest, testing::ValuesIn(Cases()), Name);

// The runner must be able to fail.
TEST(TranscriptMatching, TellsDifferencesApart) {
  Kept kept;
  const auto differ = [&kept](const char* expected, const char* actual) {
    return !Mismatch(boost::json::parse(expected), boost::json::parse(actual), kept).empty();
  };
  EXPECT_FALSE(differ(R"({"a":"*","b":"<number>"})", R"({"a":null,"b":1})"));
  EXPECT_TRUE(differ(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(differ(R"({"a":1,"...":true})", R"({"a":1,"b":2})"));
  EXPECT_TRUE(differ(R"({"a":1,"...":true})", R"({"b":2})"));
  EXPECT_TRUE(differ("[1,2]", "[1,2,3]"));
  EXPECT_FALSE(differ(R"([1,"..."])", "[1,2,3]"));
  EXPECT_TRUE(differ(R"("<string>")", "1"));
  EXPECT_TRUE(differ(R"("<time>")", R"("yesterday")"));
  EXPECT_FALSE(differ(R"("$id")", R"("x")"));
  EXPECT_TRUE(differ(R"("$id")", R"("y")"));
  EXPECT_EQ(Fill(R"({"id":"$id","path":"a/$id"})", kept), R"({"id":"x","path":"a/x"})");
}

TEST(TranscriptParsing, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(ParseTranscript("hello\n"));
  EXPECT_FALSE(ParseTranscript("@nonsense 1\n"));
  EXPECT_EQ(ParseTranscript("# c\n> {}\n< {}\n=\n")->steps.size(), 3u);
}

}  // namespace
}  // namespace toolpost::transcripts
