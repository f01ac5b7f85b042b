// For tests about signals and namespaces of forked processes.
#pragma once

namespace toolpost::sandbox {

// ThreadSanitizer holds back the signals of a forked process, and its own thread in there keeps
// the kernel from giving it a user namespace.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace toolpost::sandbox
