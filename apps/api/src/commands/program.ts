import { CommanderError, Command as Parser, Option as ParserOption } from 'commander'
import { type Environment, readSettings } from '../config.ts'
import { settings } from '../settings.ts'
import { VERSION } from '../version.ts'
import {
  type Command,
  type CommandNamed,
  flagOf,
  type LocalCommand,
  type Options,
  type Surroundings,
} from './command.ts'
import { type Failure, failureOf } from './failure.ts'
import { readInput } from './input.ts'
import { runOnInstance } from './on-instance.ts'
import { progressOn } from './progress.ts'
import { groups, type Listed, registry } from './registry.ts'

/** What the program says, and the code it exits with. */
export interface Outcome {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

const commandNamed: CommandNamed = async (name) => registry.find((listed) => listed.name === name)?.load()

/** Runs the program on its arguments. Never throws. */
export async function runProgram(args: readonly string[], env: Environment): Promise<Outcome> {
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : args
  const listed = commandIn(asked)
  const command = await listed?.load()
  const said: string[] = []
  let outcome: Outcome | null = null
  const parser = parserFor(listed, command, said, async (options) => {
    if (listed && command) outcome = await carryOut(listed.name, command, options, env)
  })
  try {
    await parser.parseAsync([...asked], { from: 'user' })
    return outcome ?? { exitCode: 0, out: '', err: '' }
  } catch (error) {
    // What help and version print is no failure.
    if (error instanceof CommanderError && error.exitCode === 0)
      return { exitCode: 0, out: said.join(''), err: '' }
    if (error instanceof CommanderError && error.code === 'commander.help')
      return { exitCode: 2, out: '', err: said.join('') }
    return told(failureOf(error, command?.options ?? {}), args.includes('--json'))
  }
}

/** The command that the arguments name. */
const commandIn = ([first, second]: readonly string[]): Listed | undefined =>
  registry.find(({ name }) => name === first || name === `${first} ${second}`)

const told = ({ exitCode, code, problems }: Failure, asJson: boolean): Outcome => ({
  exitCode,
  out: '',
  err: asJson
    ? `${JSON.stringify({ error: problems[0] ?? '', code, problems })}\n`
    : [...problems, ...(code === 'usage' ? ['See --help.'] : [])].map((line) => `${line}\n`).join(''),
})

async function carryOut(
  name: string,
  command: Command,
  given: Readonly<Record<string, unknown>>,
  env: Environment,
): Promise<Outcome> {
  const flags = Object.fromEntries(command.settings.map((setting) => [setting, given[setting]]))
  const run = runnerOf(name, command, { env, flags, commandNamed }, given.json === true)
  const result = await run(await readInput(command.options, given))
  const text = given.json === true ? JSON.stringify(result) : command.print(result as never)
  return { exitCode: command.exitCode?.(result as never) ?? 0, out: text === '' ? '' : `${text}\n`, err: '' }
}

/** How a command is run on its input. A wrong place of the data is told at once, before a password is asked for. */
function runnerOf(
  name: string,
  command: Command,
  surroundings: Omit<Surroundings, 'progress'>,
  isQuiet: boolean,
): (input: object) => Promise<object> {
  if (command.place === 'here') return (input) => runLocal(command, surroundings, input, isQuiet)
  const place = readSettings(['dataDir', 'databaseUrl'], surroundings.flags, surroundings.env)
  return (input) => runOnInstance(name, command, place, input)
}

/** Runs a command in this process; how far it is goes to standard error, where no program reads. */
async function runLocal(
  command: LocalCommand,
  surroundings: Omit<Surroundings, 'progress'>,
  input: object,
  isQuiet: boolean,
): Promise<object> {
  const progress = progressOn(process.stderr, isQuiet)
  try {
    return await command.run({ ...surroundings, progress }, input as never)
  } finally {
    progress.part('')
  }
}

/** The command line: every command by name, and the options of the one that is asked for. */
function parserFor(
  listed: Listed | undefined,
  command: Command | undefined,
  said: string[],
  act: (given: Readonly<Record<string, unknown>>) => Promise<void>,
): Parser {
  const top = new Parser('reeve')
    .description('The staff side of a game community: bans, records, departments, events, over JSON.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: (text) => said.push(text), writeErr: (text) => said.push(text) })
  const parents = new Map<string, Parser>()
  const parentOf = (group: string): Parser => {
    const known = parents.get(group)
    if (known) return known
    const made = top.command(group).description(groups[group] ?? '')
    parents.set(group, made)
    return made
  }
  for (const { name, summary } of registry) {
    const [first = '', second] = name.split(' ')
    const parent = second === undefined ? top : parentOf(first)
    const parser = parent.command(second ?? first).description(summary)
    if (listed?.name !== name || !command) continue
    addOptions(parser, command)
    parser.action(async () => act(parser.opts()))
  }
  return top
}

function addOptions(parser: Parser, command: Command): void {
  for (const [name, option] of Object.entries(command.options as Options)) {
    const flag = `--${flagOf(name, option)}${option.placeholder ? ` ${option.placeholder}` : ''}`
    const help =
      option.kind === 'value' && option.absent === undefined ? `${option.help} (required)` : option.help
    parser.addOption(named(new ParserOption(flag, help), name))
  }
  for (const name of command.settings) {
    const made = settings[name]
    if (made.flag === null) continue
    const fallback = made.shownFallback ?? made.fallback
    const help = `${made.help} (${made.env}, default ${fallback})`
    parser.addOption(named(new ParserOption(`--${made.flag} ${made.placeholder}`, help), name))
  }
  parser.addOption(new ParserOption('--json', 'print the result, or the error, as one line of JSON'))
  const secrets = command.settings
    .filter((name) => settings[name].flag === null)
    .map((name) => settings[name])
  if (secrets.length > 0) {
    const lines = secrets.map((made) => `  ${made.env}  ${made.help}`)
    parser.addHelpText('after', `\nBy environment alone:\n${lines.join('\n')}`)
  }
}

/** Gives an option the name of its field, whatever its flag. */
function named(option: ParserOption, name: string): ParserOption {
  option.attributeName = () => name
  return option
}
