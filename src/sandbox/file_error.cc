// Words for errno values.
#include "sandbox/file_error.h"

#include <cerrno>

#include "base/strings.h"

namespace toolpost::sandbox {

Error OutsideRoots(std::string_view given) {
  return {Code::kPermissionDenied,
          base::StrCat(given,
                       " is outside the folders this server may use; relative paths start "
                       "in the first of them"),
          {}};
}

Error FileError(int error, std::string_view given) {
  const auto with = [&](Code code, std::string_view text) {
    return Error{code, base::StrCat(given, text), {}};
  };
  switch (error) {
    case ENOENT:
      return with(Code::kNotFound, " does not exist; list its folder to see what is there");
    case ENOTDIR:
      return with(Code::kInvalidArgument,
                  " is no folder, or passes through something that is none");
    case EISDIR:
      return with(Code::kInvalidArgument, " is a folder, not a file");
    case ELOOP:
      return with(Code::kPermissionDenied,
                  " is or passes through a symbolic link, which this server does not follow");
    case EXDEV:
      return OutsideRoots(given);
    case EACCES:
    case EPERM:
      return with(Code::kPermissionDenied, ": the operating system does not permit it");
    case EEXIST:
      return with(Code::kConflict, " exists already");
    case ENOTEMPTY:
      return with(Code::kConflict, " is not empty; set recursive to true to delete what it holds");
    case EROFS:
      return with(Code::kPermissionDenied, " is on a read-only file system");
    case ENOSPC:
    case EDQUOT:
      return with(Code::kUnavailable, ": no space left on the disk");
    case EFBIG:
      return with(Code::kTooLarge, " would become larger than the system allows");
    case ENAMETOOLONG:
      return with(Code::kInvalidArgument, ": a name in it is longer than 255 bytes");
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
      return with(Code::kUnavailable, ": the system is busy; try again");
    case EBUSY:
    case ETXTBSY:
      return with(Code::kConflict, " is in use by the system");
    case EINVAL:
      return with(Code::kInvalidArgument, " cannot be used like this");
    default:
      return with(Code::kInternal, base::StrCat(" could not be used (system error ", error, ")"));
  }
}

}  // namespace toolpost::sandbox
