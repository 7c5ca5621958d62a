import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'

interface ConsumerProps<Item> {
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
  onFailure: (forget: () => void) => void,
): DeferredQueue<Item> {
  let items: readonly Item[] = []
  let loaded: ComponentType<ConsumerProps<Item>> | null = null
  const listeners = new Set<() => void>()
  const setItems = (next: readonly Item[]) => {
    items = next
    for (const listener of listeners) listener()
  }
  const take = () => {
    const taken = items
    setItems([])
    return taken
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const loadOnce = async () => {
    loaded ??= await load()
    return loaded
  }
  return {
    push: (item) => setItems([...items, item]),
    preload: () => void loadOnce().catch(() => null),
    Outlet: function DeferredQueueOutlet() {
      const { length } = useSyncExternalStore(subscribe, () => items)
      const [Consumer, setConsumer] = useState<ComponentType<ConsumerProps<Item>> | null>(null)
      useEffect(() => {
        if (length === 0 || Consumer) return
        loadOnce().then(
          (component) => setConsumer(() => component),
          () => onFailure(take),
        )
      }, [length, Consumer])
      return Consumer ? <Consumer count={length} take={take} /> : null
    },
  }
}
