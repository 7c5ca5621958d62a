import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What to add to the number of a signal for the exit status of a process that it has ended. Source: bash(1), EXIT STATUS */
const SIGNAL_STATUS = 128

/**
 * Runs something and then removes its temporary files, also if a signal ends the process meanwhile. The signal is noticed when the
 * event loop has its next turn.
 */
export async function withCleanUp<T>(removeFiles: () => void, run: () => Promise<T>): Promise<T> {
  const stop = (signal: (typeof SIGNALS)[number]) => {
    removeFiles()
    for (const name of SIGNALS) process.off(name, stop)
    // Ends the process at once, also while another thread is busy, and lets a shell see that the signal has done so.
    process.kill(process.pid, signal)
    // The first process of a container does not end by a signal without a handler.
    process.exit(SIGNAL_STATUS + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await run()
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    removeFiles()
  }
}
