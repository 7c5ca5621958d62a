import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from 'pg'

/** CPU time used so far, in microseconds. */
export type CpuClock = () => Promise<number>

/** The kernel's clock tick. Source: USER_HZ, 100 per second on every Linux that Bun supports. */
const TICK_US = 10_000

/** Fields of /proc/<pid>/stat after the process name, which may contain spaces. Source: proc_pid_stat(5) */
function readStatFields(pid: number): string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}
const [PARENT, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [1, 11, 12, 13, 14] as const

/** CPU time of a process with all its threads. */
export function readProcessCpu(pid: number): number {
  const fields = readStatFields(pid)
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_US
}

/** CPU time of all processes of a local database server, including exited ones. */
export async function createDatabaseCpuClock(client: Client): Promise<CpuClock> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const postmaster = Number(readStatFields(Number(rows[0].pid))[PARENT])
  return async () => {
    const ownFields = readStatFields(postmaster)
    let ticks = [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM].reduce(
      (total, index) => total + Number(ownFields[index]),
      0,
    )
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const fields = readStatFields(Number(name))
        if (Number(fields[PARENT]) === postmaster) ticks += Number(fields[USER]) + Number(fields[SYSTEM])
      } catch {
        // The process has exited: the postmaster's times include it.
      }
    }
    return ticks * TICK_US
  }
}
