import { useSyncExternalStore } from 'react'

/** A value that any module can read and set, and that components follow. */
export interface Store<Value> {
  readonly get: () => Value
  readonly set: (value: Value) => void
  /** The current value, in a component. */
  readonly useValue: () => Value
}

/** Creates a store, for what is set outside of the component that shows it. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    useValue: () => useSyncExternalStore(subscribe, get),
  }
}
