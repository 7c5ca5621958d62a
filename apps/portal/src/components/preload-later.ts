/** Leaves the network to the screen, but is early enough for someone who loses it before doing anything. */
const PRELOAD_DELAY_MS = 2000

/** Loads what the user may need next once the screen is shown, unless they save data. @returns a function that cancels it */
export function preloadLater(load: () => void): () => void {
  const { connection } = navigator as { connection?: { readonly saveData: boolean } }
  const timer = connection?.saveData ? undefined : setTimeout(load, PRELOAD_DELAY_MS)
  return () => clearTimeout(timer)
}
