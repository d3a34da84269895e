# Shared by install, list and run; sourced with $here set to this folder.
set -euo pipefail
cache=${COPSE_WORKLOADS:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/copse-workloads}
java_bin=${JAVA_HOME:+$JAVA_HOME/bin/}

program_names() { (cd "$here/programs" && printf '%s\n' */ | tr -d / | LC_ALL=C sort); }

# load NAME: its conf as name CLASS PACKAGES JARS OPTIONS DESCRIPTION.
load() {
  name=$1 CLASS='' PACKAGES='' JARS='' OPTIONS='' DESCRIPTION=''
  if [ ! -f "$here/programs/$name/conf" ]; then
    echo "workloads: $name: no such program (see workloads/list)" >&2
    exit 64
  fi
  . "$here/programs/$name/conf"
}

class_path() {
  local path=$cache/classes/harness:$cache/classes/$name jar
  for jar in $JARS; do path+=:/usr/share/java/$jar.jar; done
  printf '%s' "$path"
}

# What an expected result depends on: the JDK's feature release and the packages.
versions() {
  local home release text
  home=$(dirname "$(dirname "$(readlink -f "$(command -v "${java_bin}java")")")")
  release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
  text=jdk${release:-unknown}
  if [ -n "$PACKAGES" ]; then
    text+=$(dpkg-query -W -f ',${Package}=${Version}' $PACKAGES 2>/dev/null || echo ,missing)
  fi
  printf '%s' "$text"
}
