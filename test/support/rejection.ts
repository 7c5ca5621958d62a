/**
 * The error with which work of many steps fails. `expect(…).rejects` runs an event loop of its own, in which `setImmediate` continues only at the
 * next timer: each step can take a second there.
 * @throws Error if the work succeeds
 */
export async function rejectionOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('The work was expected to fail, and succeeded.')
}
