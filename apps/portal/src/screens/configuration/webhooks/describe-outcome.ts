import type { Delivery } from './delivery-data.ts'

/** How a delivery went, in a sentence. */
export function describeOutcome({ state, lastStatus, lastError }: Delivery): string {
  if (state === 'delivered') return `The receiver accepted it with the status ${lastStatus ?? 200}.`
  if (lastStatus !== null)
    return `The receiver did not accept it: it responded with the status ${lastStatus}.`
  return lastError === null ? 'It was not sent.' : `It could not be delivered: ${lastError}`
}
