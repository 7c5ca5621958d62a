import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seed } from '../bench/seed.ts'
import { PROGRAM, runReeve } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

/** So many that an export is interrupted in the middle of them. */
const RECORDS = 20_000

let folder: TemporaryFolder
let workspace: string

beforeAll(async () => {
  folder = temporaryFolder()
  const seeded = await seed(folder.data, { workspaces: 1, records: RECORDS, eventsEach: 0 }, () => {})
  workspace = readFileSync(seeded.callers, 'utf8').split(' ')[0] ?? ''
})
afterAll(() => folder.remove())

/** Ends an export with a signal as soon as it has created a file. */
async function interruptExport(to: string, into: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const child = Bun.spawn([...PROGRAM, 'export', '--workspace', workspace, '--to', to], {
    env: { ...process.env, REEVE_DATA_DIR: folder.data },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  while (readdirSync(into).length === 0 && child.exitCode === null) await Bun.sleep(0)
  child.kill(signal)
  expect(await child.exited).not.toBe(0)
}

test('an export that is interrupted leaves no file that passes for a complete one, and can be repeated', async () => {
  const into = join(folder.path, 'exports')
  mkdirSync(into)
  const to = join(into, 'records.jsonl')
  await interruptExport(to, into, 'SIGTERM')
  expect(readdirSync(into)).toEqual([])
  await interruptExport(to, into, 'SIGKILL')
  expect(existsSync(to)).toBe(false)
  const { exitCode, out } = await runReeve(['export', '--workspace', workspace, '--to', to], {
    dataDir: folder.data,
  })
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: `Exported ${RECORDS} records to ${to}.\n` })
  expect(readdirSync(into)).toEqual(['records.jsonl'])
  expect(readFileSync(to, 'utf8').trimEnd().split('\n')).toHaveLength(RECORDS)
})
