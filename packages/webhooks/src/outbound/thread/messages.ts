import type { Attempt, AttemptOptions, OutgoingDelivery } from '../attempt.ts'

/** What a sender thread starts with. */
export interface ThreadData extends Pick<AttemptOptions, 'outboundCa' | 'userAgent'> {
  /** The key that the secrets of webhooks are encrypted with. */
  readonly webhooksKey: Uint8Array
  readonly outboundAllow: readonly string[]
  readonly publicUrl: string
}

/** Deliveries to send, each with a number that its result has too, or a command. */
export type ToThread =
  | readonly { readonly number: number; readonly outgoing: OutgoingDelivery }[]
  | 'interrupt'
  | 'close'

/** Results of attempts, or why the program itself failed. */
export type FromThread = readonly {
  readonly number: number
  readonly result: Attempt | { readonly failure: string }
}[]

/** Collects what a turn of the event loop posts, so that it is one message: each wakes the other thread. */
export function collectTurn<Item>(post: (items: readonly Item[]) => void): (item: Item) => void {
  let items: Item[] = []
  return (item) => {
    if (items.push(item) > 1) return
    setImmediate(() => {
      const collected = items
      items = []
      post(collected)
    })
  }
}
