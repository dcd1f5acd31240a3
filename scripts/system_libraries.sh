#!/bin/sh
# The system libraries that Qt needs on Linux; app/start/qt_libraries.py has the table of them and of their packages.
#   check    silent if none is missing, else names them with the one command that installs them, and fails
#   install  runs that command, with sudo if need be
#   prepare  installs them where that asks nobody, as root on Debian and its kin; else says what check says; never fails
#   browser  installs Chromium, in which the tests open pages, where that asks nobody, as root on Debian; never fails
set -u
table=$(dirname "$0")/../app/start/qt_libraries.py

missing_rows() {
    grep '^lib' "$table" | while read -r row; do
        case "$loadable" in *"${row%% *} ("*) ;; *) echo "$row" ;; esac
    done
}

# What the first known package manager calls the packages: `find_command COLUMN WORDS...` sets `command`.
find_command() {
    column=$1
    shift
    packages=$(echo "$rows" | awk -v column="$column" '!seen[$column]++ { printf " %s", $column }')
    # Since Debian 13 and Ubuntu 24.04 it has another name.
    if [ "$1" = apt-get ] && apt-cache show libglib2.0-0t64 >/dev/null 2>&1; then
        packages=$(echo "$packages" | sed 's/libglib2.0-0\( \|$\)/libglib2.0-0t64\1/')
    fi
    command="$*$packages"
}

say() {
    names=$(echo "$rows" | awk '{ printf "%s%s", (NR > 1 ? ", " : ""), $1 }')
    if [ -n "$command" ]; then
        printf 'Qt needs system libraries that are missing: %s. Install them with:\n    %s\n' "$names" "$sudo$command" >&2
    else
        echo "Qt needs system libraries that are missing: $names. Install the packages that hold them." >&2
    fi
}

announce() {
    echo "Installing the system libraries that Qt needs: $sudo$command"
}

install() {
    case "$command" in
        apt-get*) ${sudo}apt-get update -qq >/dev/null 2>&1 ;; # without lists, no package is known
    esac
    $sudo$command
}

# Ubuntu has Chromium in no package of its own. Where it is missing, the tests say that they opened no page.
browser() {
    if command -v chromedriver >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then return; fi
    if [ "$(id -u)" != 0 ] || ! grep -q '^ID=debian' /etc/os-release 2>/dev/null; then return; fi
    echo "Installing the browser in which the tests open pages: apt-get install --yes chromium chromium-driver"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >/dev/null 2>&1
    apt-get install --yes --no-install-recommends chromium chromium-driver >/dev/null 2>&1
}

case "${1-}" in
    check | install | prepare | browser) ;;
    *) echo "Use: sh scripts/system_libraries.sh check, install, prepare or browser." >&2; exit 2 ;;
esac
if [ "$(uname -s)" != Linux ]; then exit 0; fi
if [ "$1" = browser ]; then browser; exit 0; fi
# Without the loader's list, nothing can be said.
loadable=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null) || exit 0
rows=$(missing_rows)
if [ -z "$rows" ]; then exit 0; fi

if [ "$(id -u)" = 0 ]; then sudo=""; else sudo="sudo "; fi
command=""
if command -v apt-get >/dev/null 2>&1; then find_command 2 apt-get install --yes
elif command -v dnf >/dev/null 2>&1; then find_command 3 dnf install --assumeyes
elif command -v zypper >/dev/null 2>&1; then find_command 4 zypper --non-interactive install
elif command -v pacman >/dev/null 2>&1; then find_command 5 pacman -S --needed --noconfirm
fi

case "$1" in
    check) say; exit 1 ;;
    install)
        if [ -z "$command" ]; then say; exit 1; fi
        announce
        install ;;
    prepare)
        if [ -z "$sudo" ] && [ -e /etc/debian_version ] && [ "${command%% *}" = apt-get ]; then
            announce
            export DEBIAN_FRONTEND=noninteractive
            install >/dev/null 2>&1 || say
        else
            say
        fi
        exit 0 ;;
esac
