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
      [services = std::move(services)](const Args&,
                                       const CallContext& context) -> Result<Envelope<UserView>> {
        const auto found = services.users->Find(context.principal().user);
        if (!found) return StoreFailure(context, found.error(), "get user info");
        if (!*found) return StoreFailure(context, Error::Internal("no row"), "get user info");
        const store::User& user = **found;
        return Envelope<UserView>{
            .message = "User information",
            .data = UserView{user.id, Known(user.name), Known(user.email),
                             base::ToIso8601(user.created_at), base::ToIso8601(user.last_seen)}};
      });
}

}  // namespace toolpost::tools::todo
