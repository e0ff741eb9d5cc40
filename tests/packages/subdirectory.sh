#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# subdirectory.sh SOURCE FOLDER: add_subdirectory(geotrain) gives a project of one's own the modules, leaves its flags alone,
# and adds no tests.
set -euo pipefail
source=$1 folder=$2
rm -rf "${folder:?}"
mkdir -p "$folder"
ln -s "$source" "$folder/geotrain"
cat >"$folder/own.cc" <<'END'
#include "bulk-tcp/helper/bulk-tcp-helper.h"

#include <iostream>

int
main()
{
    std::cout << ns3::BulkTcpHelper::SocketFactory() << "\n";
}
END
cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(own LANGUAGES CXX)
set(CMAKE_CXX_FLAGS "-Wall -O1")
enable_testing()
add_subdirectory(geotrain EXCLUDE_FROM_ALL)
add_executable(own own.cc)
target_link_libraries(own PRIVATE geotrain::bulk-tcp)
if(NOT CMAKE_CXX_FLAGS STREQUAL "-Wall -O1" OR DEFINED CMAKE_CXX_STANDARD)
    message(FATAL_ERROR "geotrain changed the flags of the project around it")
endif()
END
cmake -S "$folder" -B "$folder/build" -G Ninja >/dev/null
[ "$(ctest --test-dir "$folder/build" --show-only | grep '^Total Tests')" = "Total Tests: 0" ]
! grep -q 'geotrain' "$folder/build/cmake_install.cmake" || { echo "geotrain is installed with the project"; exit 1; }
cmake --build "$folder/build" --target own
"$folder/build/own"
