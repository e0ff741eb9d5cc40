# Fuzz targets. A target is one file with `extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t)`
# in which a ConfigError is fine and anything else is a finding.
#
# geotrain_fuzz(NAME SOURCES a.cc LINKS geotrain::x CORPUS FOLDER)
#
# In an ordinary build (any compiler) it makes NAME with tests/fuzz/replay-main.cc as its main, and
#   NAME.replay   (label quick) runs every file of the corpus through it,
#   NAME.fuzz     (label slow) fuzzes it for 60 s: the test fuzz.build, its fixture, configures this tree
#                 once more below BUILD/fuzz with clang++ and GEOTRAIN_FUZZ=ON and builds all fuzz targets.
# Without clang++ the slow tests are listed as disabled. With GEOTRAIN_FUZZ=ON, which needs Clang, NAME is
# a libFuzzer program in BUILD/fuzz-bin, to be run by hand as long as wanted: BUILD/fuzz-bin/NAME FOLDER

option(GEOTRAIN_FUZZ "Build the fuzz targets with libFuzzer and AddressSanitizer (Clang only)" OFF)
set(GEOTRAIN_FUZZ_SECONDS 60)

if(GEOTRAIN_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "GEOTRAIN_FUZZ needs Clang; the compiler is ${CMAKE_CXX_COMPILER_ID}")
    endif()
    # Coverage and checks in our own libraries too. Clang's other opinions are no reason not to fuzz.
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined
        -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    list(REMOVE_ITEM GEOTRAIN_WARNINGS -Werror)
    add_custom_target(geotrain-fuzz-targets)
else()
    find_program(GEOTRAIN_CLANG NAMES clang++ clang++-14 clang++-15 clang++-16)
    add_test(NAME fuzz.configure
        COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${PROJECT_BINARY_DIR}/fuzz
            -G ${CMAKE_GENERATOR} -DCMAKE_CXX_COMPILER=${GEOTRAIN_CLANG} -DGEOTRAIN_FUZZ=ON
            -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=-ffp-contract=off"
            "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g")
    add_test(NAME fuzz.build
        COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR}/fuzz --target geotrain-fuzz-targets)
    set_tests_properties(fuzz.configure PROPERTIES
        LABELS slow TIMEOUT 600 FIXTURES_SETUP fuzz-configured)
    set_tests_properties(fuzz.build PROPERTIES
        LABELS slow TIMEOUT 3600 FIXTURES_REQUIRED fuzz-configured FIXTURES_SETUP fuzz-built)
    if(NOT GEOTRAIN_CLANG)
        message(STATUS "No clang++ found: the fuzz tests are disabled")
        set_tests_properties(fuzz.configure fuzz.build PROPERTIES DISABLED TRUE)
    endif()
endif()

function(geotrain_fuzz name)
    cmake_parse_arguments(ARG "" "CORPUS" "SOURCES;LINKS" ${ARGN})
    get_filename_component(corpus ${ARG_CORPUS} ABSOLUTE)
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINKS})
    target_compile_options(${name} PRIVATE ${GEOTRAIN_WARNINGS})
    if(GEOTRAIN_FUZZ)
        set_target_properties(${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz-bin)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
        add_dependencies(geotrain-fuzz-targets ${name})
        return()
    endif()

    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/replay-main.cc)
    add_test(NAME ${name}.replay COMMAND ${name} ${corpus})
    set_tests_properties(${name}.replay PROPERTIES LABELS quick TIMEOUT 60)

    set(found ${PROJECT_BINARY_DIR}/fuzz/found/${name}) # new inputs, and those that are findings
    file(MAKE_DIRECTORY ${found})
    math(EXPR timeout "${GEOTRAIN_FUZZ_SECONDS} * 3")
    add_test(NAME ${name}.fuzz
        COMMAND ${PROJECT_BINARY_DIR}/fuzz/fuzz-bin/${name} -max_total_time=${GEOTRAIN_FUZZ_SECONDS}
            -timeout=10 -print_final_stats=1 -artifact_prefix=${found}/ ${found} ${corpus})
    set_tests_properties(${name}.fuzz PROPERTIES
        LABELS slow TIMEOUT ${timeout} FIXTURES_REQUIRED fuzz-built)
    if(NOT GEOTRAIN_CLANG)
        set_tests_properties(${name}.fuzz PROPERTIES DISABLED TRUE)
    endif()
endfunction()
