/**
 * The server, the load and the measurement share the processors of a machine, but the clients of a real server have processors
 * of their own. A different niceness only changes the shares of the time: with 500 slow bodies, the server waited up to 50 ms at
 * a time for a processor that the load used.
 */
const options = {
  /** Runs only while no process of normal priority wants the processor. */
  load: ['--idle', '0'],
  /** Always runs at once; this needs root. It takes little time. The kernel would pause a busy server with it for 50 ms of each second. */
  measurement: ['--rr', '10'],
} as const

/** Sets the scheduling priority of this process for its part, with `chrt` of Linux. */
export function setPriorityFor(part: keyof typeof options): void {
  const [policy, priority] = options[part]
  try {
    Bun.spawnSync(['chrt', '--all-tasks', policy, '--pid', priority, String(process.pid)])
  } catch {
    // Other systems do not have the program. The measured times are longer then, idle and under load.
  }
}
