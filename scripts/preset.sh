# Which build is meant: DCHECK_PRESET, release if not told otherwise. Sourced, not run, at the project's root.

preset=${DCHECK_PRESET:-release}
build_folder=build
[ "$preset" = release ] || build_folder=build-$preset

# A finding of a sanitizer ends the program by SIGABRT, so that a campaign can tell its case first.
export ASAN_OPTIONS=${ASAN_OPTIONS:-abort_on_error=1:allow_user_segv_handler=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-abort_on_error=1:print_stacktrace=1}
