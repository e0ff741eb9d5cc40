# Writes OUT, a source with the git commit of SOURCE: "unknown" for a tree that is no clone. A build runs it each time;
# OUT is written only where its text changes, so that a commit compiles one small source again.
#   cmake -DSOURCE=FOLDER -DOUT=FILE -P write-build-commit.cmake
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE head RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed EQUAL 0)
        set(commit ${head})
        execute_process(COMMAND ${GIT} -C ${SOURCE} --no-optional-locks status --porcelain --untracked-files=no
            OUTPUT_VARIABLE changes ERROR_QUIET)
        if(NOT "${changes}" STREQUAL "")
            string(APPEND commit -dirty)
        endif()
    endif()
endif()
set(text "// Written by write-build-commit.cmake.
namespace geotrain
{
extern const char* const buildCommit;
const char* const buildCommit = \"${commit}\";
} // namespace geotrain
")
set(written "")
if(EXISTS ${OUT})
    file(READ ${OUT} written)
endif()
if(NOT "${written}" STREQUAL "${text}")
    file(WRITE ${OUT} "${text}")
endif()
