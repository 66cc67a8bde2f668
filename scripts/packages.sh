# The Debian packages dcheck is built and tested with, and how they get here. Sourced, not run.
# A package is listed only once something uses it.

dcheck_packages=(
  cmake ninja-build ccache g++ libc6-dev
  libfmt-dev libcli11-dev libpugixml-dev nlohmann-json3-dev
  openmpi-bin libopenmpi-dev libboost-mpi-dev libboost-serialization-dev libhdf5-dev zlib1g-dev
  libgtest-dev clang-format clang-tidy python3 iproute2 hdf5-tools python3-h5py
)

# What draws the pictures of scripts/scaling.
dcheck_picture_packages=(python3-matplotlib)

# What tests of the job scripts need besides (scripts/slurm-here).
dcheck_slurm_packages=(slurm-wlm munge)

# What the fuzzers need besides (scripts/fuzz): a clang with libFuzzer.
dcheck_fuzz_packages=(clang-14 libclang-rt-14-dev)

# install_missing_packages [PACKAGE...]: installs what is missing, of dcheck_packages if not told otherwise; quick
# and silent where nothing is.
install_missing_packages() {
  local wanted=("$@") missing=() package status
  [ $# -gt 0 ] || wanted=("${dcheck_packages[@]}")
  for package in "${wanted[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=absent
    [ "$status" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2
      return 1
    }
    as_root=(sudo)
  fi
  echo "installing: ${missing[*]}" >&2
  "${as_root[@]}" apt-get -q update >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends "${missing[@]}" >&2
}
