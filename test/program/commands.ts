import { expect } from 'bun:test'
import type { TemporaryFolder } from '../support/folder.ts'
import { type Ended, reeve } from '../support/program.ts'

/** The arguments that set an instance up; the password of its operator comes on standard input. */
export const INIT = [
  ...['init', '--username', 'robin', '--password-stdin'],
  ...['--group-name', 'Night Owls', '--key-name', 'k'],
]

/** Runs a command on the instance in a folder, to its end. */
export const runIn = ({ data }: TemporaryFolder, args: readonly string[], stdin = ''): Promise<Ended> =>
  reeve(args, { dataDir: data, stdin })

/** What every command prints with `--json`. */
export const jsonOf = <T>({ out, err, exitCode }: Ended): T => {
  expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 })
  expect(out).toEndWith('\n')
  expect(out.trimEnd()).not.toContain('\n')
  return JSON.parse(out) as T
}
