# What the job scripts of this folder share. They source it; it is not run. It reads what SLURM gave the job.
#
#   describe_job       says it in one line
#   seconds_left       of the job's time limit; nothing where it has none
#   max_time=()        --max-time, so that a job that runs out of time still reports what it reached
#   launch=()          what starts the ranks, to be followed by a command: one for each task of the job
#   dcheck             the program
#   run_dcheck ARGS    dcheck on all ranks, as the end of the job; after a failure with a line that says what to run again
#   ask_squeue FORMAT  what squeue prints of this job

dcheck=${DCHECK_BINARY:-$dcheck_home/build/dcheck}
[ -x "$dcheck" ] || {
  echo "$dcheck: no such program; run scripts/build first, or set dcheck_home" >&2
  exit 2
}

# What squeue knows of this job; of an array, of this task alone.
ask_squeue() {
  local job=$SLURM_JOB_ID
  [ -z "${SLURM_ARRAY_JOB_ID:-}" ] || job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
  squeue -h -j "$job" -o "$1"
}

seconds_left() {
  ask_squeue %L | awk -F'[-:]' '
    /^[0-9:-]+$/ { n = NF; s = $n; if (n > 1) s += 60 * $(n-1); if (n > 2) s += 3600 * $(n-2); if (n > 3) s += 86400 * $(n-3); print s }'
}

describe_job() {
  local memory=${SLURM_MEM_PER_NODE:+$SLURM_MEM_PER_NODE MB a node} cores left
  [ -n "$memory" ] || memory=${SLURM_MEM_PER_CPU:+$SLURM_MEM_PER_CPU MB a core}
  cores=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //')
  left=$(seconds_left)
  echo "job $SLURM_JOB_ID: ${SLURM_NTASKS:-1} ranks on $SLURM_JOB_NUM_NODES nodes ($SLURM_JOB_NODELIST)," \
    "${SLURM_CPUS_PER_TASK:-1} cores each, ${memory:-memory of the nodes}, cores bound on the first node: ${cores:-unknown}," \
    "${left:-no limit of} seconds left, attempt $((${SLURM_RESTART_COUNT:-0} + 1))"
  local wanted=$((${SLURM_CPUS_PER_TASK:-1} * (${SLURM_NTASKS:-1} + SLURM_JOB_NUM_NODES - 1) / SLURM_JOB_NUM_NODES))
  [ "$wanted" -le "$(nproc)" ] || echo "warning: $wanted ranks share $(nproc) cores of the first node: ask for a core for each" >&2
}

# Of the script that sources this.
submitted=("$@")

run_dcheck() {
  local code=0 script
  "${launch[@]}" "$dcheck" "$@" || code=$?
  case $code in
    0 | 1) ;;
    *)
      script=$(ask_squeue %o)
      echo "dcheck ended with $code; to run it again: sbatch -N $SLURM_JOB_NUM_NODES -n ${SLURM_NTASKS:-1} ${script%% *} ${submitted[*]@Q}" >&2
      ;;
  esac
  exit "$code"
}

# A minute, or a tenth of what is left of a short job, is for the report.
max_time=()
left=$(seconds_left)
if [ -n "$left" ]; then
  margin=$((left / 10 < 60 ? left / 10 : 60))
  max_time=(--max-time $((left - margin)))
fi

# Open MPI's ranks find each other by PMIx. Where a site has another way (srun --mpi=list), say so in DCHECK_SRUN, or take
# mpirun: DCHECK_LAUNCHER=mpirun. mpirun leaves ranks a second to report when the job is cancelled; OMPI_MCA_odls_base_sigkill_timeout
# is more, but mpirun waits twice as long whenever dcheck ends with another code than 0.
case ${DCHECK_LAUNCHER:-srun} in
  srun) launch=(srun ${DCHECK_SRUN:---mpi=pmix} --kill-on-bad-exit=1) ;;
  mpirun) launch=(mpirun -q -n "${SLURM_NTASKS:-1}") ;;
  *) echo "DCHECK_LAUNCHER=$DCHECK_LAUNCHER is neither srun nor mpirun" >&2 && exit 2 ;;
esac
