import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { wire } from '@reeve/core'
import { toSentence } from '../format.ts'
import { type Options, toFlag } from './command.ts'

/** Invalid usage of a command: one sentence per problem. */
export class UsageError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'UsageError'
    this.problems = problems
  }
}

/** Unparsed options: strings, or true for a flag without a value. */
export type RawOptions = Readonly<Record<string, unknown>>

/**
 * Reads the options of a command. Prompts for secrets only after all other options have proved valid.
 * @throws UsageError with every problem
 */
export async function readInput(options: Options, rawOptions: RawOptions): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, option] of Object.entries(options)) {
    if (option.kind === 'secret') continue
    const value = rawOptions[name]
    if (value === undefined) {
      if (option.fallback === undefined) problems.push(`--${toFlag(name, option)} is required.`)
      else input[name] = option.fallback
      continue
    }
    try {
      input[name] = option.read(String(value))
    } catch (error) {
      if (!(error instanceof wire.WireError)) throw error
      problems.push(toSentence(`--${toFlag(name, option)} ${error.message}`))
    }
  }
  if (problems.length > 0) throw new UsageError(problems)
  for (const [name, option] of Object.entries(options)) {
    if (option.kind === 'secret') input[name] = await readSecret(name, rawOptions[name] === true)
  }
  return input
}

/** Reads a secret from standard input, or prompts for it twice without echo. */
async function readSecret(name: string, isPiped: boolean): Promise<string> {
  if (isPiped) return (await Bun.stdin.text()).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) {
    throw new UsageError([`Pass the ${name} on standard input with --${name}-stdin.`])
  }
  const [first, second] = await promptHidden(`Enter ${name}: `, `Confirm ${name}: `)
  if (first !== second) throw new UsageError([`The two entries of the ${name} do not match.`])
  return first
}

/** Prompts twice on the terminal. Input is never echoed, not even what is typed ahead of the second prompt. */
async function promptHidden(...questions: [string, string]): Promise<[string, string]> {
  const nullOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  // readline puts the terminal into raw mode, which turns echo off. The prompts are written after that.
  const terminal = createInterface({ input: process.stdin, output: nullOutput, terminal: true })
  const lines = terminal[Symbol.asyncIterator]()
  const interrupted = new Promise<never>((_, reject) => {
    terminal.once('SIGINT', () => reject(new UsageError(['Canceled. Nothing was changed.'])))
  })
  const prompt = async (question: string): Promise<string> => {
    process.stderr.write(question)
    try {
      const { value } = await Promise.race([lines.next(), interrupted])
      return String(value ?? '')
    } finally {
      process.stderr.write('\n')
    }
  }
  try {
    return [await prompt(questions[0]), await prompt(questions[1])]
  } finally {
    terminal.close()
  }
}
