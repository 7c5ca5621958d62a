import {
  type Actor,
  createSystemActor,
  MAX_LIMIT,
  OWNER_RANK,
  type Ports,
  permissions,
  wire,
} from '@reeve/core'
import type { Database } from '@reeve/db'
import type { StorageGuard } from '@reeve/metering'
import type { Environment, Flags } from '../config.ts'
import { readPath } from '../setting-values.ts'
import type { SettingName } from '../settings.ts'

/** One option of a command. */
export interface Option<T> {
  /** The value of a `secret` is never a flag: it is read from standard input or prompted for. */
  readonly kind: 'value' | 'switch' | 'secret'
  readonly placeholder: string
  readonly help: string
  /** Whether it can also be the first argument, without its flag. */
  readonly isArgument?: true
  /** The accepted values, if they are a fixed list. */
  readonly values?: readonly string[] | undefined
  /** The value of an absent option; undefined if it is required. */
  readonly fallback: T | undefined
  /** @throws WireError whose message follows the option's name: "must be …" */
  readonly read: (text: string) => T
}

/** Options by the name of their field; the flag is that name in kebab-case. */
export type Options = Readonly<Record<string, Option<unknown>>>

export type CommandInput<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never
}

type Reader<T> = Pick<wire.Codec<T>, 'read' | 'values'>

/** A required option. */
export const required = <T>(placeholder: string, help: string, { read, values }: Reader<T>): Option<T> => ({
  kind: 'value',
  values,
  placeholder,
  help,
  fallback: undefined,
  read,
})

/** An optional option: null if absent. */
export const optional = <T>(
  placeholder: string,
  help: string,
  { read, values }: Reader<T>,
): Option<T | null> => ({
  kind: 'value',
  values,
  placeholder,
  help,
  fallback: null,
  read,
})

/** A required option that can also be given without its flag. */
export const argument = <T>(placeholder: string, help: string, reader: Reader<T>): Option<T> => ({
  ...required(placeholder, help, reader),
  isArgument: true,
})

/** A boolean flag. */
export const switchOption = (help: string): Option<boolean> => ({
  kind: 'switch',
  placeholder: '',
  help,
  fallback: false,
  read: () => true,
})

/** A secret, read from standard input or prompted for. */
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

/** An instance that this process has opened. */
export interface Instance {
  readonly db: Database
  readonly ports: Ports
  /** The migrations that opening it for this command applied. */
  readonly applied: readonly string[]
  /** Where browsers reach the instance. */
  readonly publicUrl: URL
  /** Enforces the storage quotas. */
  readonly storage: StorageGuard
  /** Aborted at the shutdown of the server that runs the command. What goes on by itself then is not waited for. */
  readonly shutdownSignal: AbortSignal
}

/** What a local command receives in addition to its input. */
export interface CommandContext {
  readonly env: Environment
  /** Settings given as flags. */
  readonly flags: Flags
  readonly findCommand: FindCommand
  /** Every command, in the order shown in the help. */
  readonly commands: readonly CommandEntry[]
  /** Command groups, with the description shown in their help. */
  readonly groups: Readonly<Record<string, string>>
  readonly progress: Progress
}

/** Where a command reports its progress. */
export interface Progress {
  /** Starts a step: prints a permanent line. */
  readonly step: (text: string) => void
  /** Reports progress within the step: a line that the next one overwrites. */
  readonly update: (text: string) => void
}

/** A command that is loaded on demand: a command does not pay for the imports of the others. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Finds a command by name. The control socket uses it to run commands of other processes. */
export type FindCommand = (name: string) => Promise<Command | undefined>

interface CommandDefinition {
  readonly options: Options
  /** The settings it takes as flags. */
  readonly settings: readonly SettingName[]
  /** Whether it also reads the settings of identity providers, whose variables are not in the table of settings. */
  readonly readsAllSettings?: boolean
  /** Formats the result for output without `--json`. */
  readonly print: (result: never) => string
  /** The exit code of a result; 0 by default. */
  readonly exitCode?: (result: never) => number
}

/** A command on an instance: runs in the process that has locked the data folder; on a database server, in this process. */
export interface InstanceCommand extends CommandDefinition {
  readonly target: 'instance'
  /** Whether it creates an instance if none exists. */
  readonly createsInstance: boolean
  readonly run: (instance: Instance, input: never) => Promise<object>
}

/** A command that always runs in this process, whether or not a server is running. */
export interface LocalCommand extends CommandDefinition {
  readonly target: 'local'
  readonly run: (context: CommandContext, input: never) => Promise<object>
}

export type Command = InstanceCommand | LocalCommand

/** Declares a command on an instance. Input and result must be JSON: they may pass through the control socket. */
export const instanceCommand = <const O extends Options, R extends object>(definition: {
  options: O
  /** Settings besides those of where the instance is. */
  settings?: readonly SettingName[]
  createsInstance?: boolean
  run: (instance: Instance, input: CommandInput<O>) => Promise<R>
  print: (result: R) => string
  exitCode?: (result: R) => number
}): InstanceCommand => ({
  target: 'instance',
  createsInstance: false,
  ...definition,
  settings: ['dataDir', 'databaseUrl', 'secretKey', ...(definition.settings ?? [])],
})

/** Declares a command that needs no instance, or opens it without locking. */
export const localCommand = <const O extends Options, R extends object>(definition: {
  options: O
  settings: readonly SettingName[]
  readsAllSettings?: boolean
  run: (context: CommandContext, input: CommandInput<O>) => Promise<R>
  print: (result: R) => string
  exitCode?: (result: R) => number
}): LocalCommand => ({ target: 'local', ...definition })

/** What to do if a folder contains no instance. */
export const NO_INSTANCE_ADVICE =
  'Run `reeve init` to create one, or set --data-dir or REEVE_DATA_DIR to another folder.'

/** The error for a command that needs a data folder when the data is in PostgreSQL. */
export const databaseServerMessage = (tool: string): string =>
  `The data of this instance is in PostgreSQL (REEVE_DATABASE_URL is set). Use a PostgreSQL tool, ${tool}.`

/** The error for a folder that contains no instance. */
export const noInstanceMessage = (folder: string): string =>
  `There is no instance in ${folder}. ${NO_INSTANCE_ADVICE}`

/** Anyone who can run commands on the data folder has every permission. The audit log shows that the change came from a shell. */
export const cliActor = (ports: Pick<Ports, 'newId'>, workspaceId = ''): Actor => ({
  ...createSystemActor(workspaceId, 'command line'),
  permissions: new Set(permissions),
  rank: OWNER_RANK,
  isOperator: true,
  requestId: ports.newId(),
})

/** Formats a table with aligned columns. */
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

/** Reads all pages of a list. @param load reads one page; without a cursor the first */
export async function readAllPages<Page extends { readonly nextCursor: string | null }, Item>(
  load: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page>,
  getItems: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await load({ limit: MAX_LIMIT, ...(cursor === '' ? {} : { cursor }) })
    items.push(...getItems(page))
    cursor = page.nextCursor
  }
  return items
}

/** A text as it was entered. */
export const textCodec = { read: (text: string): string => text }

/** A path, absolute from here on. */
export const pathCodec = { read: readPath }

/** A name, parsed as in the API. */
export const nameCodec = wire.name({ min: 1, max: 100 })
