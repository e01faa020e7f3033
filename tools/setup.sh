#!/bin/sh
# Install what slabsim needs and does not find: pkg-config and the PATH are asked first, then
# apt-get is used for the rest. Arguments name what is wanted: build, test, chart, browser,
# clang, lint, valgrind, deb.
set -eu

missing=

# have_command COMMAND PACKAGE; have_library PKGCONFIG-NAME PACKAGE
have_command() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
have_library() { pkg-config --exists "$1" 2>/dev/null || missing="$missing $2"; }

for want in "${@:-build}"; do
  case $want in
  build)
    have_command "${CC:-gcc}" "${CC:-gcc}"
    have_command make make
    have_command pkg-config pkg-config
    echo 'int main(void){return 0;}' | "${CC:-gcc}" -x c -o /dev/null - 2>/dev/null || missing="$missing libc6-dev"
    have_library libcjson libcjson-dev
    have_library gsl libgsl-dev
    have_library libzstd libzstd-dev
    have_library zlib zlib1g-dev
    have_library liblzma liblzma-dev
    have_library libtracecmd libtracecmd-dev
    have_library libtracefs libtracefs-dev
    have_library libtraceevent libtraceevent-dev
    ;;
  test) have_library cmocka libcmocka-dev ;;
  chart) have_command gnuplot gnuplot-nox ;;
  browser)
    have_command chromium chromium
    have_command python3 python3
    ;;
  clang)
    have_command clang clang
    # The sanitizers' runtime is a package of its own, named after the compiler's version.
    ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.asan-*.a >/dev/null 2>&1 ||
      missing="$missing $(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/libclang-rt-\1-dev/p')"
    ;;
  lint)
    have_command clang-tidy clang-tidy
    have_command clang-format clang-format
    have_command shellcheck shellcheck
    ;;
  valgrind) have_command valgrind valgrind ;;
  deb)
    have_command dpkg-buildpackage dpkg-dev
    have_command dh debhelper
    have_command lintian lintian
    ;;
  *) echo "setup.sh: unknown: $want" >&2; exit 2 ;;
  esac
done

[ -n "$missing" ] || exit 0
by_hand() {
  echo "setup.sh: $1. Please install by hand:" >&2
  echo "  apt-get install$missing" >&2
  exit 1
}
command -v apt-get >/dev/null 2>&1 || by_hand "there is no apt-get here"
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as_root=sudo
  else by_hand "packages are missing and installing them takes root"; fi
fi
echo "setup.sh: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# The package lists of a fresh machine are empty or old.
$as_root apt-get update -qq >/dev/null 2>&1 || true
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null || by_hand "apt-get failed"
