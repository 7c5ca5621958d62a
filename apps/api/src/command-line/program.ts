import { CommanderError, Command as Parser, Option as ParserOption } from 'commander'
import { internalCommands } from '../commands/internal-commands.ts'
import { groups, registry } from '../commands/registry.ts'
import { type Environment, readSettings } from '../config.ts'
import { describeBuild } from '../version.ts'
import type { Command, CommandContext, CommandEntry, FindCommand, LocalCommand } from './command.ts'
import { type Failure, toFailure } from './failure.ts'
import { readInput } from './input.ts'
import { createProgress } from './progress.ts'
import { describeCommand } from './reference.ts'
import { instanceSettings, runInstanceCommand } from './run-instance-command.ts'

/** The output of the program and its exit status. */
export interface Outcome {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

const findCommand: FindCommand = async (name) =>
  [...registry, ...internalCommands].find((entry) => entry.name === name)?.load()

/** Runs the program on its arguments. Never throws. */
export async function runProgram(args: readonly string[], env: Environment): Promise<Outcome> {
  const argv = args[0] === 'help' ? [...args.slice(1), '--help'] : args
  const entry = findEntry(argv)
  const command = await entry?.load()
  const output: string[] = []
  let outcome: Outcome | null = null
  const parser = createParser(entry, command, output, async (options) => {
    if (entry && command) outcome = await executeCommand(entry.name, command, options, env)
  })
  try {
    await parser.parseAsync([...argv], { from: 'user' })
    return outcome ?? { exitCode: 0, out: '', err: '' }
  } catch (error) {
    // commander throws for --help and --version, too.
    if (error instanceof CommanderError && error.exitCode === 0)
      return { exitCode: 0, out: output.join(''), err: '' }
    if (error instanceof CommanderError && error.code === 'commander.help')
      return { exitCode: 2, out: '', err: output.join('') }
    return formatFailure(toFailure(error, command?.options ?? {}), args.includes('--json'))
  }
}

/** Finds the command by its first one or two arguments: `backup list` is a command, and so is `backup`. */
const findEntry = ([first, second]: readonly string[]): CommandEntry | undefined =>
  registry.find(({ name }) => name === `${first} ${second}`) ?? registry.find(({ name }) => name === first)

const formatFailure = ({ exitCode, code, problems }: Failure, asJson: boolean): Outcome => ({
  exitCode,
  out: '',
  err: asJson
    ? `${JSON.stringify({ error: problems[0] ?? '', code, problems })}\n`
    : [...problems, ...(code === 'usage' ? ['See --help.'] : [])].map((line) => `${line}\n`).join(''),
})

async function executeCommand(
  name: string,
  command: Command,
  rawOptions: Readonly<Record<string, unknown>>,
  env: Environment,
): Promise<Outcome> {
  const flags = Object.fromEntries(command.settings.map((setting) => [setting, rawOptions[setting]]))
  const run = createRunner(
    name,
    command,
    { env, flags, findCommand, commands: registry, groups },
    rawOptions.json === true,
  )
  const result = await run(await readInput(command.options, rawOptions))
  const text = rawOptions.json === true ? JSON.stringify(result) : command.print(result as never)
  return { exitCode: command.exitCode?.(result as never) ?? 0, out: text === '' ? '' : `${text}\n`, err: '' }
}

/** Returns a function that runs the command. Reads the data location first, so that an invalid one is reported before a password prompt. */
function createRunner(
  name: string,
  command: Command,
  context: Omit<CommandContext, 'progress'>,
  isQuiet: boolean,
): (input: object) => Promise<object> {
  if (command.target === 'local') return (input) => runLocal(command, context, input, isQuiet)
  const config = readSettings(instanceSettings, context.flags, context.env)
  return (input) => runInstanceCommand(name, command, config, input)
}

/** Runs a command in this process. Progress goes to standard error, so that standard output contains only the result. */
async function runLocal(
  command: LocalCommand,
  context: Omit<CommandContext, 'progress'>,
  input: object,
  isQuiet: boolean,
): Promise<object> {
  const progress = createProgress(process.stderr, isQuiet)
  try {
    return await command.run({ ...context, progress }, input as never)
  } finally {
    progress.update('')
  }
}

/** The command line: the names of all commands, and the options of the selected one. */
function createParser(
  entry: CommandEntry | undefined,
  command: Command | undefined,
  output: string[],
  onAction: (rawOptions: Readonly<Record<string, unknown>>) => Promise<void>,
): Parser {
  const root = new Parser('reeve')
    .description(
      'Self-hosted moderation service for game communities: records, bans, departments and events.',
    )
    .version(describeBuild(), '--version', 'print the version, commit and build time')
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.push(text), writeErr: (text) => output.push(text) })
  const parents = new Map<string, Parser>()
  const getParent = (group: string): Parser => {
    const existing = parents.get(group)
    if (existing) return existing
    const created = root.command(group).description(groups[group] ?? '')
    parents.set(group, created)
    return created
  }
  for (const { name, summary } of registry) {
    const [first = '', second] = name.split(' ')
    const parent = second === undefined ? root : getParent(first)
    const parser = parent.command(second ?? first).description(summary)
    if (second === undefined) parents.set(first, parser)
    if (entry?.name !== name || !command) continue
    addOptions(parser, command)
    const argument = Object.entries(command.options).find(([, option]) => option.isArgument)
    if (argument) parser.argument(`[${argument[1].placeholder.replace(/[<>]/g, '')}]`, argument[1].help)
    parser.action(async () =>
      onAction({ ...(argument && { [argument[0]]: parser.args[0] }), ...parser.opts() }),
    )
  }
  return root
}

function addOptions(parser: Parser, command: Command): void {
  const { flags, variables } = describeCommand(command)
  for (const { name, flag, placeholder, help, isRequired } of flags) {
    const usage = `--${flag}${placeholder ? ` ${placeholder}` : ''}`
    const description = isRequired ? `${help} (required)` : help
    parser.addOption(withAttributeName(new ParserOption(usage, description), name))
  }
  if (variables.length > 0) {
    const lines = variables.map(({ names, help }) => `  ${names.join(' or ')}  ${help}`)
    parser.addHelpText('after', `\nEnvironment variables without a flag:\n${lines.join('\n')}`)
  }
}

/** Stores an option under the name of its field, which can differ from its flag. */
function withAttributeName(option: ParserOption, name: string): ParserOption {
  option.attributeName = () => name
  return option
}
