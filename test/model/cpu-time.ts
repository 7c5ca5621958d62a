import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from 'pg'

/** Microseconds of processor that something has used since it began. */
export type CpuClock = () => Promise<number>

/** A tick of the kernel's accounts. Source: USER_HZ, 100 a second on every Linux that Bun runs on. */
const TICK_US = 10_000

/** The fields of /proc/<pid>/stat after the name, which may hold anything. Source: proc_pid_stat(5) */
function readStatFields(pid: number): string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}
const [PARENT, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [1, 11, 12, 13, 14] as const

/** What a process has used, all its threads together. */
export function readProcessCpu(pid: number): number {
  const fields = readStatFields(pid)
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_US
}

/** What all processes of a database server on this machine use: those that run, and those that have ended. */
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
        // It has ended meanwhile: the postmaster's account has it.
      }
    }
    return ticks * TICK_US
  }
}
