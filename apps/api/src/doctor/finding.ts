/** The result of one check, with advice on what to do. */
export interface Finding {
  readonly check:
    | 'settings'
    | 'folder'
    | 'disk'
    | 'schema'
    | 'database'
    | 'references'
    | 'audit'
    | 'clock'
    | 'backup'
    | 'offsite'
    | 'images'
  readonly verdict: 'ok' | 'warning' | 'fault'
  readonly found: string
  readonly advice: string | null
}

type Check = Finding['check']

export const ok = (check: Check, found: string, advice: string | null = null): Finding => ({
  check,
  verdict: 'ok',
  found,
  advice,
})

/** Something that can be intended. */
export const warning = (check: Check, found: string, advice: string): Finding => ({
  check,
  verdict: 'warning',
  found,
  advice,
})

/** Something that is wrong. */
export const fault = (check: Check, found: string, advice: string): Finding => ({
  check,
  verdict: 'fault',
  found,
  advice,
})
