/** Reports an error as any that nobody catches, and lets whoever met it go on. */
export const reportUncaught = (error: unknown): void =>
  queueMicrotask(() => {
    throw error
  })
