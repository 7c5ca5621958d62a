/** The result of one check, with advice on what to do. */
export interface Finding {
  readonly check:
    | 'settings'
    | 'folder'
    | 'disk'
    | 'schema'
    | 'database'
    | 'references'
    | 'key'
    | 'audit'
    | 'restore'
    | 'records'
    | 'resources'
    | 'keys'
    | 'dates'
    | 'storage'
    | 'clock'
    | 'backup'
    | 'offsite'
    | 'images'
    | 'hashes'
    | 'passkeys'
    | 'requests'
    | 'webhooks'
    | 'mail'
  readonly verdict: 'ok' | 'warning' | 'fault'
  readonly found: string
  readonly advice: string | null
  /** The records that the finding is about, for programs. At most `MAX_NAMED`. */
  readonly records?: readonly object[]
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

/** A fault with all messages; `okMessage` if there are none. */
export const toFinding = (
  check: Check,
  faults: readonly string[],
  okMessage: string,
  advice: string,
): Finding => (faults.length === 0 ? ok(check, okMessage) : fault(check, `${faults.join('; ')}.`, advice))
