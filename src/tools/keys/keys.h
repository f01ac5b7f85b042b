// The tools of the controller document that manage API keys and the encryption key. All need the
// scope `admin`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "auth/key_ring.h"
#include "store/api_keys.h"
#include "store/usage_log.h"
#include "store/vault.h"
#include "toolpost/tool.h"

namespace toolpost::tools::keys {

// What these tools work on; shared with the rest of the server.
struct KeyServices {
  std::shared_ptr<store::Store> store;
  std::shared_ptr<auth::KeyRing> ring;  // told of changes made here
  std::shared_ptr<store::UsageLog> usage;
  std::shared_ptr<store::Vault> vault;
  std::string key_directory;  // where key files are written to and read from; 0700
};

Tool CreateApiKeyTool(KeyServices services);
Tool ListUserApiKeysTool(KeyServices services);
Tool ListAllApiKeysTool(KeyServices services);
Tool RevokeApiKeyTool(KeyServices services);
Tool DeleteApiKeyTool(KeyServices services);
Tool GetApiKeyUsageLogsTool(KeyServices services);
Tool GetUserUsageLogsTool(KeyServices services);
Tool GenerateSecureKeyTool(KeyServices services);
Tool RotateKeyTool(KeyServices services);
Tool MigrateConnectionsToEncryptedTool(KeyServices services);

// All of them.
std::vector<Tool> Tools(const KeyServices& services);

}  // namespace toolpost::tools::keys
