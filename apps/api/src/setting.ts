import { wire } from '@reeve/core'

/** One setting: its flag, its environment variable and its parser. An empty value counts as unset. */
export interface Setting<T> {
  /** Without the dashes; null for secrets, which the process list would show, and for settings that belong to a secret. */
  readonly flag: string | null
  readonly env: string
  readonly placeholder: string
  /** The text that is parsed if the setting is unset. */
  readonly fallback: string
  /** How the help shows the fallback, if the text itself is not clear. */
  readonly fallbackLabel?: string
  readonly help: string
  /** The accepted values, if they are a fixed list. */
  readonly values?: readonly string[]
  /** A secret can also be read from the file that the variable `<env>_FILE` names. */
  readonly isSecret?: true
  /** @throws WireError whose message follows the setting's name: "must be …" */
  readonly read: (text: string) => T
}

/** Declares a setting. */
export const defineSetting = <T>(definition: Setting<T>): Setting<T> => definition

/** Rejects a value with a message that follows the setting's name. @throws WireError */
export const rejectValue = (message: string): never => {
  throw new wire.WireError(message)
}
