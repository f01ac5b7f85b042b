# Writes OUTPUT, a header with the commit SOURCE is at, unless it says so already; nothing where it is no checkout.
# Usage: cmake -D SOURCE=… -D OUTPUT=… -P commit.cmake
cmake_policy(VERSION 3.25)
execute_process(
  COMMAND git --no-optional-locks -C "${SOURCE}" describe --always --dirty --abbrev=12 "--exclude=*"
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define TOOLPOST_COMMIT \"${commit}\"\n")
