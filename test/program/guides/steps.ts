import { expect } from 'bun:test'
import { type GuideBlock, listInlineCommands, parseBlocks } from '../../support/guide.ts'
import type { CommandResult, RunningServer } from '../../support/program.ts'
import type { Machine } from './machine.ts'

/** What a guide promises of a block: how it is executed, and what is true afterwards. */
export type Step =
  | {
      /** `sh`: commands that exit with status 0. */
      readonly kind: 'commands'
      /** What the guide takes for granted at this point. */
      readonly before?: () => Promise<void>
      readonly check: (results: readonly CommandResult[]) => Promise<void> | void
    }
  /** `sh`: a server in the foreground. It is stopped afterwards. */
  | { readonly kind: 'server'; readonly check: (server: RunningServer) => Promise<void> }
  /** `ini`: settings of the service, which is restarted with them. */
  | { readonly kind: 'settings'; readonly check: () => Promise<void> }

const LANGUAGES = { commands: 'sh', server: 'sh', settings: 'ini' } as const

async function executeBlock(machine: Machine, { code }: GuideBlock, step: Step): Promise<void> {
  if (step.kind === 'server') {
    const server = await machine.serve(code)
    try {
      await step.check(server)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  } else if (step.kind === 'settings') {
    machine.addSettings(code)
    await machine.run('systemctl restart reeve')
    await step.check()
  } else {
    await step.before?.()
    await step.check(await machine.runAll(code))
  }
}

/** Adds what was executed to an error. */
async function nameOnFailure(code: string, execution: Promise<void>): Promise<void> {
  try {
    await execution
  } catch (cause) {
    throw new Error(`The guide is wrong, or its test: ${code}`, { cause })
  }
}

/**
 * Executes every block of a guide in order and checks what the guide promises.
 * @param steps by heading, in the order of the blocks below it
 * @throws Error with the text of a block that has no step, or that fails
 */
export async function executeBlocks(
  machine: Machine,
  text: string,
  steps: Readonly<Record<string, readonly Step[]>>,
): Promise<void> {
  const pending = new Map(Object.entries(steps).map(([heading, list]) => [heading, [...list]]))
  for (const block of parseBlocks(text)) {
    const step = pending.get(block.heading)?.shift()
    if (!step || LANGUAGES[step.kind] !== block.language)
      throw new Error(`No test executes this block below "${block.heading}":\n${block.code}`)
    await nameOnFailure(block.code, executeBlock(machine, block, step))
  }
  const rest = [...pending].filter(([, list]) => list.length > 0)
  expect(rest.map(([heading]) => heading)).toEqual([])
}

/** First words of commands within sentences. */
const PROGRAMS = [
  ...[
    'apk',
    'apt-get',
    'bun',
    'chmod',
    'createdb',
    'createuser',
    'curl',
    'docker',
    'install',
    'kubectl',
    'nginx',
    'pg_dump',
    'promtool',
  ],
  ...[
    'psql',
    'reeve',
    'rsync',
    'sha256sum',
    'shasum',
    'sudo',
    'systemctl',
    'systemd-run',
    'tar',
    'timedatectl',
    'ulimit',
    'useradd',
  ],
  ...['usermod', 'xattr'],
]

/** What a guide promises of a command within a sentence or a table: executes the command and checks its effect. */
export type InlineChecks = Readonly<Record<string, (command: string) => Promise<void>>>

/**
 * Checks every command within the sentences and tables of a guide.
 * @param checks by command
 * @throws Error with a command that has no check, or that fails
 */
export async function executeInlineCommands(text: string, checks: InlineChecks): Promise<void> {
  const commands = listInlineCommands(text, PROGRAMS)
  for (const command of commands) {
    const check = checks[command]
    if (!check) throw new Error(`No test executes the command ${command}`)
    await nameOnFailure(command, check(command))
  }
  expect(Object.keys(checks).filter((command) => !commands.includes(command))).toEqual([])
}
