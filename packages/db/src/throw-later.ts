/** Reports an error as any that nobody catches, and lets whoever met it go on. */
export const throwLater = (error: unknown): void =>
  queueMicrotask(() => {
    throw error
  })
