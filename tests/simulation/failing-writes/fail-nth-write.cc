// SPDX-License-Identifier: GPL-2.0-only
// A library to be preloaded (LD_PRELOAD), under which the disk is full from the n-th write of a
// process on: GEOTRAIN_FAIL_NTH is n. Writes are those to regular files other than standard output
// and error, opening a file for writing, renaming, and making a folder. They fail with ENOSPC. The
// first failure makes the folder GEOTRAIN_FAIL_MARK, and the end of the program writes the number of
// writes into the file GEOTRAIN_FAIL_COUNT. Programs other than geotrain are left alone, and
// each process counts for itself. Writes that the C library makes inside fwrite() are caught there.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace
{

std::atomic<long> calls{0};

/// Counts a write. Returns whether it has to fail, with errno set.
bool
MustFail()
{
    static const char* const nth = std::getenv("GEOTRAIN_FAIL_NTH");
    static const bool isGeotrain = std::strcmp(program_invocation_short_name, "geotrain") == 0;
    if (nth == nullptr || !isGeotrain || ++calls < std::atol(nth))
    {
        return false;
    }
    if (const char* mark = std::getenv("GEOTRAIN_FAIL_MARK"))
    {
        syscall(SYS_mkdirat, AT_FDCWD, mark, 0700);
    }
    errno = ENOSPC;
    return true;
}

bool
IsResult(int file)
{
    struct stat status = {};
    return file > STDERR_FILENO && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

bool
Writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY;
}

bool
Writes(const char* mode)
{
    return std::strpbrk(mode, "wa+") != nullptr;
}

/// Its destructor runs at the end of the program, but not in children that end by _exit().
struct CountReport
{
    ~CountReport()
    {
        const char* path = std::getenv("GEOTRAIN_FAIL_COUNT");
        const auto file =
            path == nullptr
                ? -1
                : static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600));
        if (file >= 0)
        {
            dprintf(file, "%ld", calls.load());
            close(file);
        }
    }
};

const CountReport report;

template <typename Function>
Function
Next(const char* name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C"
{
    ssize_t write(int file, const void* data, size_t size)
    {
        static const auto next = Next<ssize_t (*)(int, const void*, size_t)>("write");
        return IsResult(file) && MustFail() ? -1 : next(file, data, size);
    }

    ssize_t writev(int file, const iovec* parts, int count)
    {
        static const auto next = Next<ssize_t (*)(int, const iovec*, int)>("writev");
        return IsResult(file) && MustFail() ? -1 : next(file, parts, count);
    }

    size_t fwrite(const void* data, size_t size, size_t count, FILE* file)
    {
        static const auto next = Next<size_t (*)(const void*, size_t, size_t, FILE*)>("fwrite");
        return IsResult(fileno(file)) && MustFail() ? 0 : next(data, size, count, file);
    }

    FILE* fopen(const char* path, const char* mode)
    {
        static const auto next = Next<FILE* (*)(const char*, const char*)>("fopen");
        return Writes(mode) && MustFail() ? nullptr : next(path, mode);
    }

    FILE* fopen64(const char* path, const char* mode)
    {
        static const auto next = Next<FILE* (*)(const char*, const char*)>("fopen64");
        return Writes(mode) && MustFail() ? nullptr : next(path, mode);
    }

    int open(const char* path, int flags, ...)
    {
        static const auto next = Next<int (*)(const char*, int, ...)>("open");
        va_list rest;
        va_start(rest, flags);
        const auto mode = va_arg(rest, mode_t);
        va_end(rest);
        return Writes(flags) && MustFail() ? -1 : next(path, flags, mode);
    }

    int open64(const char* path, int flags, ...)
    {
        static const auto next = Next<int (*)(const char*, int, ...)>("open64");
        va_list rest;
        va_start(rest, flags);
        const auto mode = va_arg(rest, mode_t);
        va_end(rest);
        return Writes(flags) && MustFail() ? -1 : next(path, flags, mode);
    }

    int rename(const char* from, const char* to)
    {
        static const auto next = Next<int (*)(const char*, const char*)>("rename");
        return MustFail() ? -1 : next(from, to);
    }

    int mkdir(const char* path, mode_t mode)
    {
        static const auto next = Next<int (*)(const char*, mode_t)>("mkdir");
        return MustFail() ? -1 : next(path, mode);
    }
}
