import { type Actor, anonymousActor, OWNER_RANK, type Ports, permissions, wire } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { Environment, Flags } from '../config.ts'
import type { SettingName } from '../settings.ts'

/** One option of a command. */
export interface Option<T> {
  /** `secret` is never a flag: it comes on standard input, or is asked for. */
  readonly kind: 'value' | 'switch' | 'secret'
  readonly placeholder: string
  readonly help: string
  /** What an absent one means; undefined where it is required. */
  readonly fallback: T | undefined
  /** @throws WireError in words that follow the option's name: "must be …" */
  readonly read: (text: string) => T
}

/** Options by the name of their field; the flag is that name in kebab-case. */
export type Options = Readonly<Record<string, Option<unknown>>>

export type CommandInput<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never
}

type Reader<T> = Pick<wire.Codec<T>, 'read'>

/** An option that must be given. */
export const required = <T>(placeholder: string, help: string, { read }: Reader<T>): Option<T> => ({
  kind: 'value',
  placeholder,
  help,
  fallback: undefined,
  read,
})

/** An option that may be left out: null then. */
export const optional = <T>(placeholder: string, help: string, { read }: Reader<T>): Option<T | null> => ({
  kind: 'value',
  placeholder,
  help,
  fallback: null,
  read,
})

/** An option that is there or is not. */
export const switchOption = (help: string): Option<boolean> => ({
  kind: 'switch',
  placeholder: '',
  help,
  fallback: false,
  read: () => true,
})

/** A secret. */
export const secret = (help: string): Option<string> => ({
  kind: 'secret',
  placeholder: '',
  help,
  fallback: undefined,
  read: (text) => text,
})

/** The flag of an option, without the dashes. */
export function toFlag(name: string, option: Option<unknown>): string {
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return option.kind === 'secret' ? `${kebab}-stdin` : kebab
}

/** What a command works on: an instance that this process holds. */
export interface Instance {
  readonly db: Database
  readonly ports: Ports
  /** The migrations that were applied when it was opened for this command. */
  readonly applied: readonly string[]
}

/** What a command that needs no instance has beside its input. */
export interface CommandContext {
  readonly env: Environment
  /** Settings given as flags. */
  readonly flags: Flags
  readonly findCommand: FindCommand
  readonly progress: Progress
}

/** Where a command tells how far it is. */
export interface Progress {
  /** Begins a step: a line that stays. */
  readonly step: (text: string) => void
  /** How far the step is, for those who watch: a line that the next one takes the place of. */
  readonly update: (text: string) => void
}

/** Finds a command of the registry; given to those who run one that another process asks for. */
export type FindCommand = (name: string) => Promise<Command | undefined>

interface CommandDefinition {
  readonly options: Options
  /** The settings it takes as flags. */
  readonly settings: readonly SettingName[]
  /** How the result reads without `--json`. */
  readonly print: (result: never) => string
  /** The exit code of a result; 0 by default. */
  readonly exitCode?: (result: never) => number
}

/** A command on an instance: runs in the process that holds the data folder, this one or another; in this one on a server. */
export interface InstanceCommand extends CommandDefinition {
  readonly target: 'instance'
  /** Whether it makes the instance where there is none. */
  readonly createsInstance: boolean
  readonly run: (instance: Instance, input: never) => Promise<object>
}

/** A command that runs in this process, whoever holds the data folder. */
export interface LocalCommand extends CommandDefinition {
  readonly target: 'here'
  readonly run: (context: CommandContext, input: never) => Promise<object>
}

export type Command = InstanceCommand | LocalCommand

/** Declares a command on an instance. Input and result are plain data: they may go to another process and back. */
export const instanceCommand = <const O extends Options, R extends object>(definition: {
  options: O
  createsInstance?: boolean
  run: (instance: Instance, input: CommandInput<O>) => Promise<R>
  print: (result: R) => string
}): InstanceCommand => ({
  target: 'instance',
  settings: ['dataDir', 'databaseUrl'],
  createsInstance: false,
  ...definition,
})

/** Declares a command that needs no instance, or only looks at one. */
export const localCommand = <const O extends Options, R extends object>(definition: {
  options: O
  settings: readonly SettingName[]
  run: (context: CommandContext, input: CommandInput<O>) => Promise<R>
  print: (result: R) => string
  exitCode?: (result: R) => number
}): LocalCommand => ({ target: 'here', ...definition })

/** What to do where a folder holds no instance. */
export const NO_INSTANCE_ADVICE = '`reeve init` makes one; --data-dir or REEVE_DATA_DIR names another folder.'

/** What is said where a command is about a data folder, and the data lies elsewhere. */
export const databaseServerMessage = (tool: string): string =>
  `The data of this instance lies on a database server (REEVE_DATABASE_URL is set): use the tools of the server, ${tool}.`

/** What is said where a folder holds no instance. */
export const noInstanceMessage = (folder: string): string =>
  `There is no instance in ${folder}. ${NO_INSTANCE_ADVICE}`

/** Whoever may run commands on the data folder may do anything; the log shows that it was done from a shell. */
export const cliActor = (ports: Ports, workspaceId = ''): Actor => ({
  ...anonymousActor,
  id: 'reeve',
  name: 'reeve (command line)',
  workspaceId,
  permissions: new Set(permissions),
  rank: OWNER_RANK,
  isOperator: true,
  requestId: ports.newId(),
})

/** Columns side by side, as wide as they need to be. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows]
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A name in one line, as the interface reads names. */
export const nameCodec = wire.text({ min: 1, max: 100 })
