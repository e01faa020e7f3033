#!/bin/sh
# Build the Debian packages from a copy of the tree, and have lintian look at them.
# usage: deb.sh FOLDER, from the top of the source tree; the packages are left there.
set -eu
out=$1
version=$(sed -n 's/.*VERSION "\(.*\)"/\1/p' sim/version.h)
case $(head -1 debian/changelog) in
"slabsim ($version) "*) ;;
*) echo "deb.sh: debian/changelog does not begin with version $version, sim/version.h does" >&2; exit 1 ;;
esac
rm -rf "$out"
mkdir -p "$out/slabsim"
cp -a Makefile README.md LICENSE sim policies workloads tests bench tools configs plots man completion \
  examples debian "$out/slabsim"
(cd "$out/slabsim" && DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-nocheck}" dpkg-buildpackage -us -uc)
lintian --fail-on error "$out"/*.changes
ls "$out"/*.deb
