import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_HIGHEST, PRIORITY_LOW } = constants.priority

/**
 * Changes the priority of this process, because the server, the load and the measurement share the cores of a machine.
 * @param difference added to the niceness; negative for a higher priority
 */
export function changePriority(difference: number): void {
  try {
    setPriority(Math.min(PRIORITY_LOW, Math.max(PRIORITY_HIGHEST, getPriority() + difference)))
  } catch {
    // Only root may raise it. The measured times are longer then, idle and under load.
  }
}
