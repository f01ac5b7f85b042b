// Tools that only read.
#pragma once

#include <utility>

#include "toolpost/tool.h"

namespace toolpost::tools {

// A tool that changes nothing and reaches nothing but what its services lead to.
template <typename In, typename Out, typename Services>
Tool ReadingTool(ToolInfo info, Services services,
                 Result<Out> (*run)(const Services&, const In&, CallContext&)) {
  info.hints = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  return MakeTool<In, Out>(
      std::move(info), [run, services = std::move(services)](const In& in, CallContext& context) {
        return run(services, in, context);
      });
}

}  // namespace toolpost::tools
