// The toolpost executable.
#include "cli/cli.h"

int main(int argc, char** argv) { return toolpost::cli::Main(argc, argv); }
