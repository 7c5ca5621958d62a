/** Longer than any wait takes. */
const MAX_WAIT_MS = 60_000
const PAUSE_MS = 5

/** Waits for a condition. @throws if it is not met in time */
export async function waitUntil(condition: () => Promise<boolean>, description: string): Promise<void> {
  const startedAt = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedAt > MAX_WAIT_MS) throw new Error(`timed out waiting until ${description}`)
    await Bun.sleep(PAUSE_MS)
  }
}
