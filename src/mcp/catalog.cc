// The catalog: copy-on-write snapshots of resources, templates and prompts.
#include "mcp/catalog.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "auth/policy.h"
#include "base/crypto.h"
#include "base/json_write.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/catalog_entries.h"
#include "mcp/catalog_entry.h"
#include "mcp/completion.h"
#include "mcp/prompt_arguments.h"
#include "mcp/prompt_messages.h"
#include "mcp/uri_template.h"

namespace toolpost::mcp {
namespace {

struct ResourceEntry {
  std::uint64_t position = 0;
  ResourceInfo info;
  ResourceReader reader;
  LongReader long_reader;  // instead of `reader`
  Completer completer;
  std::optional<UriTemplate> pattern;  // set for templates
  std::shared_ptr<ResourceWatcher> watcher;
  EntryTexts texts;
  const std::string& key() const { return info.uri; }
};

struct PromptEntry {
  std::uint64_t position;
  PromptInfo info;
  PromptHandler handler;
  Completer completer;
  EntryTexts texts;
  const std::string& key() const { return info.name; }
};

struct Snapshot {
  std::uint64_t next_position = 0;
  Entries<ResourceEntry> resources;
  Entries<ResourceEntry> templates;
  Entries<PromptEntry> prompts;
};

Error ResourceNotFound(std::string_view uri) {
  return {Code::kResourceNotFound, base::StrCat("Resource not found: ", Echo(uri)),
          JsonObject{{"uri", uri}}};
}

// Runs foreign code; an exception of it becomes a log line and Code::kInternal.
template <typename Function>
std::invoke_result_t<Function> Guarded(std::string_view what, std::string_view name,
                                       std::string_view request_id, Function function) {
  std::string detail = "unknown exception";
  try {
    return function();
  } catch (const std::exception& exception) {
    detail = exception.what();
  } catch (...) {
  }
  base::Log(base::Severity::kError, "handler threw",
            {{"handler", what}, {"name", Echo(name)}, {"request", request_id}, {"detail", detail}});
  return Error::Internal(base::StrCat("The ", what, " failed; the server log has the reason"));
}

Error Conflict(std::string_view kind, std::string_view key) {
  return {
      Code::kConflict, base::StrCat(kind, " already exists: ", Echo(key), "; remove it first"), {}};
}

// Up to the value of `text` or `blob`.
std::string ContentsHead(std::string_view uri, std::string_view mime_type) {
  std::string out = "\"contents\":[{\"uri\":";
  base::AppendJsonString(out, uri);
  if (!mime_type.empty()) {
    out.append(",\"mimeType\":");
    base::AppendJsonString(out, mime_type);
  }
  return out;
}

std::string Contents(std::string_view uri, std::string_view mime_type, std::string_view data,
                     bool binary) {
  std::string out = ContentsHead(uri, mime_type);
  if (binary) {
    out.append(",\"blob\":\"").append(base::ToBase64(data)).push_back('"');
  } else {
    out.append(",\"text\":");
    base::AppendJsonString(out, data);
  }
  out.append("}]");
  return out;
}

Error ReadFailed(std::string_view uri, Error error) {
  if (error.code == Code::kNotFound || error.code == Code::kResourceNotFound)
    return ResourceNotFound(uri);
  return error;
}

Result<base::LongMessage> Read(const ResourceEntry& entry, std::string_view uri,
                               const UriVariables& variables, CallContext& context) {
  const auto guarded = [&](auto read) {
    return Guarded("resource reader", entry.info.uri, context.request_id(), read);
  };
  if (entry.long_reader) {
    auto text = guarded([&] { return entry.long_reader(variables, context); });
    if (!text) return ReadFailed(uri, std::move(text).error());
    return base::LongMessage{ContentsHead(uri, entry.info.mime_type).append(",\"text\":\""),
                             *std::move(text), "\"}]"};
  }
  auto read = guarded([&] { return entry.reader(uri, variables, context); });
  if (!read) return ReadFailed(uri, std::move(read).error());
  const std::string& mime_type = read->mime_type.empty() ? entry.info.mime_type : read->mime_type;
  return base::LongMessage{Contents(uri, mime_type, read->data, read->binary), nullptr, {}};
}

Result<ResourceEntry> TemplateEntry(ResourceInfo info) {
  ResourceEntry entry;
  ASSIGN_OR_RETURN(entry.pattern, UriTemplate::Parse(info.uri));
  entry.texts = EntryTexts::OfResource(info, "uriTemplate");
  entry.info = std::move(info);
  return entry;
}

Result<Completion> RunCompleter(const Completer& completer, const CompletionRequest& request,
                                const Principal& principal) {
  if (!completer) return Completion{};
  return Guarded("completer", request.ref, "", [&] {
    return completer(request.argument, request.value, request.known, principal);
  });
}

}  // namespace

struct Catalog::Impl {
  Impl(std::size_t page, const ResultStore& store, const Registry& tools)
      : page_size(std::max<std::size_t>(page, 1)), results(store), registry(tools) {}

  const std::size_t page_size;
  const ResultStore& results;
  const Registry& registry;
  std::mutex mutex;  // writers, and the callbacks
  // Only through Current() and atomic_store: libstdc++ 12's atomic<shared_ptr> has a data race of
  // its own.
  std::shared_ptr<const Snapshot> current = std::make_shared<const Snapshot>();
  std::vector<std::function<void()>> resources_changed;
  std::vector<std::function<void()>> prompts_changed;

  std::shared_ptr<const Snapshot> Current() const { return std::atomic_load(&current); }

  // Whether lists of this view show what names `tool`.
  bool Shows(const std::string& tool, const ToolView& view) const {
    if (tool.empty()) return true;
    const auto found = registry.Find(tool, view);
    return found && (!view.credential || auth::MayCall(*view.credential, found->tool.info));
  }
  auto ShownIn(const ToolView& view) const {
    return [this, &view](const auto& entry) { return Shows(entry.info.tool, view); };
  }
  // Why somebody may not have what names `tool`; Code::kNotFound if the view has no such tool.
  std::optional<Error> Refusal(const std::string& tool, const Principal& principal,
                               const ToolView& view) const {
    if (auto refused = auth::ReadRefusal(principal); refused || tool.empty()) return refused;
    const auto found = registry.Find(tool, view);
    if (!found) return Error::NotFound("Nothing of this name is offered here");
    return auth::Refusal(principal, found->tool.info);
  }

  // Publishes a changed copy, then tells the listeners without holding the lock.
  template <typename Change>
  Result<void> Update(const std::vector<std::function<void()>>& listeners, Change change) {
    std::vector<std::function<void()>> to_call;
    {
      const std::lock_guard lock(mutex);
      auto next = std::make_shared<Snapshot>(*Current());
      RETURN_IF_ERROR(change(*next));
      std::atomic_store(&current, std::shared_ptr<const Snapshot>(std::move(next)));
      to_call = listeners;
    }
    for (const auto& listener : to_call) listener();
    return {};
  }

  // Behind those that are there.
  Result<void> Add(Entries<ResourceEntry> Snapshot::*where, std::string_view kind,
                   ResourceEntry entry) {
    return Update(resources_changed, [&](Snapshot& next) -> Result<void> {
      if ((next.*where).Find(entry.info.uri)) return Conflict(kind, entry.info.uri);
      entry.position = next.next_position++;
      (next.*where).Add(std::make_shared<const ResourceEntry>(std::move(entry)));
      return {};
    });
  }
};

Catalog::Catalog(std::size_t page_size, const ResultStore& results, const Registry& registry)
    : impl_(std::make_unique<Impl>(page_size, results, registry)) {}
Catalog::~Catalog() = default;

Result<void> Catalog::AddResource(ResourceInfo info, ResourceReader reader) {
  RETURN_IF_ERROR(CheckResource(info, reader != nullptr));
  ResourceEntry entry;
  entry.texts = EntryTexts::OfResource(info, "uri");
  entry.info = std::move(info);
  entry.reader = std::move(reader);
  return impl_->Add(&Snapshot::resources, "Resource", std::move(entry));
}

Result<void> Catalog::AddTemplate(ResourceInfo info, ResourceReader reader, Completer completer,
                                  std::shared_ptr<ResourceWatcher> watcher) {
  RETURN_IF_ERROR(CheckResource(info, reader != nullptr));
  ASSIGN_OR_RETURN(ResourceEntry entry, TemplateEntry(std::move(info)));
  entry.reader = std::move(reader);
  entry.completer = std::move(completer);
  entry.watcher = std::move(watcher);
  return impl_->Add(&Snapshot::templates, "Resource template", std::move(entry));
}

Result<void> Catalog::AddLongTemplate(ResourceInfo info, LongReader reader) {
  RETURN_IF_ERROR(CheckResource(info, reader != nullptr));
  ASSIGN_OR_RETURN(ResourceEntry entry, TemplateEntry(std::move(info)));
  entry.long_reader = std::move(reader);
  return impl_->Add(&Snapshot::templates, "Resource template", std::move(entry));
}

Result<void> Catalog::RemoveResource(std::string_view uri) {
  return impl_->Update(impl_->resources_changed, [&](Snapshot& next) -> Result<void> {
    if (next.resources.Remove(uri) || next.templates.Remove(uri)) return {};
    return Error::NotFound(base::StrCat("No such resource or template: ", Echo(uri)));
  });
}

Result<void> Catalog::AddPrompt(PromptInfo info, PromptHandler handler, Completer completer) {
  RETURN_IF_ERROR(CheckPrompt(info, handler));
  return impl_->Update(impl_->prompts_changed, [&](Snapshot& next) -> Result<void> {
    if (next.prompts.Find(info.name)) return Conflict("Prompt", info.name);
    EntryTexts texts = EntryTexts::OfPrompt(info);
    next.prompts.Add(std::make_shared<const PromptEntry>(
        PromptEntry{next.next_position++, std::move(info), std::move(handler), std::move(completer),
                    std::move(texts)}));
    return {};
  });
}

Result<void> Catalog::RemovePrompt(std::string_view name) {
  return impl_->Update(impl_->prompts_changed, [&](Snapshot& next) -> Result<void> {
    if (next.prompts.Remove(name)) return {};
    return Error::NotFound(base::StrCat("No such prompt: ", Echo(name)));
  });
}

void Catalog::OnResourcesChanged(std::function<void()> callback) {
  const std::lock_guard lock(impl_->mutex);
  impl_->resources_changed.push_back(std::move(callback));
}

void Catalog::OnPromptsChanged(std::function<void()> callback) {
  const std::lock_guard lock(impl_->mutex);
  impl_->prompts_changed.push_back(std::move(callback));
}

void Catalog::ToolsChanged() const {
  const auto now = impl_->Current();
  const auto named = [](const auto& entry) { return !entry->info.tool.empty(); };
  const bool resources = std::ranges::any_of(now->resources.ordered, named) ||
                         std::ranges::any_of(now->templates.ordered, named);
  const bool prompts = std::ranges::any_of(now->prompts.ordered, named);
  std::vector<std::function<void()>> to_call;
  {
    const std::lock_guard lock(impl_->mutex);
    if (resources) to_call = impl_->resources_changed;
    if (prompts)
      to_call.insert(to_call.end(), impl_->prompts_changed.begin(), impl_->prompts_changed.end());
  }
  for (const auto& listener : to_call) listener();
}

Result<std::string> Catalog::ListResources(Revision revision, std::string_view cursor,
                                           const ToolView& view) const {
  const auto now = impl_->Current();
  return ListPage(now->resources, now->next_position, impl_->page_size, "resources", revision,
                  cursor, impl_->ShownIn(view));
}

Result<std::string> Catalog::ListTemplates(Revision revision, std::string_view cursor,
                                           const ToolView& view) const {
  const auto now = impl_->Current();
  return ListPage(now->templates, now->next_position, impl_->page_size, "resourceTemplates",
                  revision, cursor, impl_->ShownIn(view));
}

Result<std::string> Catalog::ListPrompts(Revision revision, std::string_view cursor,
                                         const ToolView& view) const {
  const auto now = impl_->Current();
  return ListPage(now->prompts, now->next_position, impl_->page_size, "prompts", revision, cursor,
                  impl_->ShownIn(view));
}

Result<void> Catalog::Watch(std::string_view uri, const Principal& principal,
                            const ToolView& view) const {
  const auto now = impl_->Current();
  if (const auto entry = now->resources.Find(uri)) {
    if (auto refused = impl_->Refusal(entry->info.tool, principal, view))
      return *std::move(refused);
    return {};
  }
  for (const auto& entry : now->templates.ordered) {
    const auto variables = entry->pattern->Match(uri);
    if (!variables) continue;
    if (auto refused = impl_->Refusal(entry->info.tool, principal, view))
      return *std::move(refused);
    if (!entry->watcher) return {};
    return entry->watcher->Watch(uri, *variables, principal);
  }
  return ResourceNotFound(uri);
}

void Catalog::StopWatchers() {
  for (const auto& entry : impl_->Current()->templates.ordered)
    if (entry->watcher) entry->watcher->Stop();
}

Result<base::LongMessage> Catalog::ReadResource(std::string_view uri, CallContext& context,
                                                const ToolView& view) const {
  const auto now = impl_->Current();
  const auto read = [&](const auto& entry,
                        const UriVariables& variables) -> Result<base::LongMessage> {
    auto refused = impl_->Refusal(entry.info.tool, context.principal(), view);
    if (!refused) return Read(entry, uri, variables, context);
    if (refused->code == Code::kNotFound) return ResourceNotFound(uri);
    return *std::move(refused);
  };
  if (const auto entry = now->resources.Find(uri)) return read(*entry, {});
  for (const auto& entry : now->templates.ordered) {
    if (const auto variables = entry->pattern->Match(uri)) return read(*entry, *variables);
  }
  // The results of one's own calls need no further permission.
  if (!uri.starts_with(ResultStore::kUriPrefix)) return ResourceNotFound(uri);
  auto stored = impl_->results.Get(context.principal(), uri);
  if (stored)
    return base::LongMessage{Contents(uri, stored->mime_type, stored->text, false), nullptr, {}};
  if (stored.error().code == Code::kResourceNotFound) return ResourceNotFound(uri);
  return std::move(stored).error();
}

Result<std::string> Catalog::GetPrompt(std::string_view name, const JsonObject& arguments,
                                       Revision revision, CallContext& context,
                                       const ToolView& view) const {
  if (auto refused = auth::ReadRefusal(context.principal())) return *std::move(refused);
  const auto now = impl_->Current();
  const auto entry = now->prompts.Find(name);
  auto refused = entry ? impl_->Refusal(entry->info.tool, context.principal(), view)
                       : std::optional<Error>(Error::NotFound(""));
  if (refused && refused->code == Code::kNotFound)
    return UnknownEntry("prompt", now->prompts, name, "prompts/list", impl_->ShownIn(view));
  if (refused) return *std::move(refused);
  const PromptInfo& info = entry->info;
  ASSIGN_OR_RETURN(const PromptArguments checked, CheckPromptArguments(info, arguments));
  ASSIGN_OR_RETURN(const JsonArray messages,
                   Guarded("prompt handler", info.name, context.request_id(),
                           [&] { return entry->handler(checked, context); }));
  std::string out;
  if (!info.description.empty()) {
    out.append("\"description\":");
    base::AppendJsonString(out, info.description);
    out.push_back(',');
  }
  out.append("\"messages\":");
  if (const auto appended = AppendPromptMessages(out, messages, revision); !appended) {
    base::Log(base::Severity::kError, "prompt handler returned a bad message",
              {{"name", info.name},
               {"request", context.request_id()},
               {"detail", appended.error().message}});
    return Error::Internal("The prompt handler failed; the server log has the reason");
  }
  return out;
}

Result<std::string> Catalog::Complete(const JsonObject& params, const Principal& principal,
                                      const ToolView& view) const {
  ASSIGN_OR_RETURN(const CompletionRequest request, ReadCompletionRequest(params));
  const auto now = impl_->Current();
  Completer completer;
  if (request.prompt) {
    const auto entry = now->prompts.Find(request.ref);
    if (!entry || !impl_->Shows(entry->info.tool, view))
      return UnknownEntry("prompt", now->prompts, request.ref, "prompts/list",
                          impl_->ShownIn(view));
    RETURN_IF_ERROR(CheckPromptArgument(entry->info, request.argument));
    completer = entry->completer;
  } else {
    const auto entry = now->templates.Find(request.ref);
    if (!entry || !impl_->Shows(entry->info.tool, view)) {
      return UnknownEntry("resource template", now->templates, request.ref,
                          "resources/templates/list", impl_->ShownIn(view));
    }
    const auto& variables = entry->pattern->variables();
    if (std::find(variables.begin(), variables.end(), request.argument) == variables.end()) {
      return Error::InvalidParams(base::StrCat("Unknown variable of ", request.ref, ": ",
                                               Echo(request.argument), "; it has ",
                                               base::Join(variables, ", ")));
    }
    completer = entry->completer;
  }
  ASSIGN_OR_RETURN(const Completion completion, RunCompleter(completer, request, principal));
  std::string out;
  AppendCompletion(out, completion);
  return out;
}

}  // namespace toolpost::mcp
