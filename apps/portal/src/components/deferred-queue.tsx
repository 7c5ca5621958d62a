import { type ComponentType, useEffect, useState } from 'react'
import { loadCode } from '../app/load-code.ts'
import { createStore } from '../app/store.ts'

/** The properties of the component that takes the items of a queue. */
export interface ConsumerProps<Item> {
  /** How many items wait. */
  readonly count: number
  /** Takes all that wait. */
  readonly take: () => readonly Item[]
}

interface DeferredQueue<Item> {
  readonly push: (item: Item) => void
  /** Loads the consumer before it is needed. */
  readonly preload: () => void
  /** Renders the consumer once there was an item. */
  readonly Outlet: ComponentType
}

/**
 * A queue whose consumer is loaded with the first item, so that a screen loads less.
 * @param load imports the component that takes the items
 * @param onFailure called if it could not be loaded; the items wait for the next attempt
 */
export function createDeferredQueue<Item>(
  load: () => Promise<ComponentType<ConsumerProps<Item>>>,
  onFailure: (forget: () => void, error: unknown) => void,
): DeferredQueue<Item> {
  const items = createStore<readonly Item[]>([])
  const take = () => {
    const taken = items.get()
    items.set([])
    return taken
  }
  return {
    push: (item) => items.set([...items.get(), item]),
    preload: () => void load().catch(() => null),
    Outlet: function DeferredQueueOutlet() {
      const { length } = items.useValue()
      const [Consumer, setConsumer] = useState<ComponentType<ConsumerProps<Item>> | null>(null)
      useEffect(() => {
        if (length === 0 || Consumer) return
        loadCode(load).then(
          (component) => setConsumer(() => component),
          (error) => onFailure(take, error),
        )
      }, [length, Consumer])
      return Consumer ? <Consumer count={length} take={take} /> : null
    },
  }
}
