// todo/get_my_user_info.
#include "base/clock.h"
#include "tools/todo/envelope.h"

namespace toolpost::tools::todo {
namespace {

struct Args {
  static constexpr auto Fields() { return std::tuple{}; }
};

struct UserView {
  std::string user_id;
  std::optional<std::string> name;
  std::optional<std::string> email;
  std::string created_at;
  std::string last_seen;
  static constexpr auto Fields() {
    return std::tuple{Req("user_id", &UserView::user_id), Req("name", &UserView::name),
                      Req("email", &UserView::email), Req("created_at", &UserView::created_at),
                      Req("last_seen", &UserView::last_seen)};
  }
};

std::optional<std::string> Known(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

Tool GetMyUserInfoTool(TodoServices services) {
  return MakeTodoTool<Args, UserView>(
      {.name = "get_my_user_info",
       .title = "Get my user info",
       .description = "Returns your user account information.",
       .read_only = true,
       .idempotent = true},
      [services = std::move(services)](const Args&, const std::string& user) -> Reply<UserView> {
        const auto found = services.users->Find(user);
        if (!found) return StoreFailure(found.error(), "get user info");
        if (!*found) return StoreFailure(Error::Internal("no row"), "get user info");
        return {
            "User information",
            UserView{(*found)->id, Known((*found)->name), Known((*found)->email),
                     base::ToIso8601((*found)->created_at), base::ToIso8601((*found)->last_seen)}};
      });
}

}  // namespace toolpost::tools::todo
