// Any bytes as a stored secret: never a crash, never a secret that was not sealed, decoding and
// encoding agree.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "store/sealed_record.h"

namespace {

using namespace toolpost::store;

const MasterKey& TheKey() {
  static const MasterKey kKey =
      DeriveMasterKey({"ZnV6emluZyBrZXkgb2YgdGhlIHNlYWxlZCByZWNvcmQ=", "MSSQL_MCP_KEY"}, "salt");
  return kKey;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto record = SealedRecord::Decode(bytes); record && record->Encode() != bytes) {
    std::abort();
  }
  // Nothing is ever sealed for this place: what opens was forged.
  if (OpenSecret(TheKey(), "fuzz", "target", bytes)) std::abort();
  const std::string sealed = SealSecret(TheKey(), "fuzz", bytes, bytes);
  const auto opened = OpenSecret(TheKey(), "fuzz", bytes, sealed);
  if (!opened || *opened != bytes) std::abort();
  (void)IsLegacyText(bytes);
  (void)CheckNewKey({std::string(bytes), "newKey"});
  if (size < 64) (void)OpenLegacyText({"passphrase of old", "MSSQL_MCP_KEY"}, bytes);
  return 0;
}
