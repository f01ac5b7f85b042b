// Resources, resource templates, prompts and their completions: what a server offers besides tools.
//
// Thread-safe; immutable snapshot behind an atomic shared_ptr like the registry. Listing order is
// the order of addition.
//
// Reading something that names a tool is calling that tool by another name: what the tool set, the
// door (`view`) or the credential withholds is not listed, and not found or refused. The registry
// must outlive the catalog.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/long_message.h"
#include "mcp/registry.h"
#include "mcp/result_store.h"
#include "mcp/revision.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

// Reads a text that may be too long for memory.
using LongReader =
    std::function<Result<std::shared_ptr<const base::LongText>>(const UriVariables&, CallContext&)>;

class Catalog {
 public:
  Catalog(std::size_t page_size, const ResultStore& results, const Registry& registry);
  ~Catalog();

  // Duplicate URI or name, a bad template or an empty name: Code::kConflict / kInvalidArgument.
  Result<void> AddResource(ResourceInfo info, ResourceReader reader);
  Result<void> AddTemplate(ResourceInfo info, ResourceReader reader, Completer completer,
                           std::shared_ptr<ResourceWatcher> watcher = nullptr);
  Result<void> AddLongTemplate(ResourceInfo info, LongReader reader);
  Result<void> RemoveResource(std::string_view uri);  // a resource or a template
  Result<void> AddPrompt(PromptInfo info, PromptHandler handler, Completer completer);
  Result<void> RemovePrompt(std::string_view name);
  void OnResourcesChanged(std::function<void()> callback);
  void OnPromptsChanged(std::function<void()> callback);
  // The tools changed, and with them perhaps what the lists show.
  void ToolsChanged() const;

  // List members without braces: `"resources":[…]` and `"nextCursor"` if there is more.
  // Code::kInvalidArgument for a bad cursor. Fields a revision lacks are left out (title before
  // 2025-06-18, icons before 2025-11-25).
  Result<std::string> ListResources(Revision revision, std::string_view cursor,
                                    const ToolView& view = {}) const;
  Result<std::string> ListTemplates(Revision revision, std::string_view cursor,
                                    const ToolView& view = {}) const;
  Result<std::string> ListPrompts(Revision revision, std::string_view cursor,
                                  const ToolView& view = {}) const;

  // What a subscription needs: a known resource, or one a template matches (else
  // Code::kResourceNotFound), that the caller may read (Code::kNotFound if the view hides it), and
  // the consent of the template's watcher.
  Result<void> Watch(std::string_view uri, const Principal& principal,
                     const ToolView& view = {}) const;
  // No watcher calls back once this has returned.
  void StopWatchers();
  // Result members `"contents":[…]`. Looks among resources, then templates, then the spilled
  // results of the caller. Code::kResourceNotFound with data {"uri": …}.
  Result<base::LongMessage> ReadResource(std::string_view uri, CallContext& context,
                                         const ToolView& view = {}) const;
  // Result members `"description":…,"messages":[…]`. Unknown name, missing or undeclared or
  // non-string argument: kInvalidArgument naming it.
  Result<std::string> GetPrompt(std::string_view name, const JsonObject& arguments,
                                Revision revision, CallContext& context,
                                const ToolView& view = {}) const;
  // Result members `"completion":{"values":[…],"total":…,"hasMore":…}` for the params of
  // completion/complete.
  Result<std::string> Complete(const JsonObject& params, const Principal& principal = {},
                               const ToolView& view = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::mcp
