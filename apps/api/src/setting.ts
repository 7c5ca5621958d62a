import { wire } from '@reeve/core'

/** One setting: how it is given, and how it is read. An empty value counts as none given. */
export interface Setting<T> {
  /** Without the dashes; null for a secret, which a list of processes would show, and for what belongs to one. */
  readonly flag: string | null
  readonly env: string
  readonly placeholder: string
  /** What is read where none is given. */
  readonly fallback: string
  /** How the help shows the fallback, where the text itself says little. */
  readonly fallbackLabel?: string
  readonly help: string
  /** @throws WireError in words that follow the setting's name: "must be …" */
  readonly read: (text: string) => T
}

/** Declares a setting. */
export const defineSetting = <T>(definition: Setting<T>): Setting<T> => definition

/** Refuses a value, in words that follow the setting's name. @throws WireError */
export const rejectValue = (message: string): never => {
  throw new wire.WireError(message)
}
