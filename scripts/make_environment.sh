#!/bin/sh
# Makes a virtual environment with the first suitable Python, or names the one command that installs what is missing.
set -u
folder=$1

install_hint() {
    if command -v apt-get >/dev/null 2>&1; then
        echo "    sudo apt-get install --yes python3 python3-venv"
    elif command -v brew >/dev/null 2>&1; then
        echo "    brew install python@3.13"
    else
        echo "    install Python 3.13 from python.org"
    fi
}

# Distributions compile Python with profile-guided optimization, version managers often without: everything then takes a
# sixth longer. So the system's own goes first, unless the user's is newer.
system=${SYSTEM_PYTHON:-/usr/bin/python3}
newest=$(python3 -c 'import sys; print(*sys.version_info[:2])' 2>/dev/null || echo 0 0)
# On macOS it may be no more than an offer to install one.
if [ "$(uname)" != Linux ] || ! "$system" -c 'import sys; sys.exit(sys.version_info[:2] < (int(sys.argv[1]), int(sys.argv[2])))' \
    $newest >/dev/null 2>&1; then
    system=''
fi

without=''
for python in ${PYTHON:-$system python3 python3.13 python3.12 python3.11 python}; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
    if "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        exec "$python" -m venv "$folder"
    fi
    without=${without:-$python}
done

if [ -n "$without" ]; then
    echo "Gradwire found $without, but not the part that makes virtual environments. Install it with:" >&2
    install_hint >&2
    exit 1
fi
echo "Gradwire needs Python 3.11 or newer and found none. Install it with:" >&2
install_hint >&2
exit 1
