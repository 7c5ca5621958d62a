import { providerSettings } from '../oidc/settings.ts'
import { getFileVariable } from '../secret-files.ts'
import type { Setting } from '../setting.ts'
import { settings } from '../settings.ts'
import { type Command, type CommandEntry, toFlag } from './command.ts'

/** A flag of a command, as the help, the completion scripts and `docs/cli.md` show it. */
export interface FlagReference {
  /** The field of the command's input, or the setting. */
  readonly name: string
  /** Without the dashes. */
  readonly flag: string
  /** Such as `<number>`; empty for a flag without a value. */
  readonly placeholder: string
  readonly help: string
  readonly isRequired: boolean
  /** The accepted values, if they are a fixed list. */
  readonly values: readonly string[]
}

/** A variable without a flag. */
export interface VariableReference {
  readonly names: readonly string[]
  readonly help: string
}

export interface CommandReference {
  /** Such as `user create`. */
  readonly name: string
  readonly summary: string
  readonly flags: readonly FlagReference[]
  readonly variables: readonly VariableReference[]
}

const JSON_FLAG: FlagReference = {
  name: 'json',
  flag: 'json',
  placeholder: '',
  help: 'print the result or the error as one line of JSON',
  isRequired: false,
  values: [],
}

/** The flags and variables of a command. */
export function describeCommand(command: Command): Pick<CommandReference, 'flags' | 'variables'> {
  const options = Object.entries(command.options).map(([name, option]) => ({
    name,
    flag: toFlag(name, option),
    placeholder: option.placeholder,
    help: option.help,
    isRequired: option.kind === 'value' && option.fallback === undefined,
    values: option.values ?? [],
  }))
  const used = command.settings.map((name) => ({ name, setting: settings[name] as Setting<unknown> }))
  const settingFlags = used.flatMap(({ name, setting }) =>
    setting.flag === null ? [] : [describeSetting(name, setting.flag, setting)],
  )
  return {
    flags: [...options, ...settingFlags, JSON_FLAG],
    variables: [...used.map(({ setting }) => setting), ...(command.readsAllSettings ? providerSettings : [])]
      .filter(({ flag }) => flag === null)
      .map((setting) => ({
        names: [setting.env, getFileVariable(setting)].filter((name) => name !== null),
        help: setting.help,
      })),
  }
}

const describeSetting = (name: string, flag: string, setting: Setting<unknown>): FlagReference => ({
  name,
  flag,
  placeholder: setting.placeholder,
  help: `${setting.help} (${setting.env}, default ${setting.fallbackLabel ?? setting.fallback})`,
  isRequired: false,
  values: setting.values ?? [],
})

/** Loads and describes every command. */
export const describeCommands = (commands: readonly CommandEntry[]): Promise<CommandReference[]> =>
  Promise.all(
    commands.map(async ({ name, summary, load }) => ({ name, summary, ...describeCommand(await load()) })),
  )
