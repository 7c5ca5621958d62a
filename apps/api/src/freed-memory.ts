import type { Environment } from './config.ts'
import { programCommand } from './program-command.ts'

/** How long the memory allocator keeps freed memory, in milliseconds. The runtime's defaults are 100. Source: docs/decisions/0023-freed-memory.md. */
const ALLOCATOR_SETTINGS = {
  /** Pages of which nothing is in use; -1: forever. */
  MIMALLOC_PURGE_DELAY: '10000',
  /** The time between two searches for unused parts of the other pages. */
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
}

/** Whether the allocator of a process with this environment keeps freed memory as long as the environment or the server says. */
export const keepsFreedMemory = (env: Environment): boolean =>
  Object.keys(ALLOCATOR_SETTINGS).every((name) => env[name] !== undefined)

/** Why the system did not restart the program; null if it did not say. */
let restartProblem: string | null = null

/**
 * Keeps freed memory for the next requests, because returning it to the system interrupts every thread. The allocator reads its settings
 * when a process starts, so this restarts the program in the same process, with the same id. It returns if that is not needed or not possible.
 */
export function restartToKeepFreedMemory(env: Environment): void {
  if (keepsFreedMemory(env)) return
  const [file, ...script] = programCommand()
  try {
    process.execve?.(file, [process.argv0, ...script, ...process.argv.slice(2)], {
      ...ALLOCATOR_SETTINGS,
      ...env,
    })
  } catch (error) {
    // `serve` warns.
    restartProblem = error instanceof Error ? error.message : String(error)
  }
}

const ASSIGNMENTS = Object.entries(ALLOCATOR_SETTINGS)
  .map(([name, value]) => `${name}=${value}`)
  .join(' and ')

/** The warning of a server that could not be restarted. */
export const describeRestartFailure = (): string =>
  `Reeve could not restart with ${ASSIGNMENTS}${restartProblem === null ? '' : ` (${restartProblem})`}, so it returns freed memory too early, and requests take longer under load. Set these variables in its environment.`
