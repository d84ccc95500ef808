# What .ci/sample and .ci/check share; sourced by them with $VENV set. POSIX shell, because a fresh system may have no other.

say() { printf '%s\n' "$*" >&2; }

# Install Debian packages, where this user may; fails quietly where not.
apt_install() {
    if [ "$(id -u)" = 0 ]; then as_root=""; elif sudo -n true 2>/dev/null; then as_root="sudo"; else return 1; fi
    command -v apt-get >/dev/null || return 1
    say "installing $* through apt-get"
    $as_root apt-get -qq update >/dev/null 2>&1 || say "apt-get update failed; trying with the lists at hand"
    output=$($as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" 2>&1) || {
        say "$output"
        return 1
    }
}

# A virtual environment in $VENV, made by the first Python of 3.11 or later.
make_venv() {
    for python in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            break
        fi
        python=""
    done
    if [ -z "$python" ]; then
        say "hupai needs Python 3.11 or later: install python3, or name one with PYTHON=..."
        exit 2
    fi
    [ -x "$VENV/bin/pip" ] && return
    if ! "$python" -c 'import ensurepip' 2>/dev/null; then
        version=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        if ! apt_install "$version" && ! apt_install python3-venv; then
            say "this Python cannot make environments: have $version installed (apt-get install $version)"
            exit 2
        fi
    fi
    "$python" -m venv "$VENV"
}

# Install this checkout into $VENV; $1 is "-e" or empty, $2 the extras such as "[dev]".
install_hupai() {
    "$VENV/bin/pip" install --quiet --disable-pip-version-check $1 ".$2"
    # OpenCV's wheel links to two libraries that a bare system lacks.
    if ! "$VENV/bin/python" -c 'import cv2' 2>/dev/null; then
        if ! apt_install libgl1 libglib2.0-0 || ! "$VENV/bin/python" -c 'import cv2'; then
            say "OpenCV cannot be loaded: have libgl1 and libglib2.0-0 installed (apt-get install libgl1 libglib2.0-0)"
            exit 2
        fi
    fi
}
