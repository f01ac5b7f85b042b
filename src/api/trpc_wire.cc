// Serialisation.
#include "api/trpc_wire.h"

#include "base/error_table.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::api {

int TrpcStatusOf(const Error& error) { return base::FormsOf(error.code).trpc_status; }

std::string TrpcErrorShape(const Error& error, std::optional<std::string_view> path) {
  const base::ErrorForms& forms = base::FormsOf(error.code);
  std::string out = R"({"message":)";
  base::AppendJsonString(out, error.message);
  out.append(base::StrCat(R"(,"code":)", forms.trpc_number, R"(,"data":{"code":")", forms.trpc_key,
                          R"(","httpStatus":)", forms.trpc_status));
  if (path) {
    out.append(R"(,"path":)");
    base::AppendJsonString(out, *path);
  }
  if (error.code == Code::kInvalidArgument && error.data.is_array()) {
    out.append(R"(,"issues":)");
    base::AppendJson(out, error.data);
  }
  return out.append("}}");
}

std::string TrpcErrorEnvelope(const Error& error, std::optional<std::string_view> path) {
  return base::StrCat(R"({"error":)", TrpcErrorShape(error, path), "}");
}

std::string TrpcStreamHead(std::size_t calls) {
  std::string out = "{";
  for (std::size_t i = 0; i < calls; ++i)
    out.append(base::StrCat(i == 0 ? "" : ",", "\"", i, "\":[[0],[null,0,", i, "]]"));
  return out.append("}\n");
}

std::string TrpcStreamLine(std::size_t index, std::string_view envelope) {
  return base::StrCat("[", index, ",0,[[", envelope, "]]]\n");
}

}  // namespace toolpost::api
