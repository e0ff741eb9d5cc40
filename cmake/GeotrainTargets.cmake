# How geotrain's targets are made. Include rules are link lists: each library exports an include folder
# that holds one link, to its own source folder. `#include "units/units.h"` compiles only in a target
# that links geotrain::units.

set(GEOTRAIN_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# Compiles in two thirds of the time. For code that takes no notable part of a run's time, and for tests: what
# takes long in both is other libraries'.
set(GEOTRAIN_COLD $<$<CONFIG:Release>:-O1>)

# g++ collects its garbage from 512 MB on, not from 128 MB: 5 to 10 % less time.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

option(GEOTRAIN_UNITY "Compile the sources of a target together: a fifth of the time, and missing includes stay hidden" ON)

# Compiles at most `most` sources of TARGET as one, in batches of equal size.
function(geotrain_unity_build target most)
    if(NOT GEOTRAIN_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(LENGTH sources count)
    math(EXPR batches "(${count} + ${most} - 1) / ${most}")
    math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# geotrain_library(NAME [COLD] FOLDER SOURCES a.cc b.cc LINKS ...)
# A static library geotrain::NAME of FOLDER's sources. Its headers are included as "FOLDER-NAME/...". With COLD it holds code
# that takes no notable part of a run's time. At most sixteen sources are compiled as one (a unity build takes a fifth of the
# time), so names in anonymous namespaces are a library's own, and constants there must not be called as other sources' parameters are.
# Below a folder that sets GEOTRAIN_PUBLIC, libraries and headers are installed, with a CMake package that names them.
function(geotrain_library name)
    cmake_parse_arguments(ARG "COLD" "FOLDER" "SOURCES;LINKS" ${ARGN})
    if(NOT ARG_FOLDER)
        set(ARG_FOLDER ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    get_filename_component(folder_name ${ARG_FOLDER} NAME)
    set(include_dir ${PROJECT_BINARY_DIR}/include/${name})
    file(MAKE_DIRECTORY ${include_dir})
    file(CREATE_LINK ${ARG_FOLDER} ${include_dir}/${folder_name} SYMBOLIC)
    if(ARG_SOURCES)
        add_library(geotrain-${name} STATIC ${ARG_SOURCES})
        target_include_directories(geotrain-${name} PUBLIC $<BUILD_INTERFACE:${include_dir}>)
        target_link_libraries(geotrain-${name} PUBLIC ${ARG_LINKS})
        target_compile_options(geotrain-${name} PRIVATE ${GEOTRAIN_WARNINGS} $<$<BOOL:${ARG_COLD}>:${GEOTRAIN_COLD}>)
        geotrain_unity_build(geotrain-${name} 48)
    else()
        add_library(geotrain-${name} INTERFACE)
        target_include_directories(geotrain-${name} INTERFACE ${include_dir})
        target_link_libraries(geotrain-${name} INTERFACE ${ARG_LINKS})
    endif()
    add_library(geotrain::${name} ALIAS geotrain-${name})
    if(GEOTRAIN_PUBLIC AND GEOTRAIN_INSTALL)
        geotrain_install_library(${name} ${ARG_FOLDER})
    endif()
endfunction()

# Installs the library geotrain::NAME, and the headers of its FOLDER to be included as they are here.
function(geotrain_install_library name folder)
    get_filename_component(folder_name ${folder} NAME)
    set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/geotrain)
    target_include_directories(geotrain-${name} INTERFACE $<INSTALL_INTERFACE:${include_dir}>)
    target_compile_features(geotrain-${name} INTERFACE cxx_std_17)
    set_target_properties(geotrain-${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS geotrain-${name} EXPORT geotrain)
    foreach(part "" model/ helper/)
        file(GLOB headers CONFIGURE_DEPENDS ${folder}/${part}*.h)
        install(FILES ${headers} DESTINATION ${include_dir}/${folder_name}/${part})
    endforeach()
endfunction()

# geotrain_test(NAME LABEL [NS3] [ALONE] [LOCK NAME] [TIMEOUT SECONDS] SOURCES a.cc LINKS ...)
# A GoogleTest program, run one process per test, under LABEL (quick, simulation, slow, gpu). With NS3 its sources include
# ns-3's headers. Tests with the same LOCK run one after another, and those that are ALONE with no other test beside them: they keep
# time. A test ends after 300 s, a slow one after 1,200 s, unless TIMEOUT says otherwise. Tests find public reference data below GEOTRAIN_SHARED_DATA and skip when it is not there.
function(geotrain_test name label)
    cmake_parse_arguments(ARG "NS3;ALONE" "LOCK;TIMEOUT" "SOURCES;LINKS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
    target_link_libraries(${name} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gtest_main)
    target_compile_options(${name} PRIVATE ${GEOTRAIN_WARNINGS} ${GEOTRAIN_COLD})
    geotrain_unity_build(${name} 24)
    if(ARG_NS3)
        target_link_libraries(${name} PRIVATE geotrain::ns3-headers)
        target_precompile_headers(${name} REUSE_FROM ns3-test-headers)
    else()
        target_precompile_headers(${name} REUSE_FROM test-headers)
    endif()
    target_compile_definitions(${name} PRIVATE
        GEOTRAIN_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        GEOTRAIN_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
    set(timeout 300)
    if(label STREQUAL slow)
        set(timeout 1200)
    endif()
    if(ARG_TIMEOUT)
        set(timeout ${ARG_TIMEOUT})
    endif()
    set(lock)
    if(ARG_LOCK)
        set(lock RESOURCE_LOCK ${ARG_LOCK})
    endif()
    if(ARG_ALONE)
        list(APPEND lock RUN_SERIAL TRUE)
    endif()
    gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST
        PROPERTIES LABELS ${label} TIMEOUT ${timeout} ${lock})
endfunction()
