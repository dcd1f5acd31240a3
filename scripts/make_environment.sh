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

for python in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        echo "Gradwire found $python, but not the part that makes virtual environments. Install it with:" >&2
        install_hint >&2
        exit 1
    fi
    exec "$python" -m venv "$folder"
done

echo "Gradwire needs Python 3.11 or newer and found none. Install it with:" >&2
install_hint >&2
exit 1
