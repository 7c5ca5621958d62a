import { createStore } from './store.ts'

/** What a person sets for this device. The first value of each is the default. */
const options = {
  /** How times are written: `2 hours ago` or `22 Nov 2026, 14:05`. */
  times: ['relative', 'absolute'],
  /** The height of the rows in lists and tables. */
  density: ['comfortable', 'compact'],
  /** Whether single keys such as `B` are shortcuts. People who use speech input need to turn them off (WCAG 2.1.4). */
  singleKeys: ['on', 'off'],
} as const

type Options = typeof options
export type Preferences = { readonly [Name in keyof Options]: Options[Name][number] }

const STORAGE_KEY = 'reeve-preferences'
const names = Object.keys(options) as (keyof Options)[]

function parsePreferences(text: string | null): Preferences {
  let stored: Partial<Record<string, unknown>> = {}
  try {
    stored = JSON.parse(text ?? '{}') ?? {}
  } catch {
    // Not ours: the defaults apply.
  }
  const entries = names.map((name) => {
    const values: readonly string[] = options[name]
    return [name, values.find((value) => value === stored[name]) ?? values[0]]
  })
  return Object.fromEntries(entries) as Preferences
}

function readPreferences(): Preferences {
  try {
    return parsePreferences(localStorage.getItem(STORAGE_KEY))
  } catch {
    return parsePreferences(null)
  }
}

const preferences = createStore(readPreferences())

function apply(changed: Preferences): void {
  preferences.set(changed)
  document.documentElement.dataset.density = changed.density
}

apply(preferences.get())
// Another tab changed them.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === STORAGE_KEY) apply(parsePreferences(newValue))
})

export const getPreferences = preferences.get

export const usePreferences = preferences.useValue

/** Changes preferences on this device, in every open tab. */
export function setPreferences(changes: Partial<Preferences>): void {
  apply({ ...getPreferences(), ...changes })
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(getPreferences()))
  } catch {
    // Storage is blocked: they apply until the page is closed.
  }
}
