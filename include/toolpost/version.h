// The version of the library and the binary; CMake reads it from here.
#pragma once

#define TOOLPOST_VERSION "0.1.0"
