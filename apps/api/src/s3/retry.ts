import { BucketError } from './client.ts'

const ATTEMPTS = 5
/** The delay after the first failure, in milliseconds. It doubles after every further one. */
const FIRST_DELAY_MS = 500

/**
 * Repeats a request that can succeed later, such as one that timed out or that the store was too busy for.
 * @throws BucketError of the last attempt
 */
export async function retryTransient<T>(attempt: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof BucketError && error.isTransient) || failures === ATTEMPTS) throw error
      // Random, so that parallel requests do not return at the same moment.
      await Bun.sleep(FIRST_DELAY_MS * 2 ** (failures - 1) * (0.5 + Math.random()))
    }
  }
}
