import {
  type Attempt,
  type AttemptOptions,
  type AttemptPorts,
  attemptDelivery,
  type OutgoingDelivery,
} from './attempt.ts'
import { createRequestSender } from './send.ts'

/** Sends deliveries to their receivers. */
export interface Sender {
  /** Sends a delivery once. Rejects if the sender itself fails: it is not known then whether the receiver has got it. */
  readonly send: (outgoing: OutgoingDelivery) => Promise<Attempt>
  /** Ends the attempts in progress, which then have failed. */
  readonly interrupt: () => void
  /** Frees what the sender uses. Its next attempt starts it again. */
  readonly close: () => Promise<void>
}

/** A sender on the thread that calls it. */
export function createSender(ports: AttemptPorts, options: AttemptOptions): Sender {
  const sendingPorts = { ...ports, sendRequest: createRequestSender(ports, options) }
  let interruption = new AbortController()
  return {
    send: (outgoing) => attemptDelivery(sendingPorts, options, outgoing, interruption.signal),
    interrupt() {
      interruption.abort()
      interruption = new AbortController()
    },
    close: async () => {},
  }
}
