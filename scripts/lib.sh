# Shared by the scripts; sourced.

# apt_install PACKAGE...: installs what is missing, as root or with sudo. Says nothing otherwise.
apt_install() {
  local package missing=() as_root=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" = "ii " ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "install: ${missing[*]}: missing, and neither root nor sudo is at hand" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  "${as_root[@]}" apt-get -qq update </dev/null
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install \
    "${missing[@]}" </dev/null >/dev/null
}
