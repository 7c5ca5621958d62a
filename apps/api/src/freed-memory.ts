import { programCommand } from './program-command.ts'

/** How many milliseconds the memory allocator keeps freed memory. The runtime's defaults are 100. Source: docs/decisions/0023-freed-memory.md. */
const DELAYS = {
  /** Pages of which nothing is in use; -1: forever. */
  MIMALLOC_PURGE_DELAY: '10000',
  /** The time between two searches for unused parts of the other pages. */
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
}

/** Whether this process keeps freed memory as long as the server, or its environment, says. */
export const keepsFreedMemory = (): boolean =>
  Object.keys(DELAYS).every((name) => process.env[name] !== undefined)

/**
 * Keeps freed memory for the next requests, because returning it to the system interrupts every thread. The allocator reads the delays
 * when a process starts, so this starts the program again in the same process, with the same id. It returns if that is not needed or not possible.
 */
export function keepFreedMemory(): void {
  if (keepsFreedMemory()) return
  const [file, ...script] = programCommand()
  try {
    process.execve?.(file, [process.argv0, ...script, ...process.argv.slice(2)], {
      ...DELAYS,
      ...process.env,
    })
  } catch {
    // `serve` warns.
  }
}

const ASSIGNMENTS = Object.entries(DELAYS)
  .map(([name, value]) => `${name}=${value}`)
  .join(' and ')

/** The warning of a server that could not be started again. */
export const RETURNS_FREED_MEMORY = `Reeve could not start itself again with ${ASSIGNMENTS}, so it returns freed memory at once, and requests take longer under load. Set these variables in its environment.`
