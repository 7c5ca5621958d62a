const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs something and then removes its temporary files, also if a signal ends the process meanwhile. */
export async function withCleanUp<T>(removeFiles: () => void, run: () => Promise<T>): Promise<T> {
  const stop = () => {
    removeFiles()
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    return await run()
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    removeFiles()
  }
}
