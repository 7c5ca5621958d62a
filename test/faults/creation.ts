import { BINARY, runReeve } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, INIT_PASSWORD } from './support/backup-checks.ts'
import type { FaultTest } from './support/fault.ts'
import { withKillAtSyscall } from './support/strace.ts'

/** The system calls with which a new data folder is written, each with the distance of its kills in the short form. */
const SYSCALLS = { pwrite64: 60, openat: 60, fdatasync: 10, fsync: 3, rename: 1, unlink: 2 } as const

const KILLED = 137

/** D8: `init` on a new data folder is killed before each of its writes, and run again. */
export const creation: FaultTest = {
  promise: 'D8',
  title: 'a data folder whose creation is killed can be created again, and is complete then',
  async run(plan, log) {
    const stats = { kills: 0, created: 0 }
    const failures: string[] = []
    for (const [syscall, distance] of Object.entries(SYSCALLS)) {
      for (let call = 1; ; call += plan.short ? distance : 1) {
        const { hasFinished, failure } = await killCreation(syscall, call)
        if (failure !== null) failures.push(`killed before ${syscall} ${call}: ${failure}`)
        if (hasFinished) break
        stats.kills += 1
      }
      log(`${stats.kills} kills`)
    }
    stats.created = stats.kills - failures.length
    return { stats, failures }
  },
}

/** Kills the creation of a folder before one of its system calls, unless it finishes first, and creates it again. */
async function killCreation(syscall: string, call: number) {
  const folder = temporaryFolder()
  const options = { dataDir: folder.data, stdin: INIT_PASSWORD }
  try {
    const first = await runReeve(INIT_ARGS, { ...options, program: withKillAtSyscall(syscall, call, BINARY) })
    const hasFinished = first.exitCode === 0
    if (!hasFinished && first.exitCode !== KILLED) return { hasFinished: true, failure: first.err }
    const second = await runReeve(INIT_ARGS, { ...options, program: BINARY })
    const exists = second.err.includes('already')
    if (second.exitCode !== 0 && !exists) return { hasFinished, failure: second.err }
    if (hasFinished && !exists)
      return { hasFinished, failure: 'it reported success before the account was stored' }
    const { exitCode, out } = await runReeve(['doctor'], { ...options, program: BINARY })
    return { hasFinished, failure: exitCode === 0 ? null : out }
  } finally {
    folder.remove()
  }
}
