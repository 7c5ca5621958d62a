import { expect } from 'bun:test'
import { type CommandResult, runReeve } from '../support/program.ts'
import type { TemporaryFolder } from '../support/temporary-folder.ts'

/** The arguments that set an instance up; the password of its operator comes on standard input. */
export const INIT_ARGS = [
  ...['init', '--username', 'robin', '--password-stdin'],
  ...['--group-name', 'Night Owls', '--key-name', 'k'],
]

/** Runs a command on the instance in a folder, to its end. */
export const runInFolder = (
  { data }: TemporaryFolder,
  args: readonly string[],
  stdin = '',
): Promise<CommandResult> => runReeve(args, { dataDir: data, stdin })

/** What every command prints with `--json`. */
export const parseJsonOutput = <T>({ out, err, exitCode }: CommandResult): T => {
  expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 })
  expect(out).toEndWith('\n')
  expect(out.trimEnd()).not.toContain('\n')
  return JSON.parse(out) as T
}
