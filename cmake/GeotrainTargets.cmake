# How geotrain's targets are made. Include rules are link lists: each library exports an include folder
# that holds one link, to its own source folder. `#include "units/units.h"` compiles only in a target
# that links geotrain::units.

set(GEOTRAIN_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# Tests compile in half the time so, and run as fast: what takes long in them is the libraries' code.
set(GEOTRAIN_TEST_OPTIONS ${GEOTRAIN_WARNINGS} $<$<CONFIG:Release>:-O1>)

# geotrain_library(NAME FOLDER SOURCES a.cc b.cc LINKS ... ALONE b.cc)
# A static library geotrain::NAME of FOLDER's sources. Its headers are included as "FOLDER-NAME/...".
# Sources are compiled sixteen at a time (a unity build takes a fifth of the time); those of ALONE by themselves,
# because a name of theirs stands in another source too.
function(geotrain_library name)
    cmake_parse_arguments(ARG "" "FOLDER" "SOURCES;LINKS;ALONE" ${ARGN})
    if(NOT ARG_FOLDER)
        set(ARG_FOLDER ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    get_filename_component(folder_name ${ARG_FOLDER} NAME)
    set(include_dir ${CMAKE_BINARY_DIR}/include/${name})
    file(MAKE_DIRECTORY ${include_dir})
    file(CREATE_LINK ${ARG_FOLDER} ${include_dir}/${folder_name} SYMBOLIC)
    if(ARG_SOURCES)
        add_library(geotrain-${name} STATIC ${ARG_SOURCES})
        target_include_directories(geotrain-${name} PUBLIC ${include_dir})
        target_link_libraries(geotrain-${name} PUBLIC ${ARG_LINKS})
        target_compile_options(geotrain-${name} PRIVATE ${GEOTRAIN_WARNINGS})
        set_target_properties(geotrain-${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
        set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
        add_library(geotrain-${name} INTERFACE)
        target_include_directories(geotrain-${name} INTERFACE ${include_dir})
        target_link_libraries(geotrain-${name} INTERFACE ${ARG_LINKS})
    endif()
    add_library(geotrain::${name} ALIAS geotrain-${name})
endfunction()

# geotrain_test(NAME LABEL [NS3] SOURCES a.cc LINKS ...)
# A GoogleTest program, run one process per test, under LABEL (quick, simulation, slow, gpu). With NS3 its sources include
# ns-3's headers. Tests find public reference data below GEOTRAIN_SHARED_DATA and skip when it is not there.
function(geotrain_test name label)
    cmake_parse_arguments(ARG "NS3" "" "SOURCES;LINKS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/support)
    target_link_libraries(${name} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gtest_main)
    target_compile_options(${name} PRIVATE ${GEOTRAIN_TEST_OPTIONS})
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    if(ARG_NS3)
        target_link_libraries(${name} PRIVATE geotrain::ns3-headers)
        target_precompile_headers(${name} REUSE_FROM ns3-test-headers)
    else()
        target_precompile_headers(${name} REUSE_FROM test-headers)
    endif()
    target_compile_definitions(${name} PRIVATE
        GEOTRAIN_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
        GEOTRAIN_SHARED_DATA="${CMAKE_SOURCE_DIR}/../shared/data")
    set(timeout 300)
    if(label STREQUAL slow)
        set(timeout 1200)
    endif()
    gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST
        PROPERTIES LABELS ${label} TIMEOUT ${timeout})
endfunction()
