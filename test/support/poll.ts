/** Longer than any wait takes. */
const MAX_WAIT_MS = 60_000
/** Between two checks, so that waiting takes no processor time from other tests. */
const PAUSE_MS = 5

/**
 * Reads a value until it is the one that is waited for. Only for what other processes do, which cannot be awaited.
 * @param description what is waited for, after "until"
 * @returns that value
 * @throws Error if it is not read within a minute
 */
export async function pollFor<Value>(
  read: () => Promise<Value>,
  isReached: (value: Value) => boolean,
  description: string,
): Promise<Value> {
  const startedAt = performance.now()
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
    if (performance.now() - startedAt > MAX_WAIT_MS) throw new Error(`timed out waiting until ${description}`)
    await Bun.sleep(PAUSE_MS)
  }
}

/** Waits for a condition, like `pollFor`. */
export const pollUntil = async (condition: () => Promise<boolean>, description: string): Promise<void> => {
  await pollFor(condition, (isMet) => isMet, description)
}
