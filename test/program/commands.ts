import { expect } from 'bun:test'
import { type CommandResult, runReeve } from '../support/program.ts'
import type { TemporaryFolder } from '../support/temporary-folder.ts'

/** The arguments that initialize an instance; the operator's password is read from standard input. */
export const INIT_ARGS = [
  ...['init', '--username', 'robin', '--password-stdin'],
  ...['--group-name', 'Night Owls', '--key-name', 'k'],
]

/** Runs a command on the instance in a folder. */
export const runInFolder = (
  { data }: TemporaryFolder,
  args: readonly string[],
  stdin = '',
): Promise<CommandResult> => runReeve(args, { dataDir: data, stdin })

/** Parses the output of a command with `--json`. */
export const parseJsonOutput = <T>({ out, err, exitCode }: CommandResult): T => {
  expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 })
  expect(out).toEndWith('\n')
  expect(out.trimEnd()).not.toContain('\n')
  return JSON.parse(out) as T
}
