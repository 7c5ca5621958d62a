import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBlocks, splitCommands } from '../../support/guide.ts'
import { ROOT, runReeve } from '../../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from '../commands.ts'

const guide = await Bun.file(join(ROOT, 'docs/import.md')).text()

let folder: TemporaryFolder
let workspace: string
/** Another instance, whose workspace an export is imported into. */
let other: { readonly folder: TemporaryFolder; readonly workspace: string }

beforeAll(async () => {
  folder = temporaryFolder()
  const create = async (target: TemporaryFolder) => {
    const created = await runInFolder(target, [...INIT_ARGS, '--json'], 'a long enough secret')
    return parseJsonOutput<{ workspaceId: string }>(created).workspaceId
  }
  workspace = await create(folder)
  const otherFolder = temporaryFolder()
  other = { folder: otherFolder, workspace: await create(otherFolder) }
  for (const file of ['litebans.sql', 'bans.csv'])
    cpSync(join(ROOT, 'test/import', file), join(folder.path, file))
}, 60_000)
afterAll(() => {
  folder.remove()
  other.folder.remove()
})

const readLines = (file: string): string[] =>
  readFileSync(join(folder.path, file), 'utf8').trimEnd().split('\n')

test('the commands of the guide print what it says, in their order', async () => {
  const printed: string[] = []
  for (const command of parseBlocks(guide).flatMap(({ code }) => splitCommands(code))) {
    const isOther = command.includes('"$OTHER_WORKSPACE"')
    const args = command
      .replace('"$WORKSPACE"', workspace)
      .replace('"$OTHER_WORKSPACE"', other.workspace)
      .split(' ')
      .slice(1)
    const dataDir = isOther ? other.folder.data : folder.data
    const { out, err } = await runReeve(args, { dataDir, cwd: folder.path })
    expect(err).toBe('')
    printed.push(out.split('\n', 1)[0] ?? '')
  }
  expect(printed).toEqual([
    expect.stringContaining('Dry run of litebans.sql, nothing was changed: 6 created'),
    expect.stringContaining('Import of litebans.sql: 6 created, 0 imported before'),
    expect.stringContaining('Import of litebans.sql: 4 created, 0 imported before, 0 skipped, 2 merged'),
    expect.stringContaining('Import of bans.csv: 2 created'),
    `Exported 14 records to ${join(folder.path, 'records.jsonl')}.`,
    `Exported 14 records to ${join(folder.path, 'records.csv')}.`,
    expect.stringContaining('Import of records.jsonl: 14 created, 0 imported before'),
    `Exported everything that is stored about minecraft:069a79f444e94726a5befca90e38aaf5 to ${join(folder.path, 'player.json')}.`,
  ])
  const records = readLines('records.jsonl').map((line) => JSON.parse(line))
  expect(records.map(({ caseNumber }) => caseNumber)).toEqual(
    Array.from({ length: 14 }, (_, i) => String(i + 1)),
  )
  expect(readLines('records.csv')).toHaveLength(15 + 2)
  const userId = 'minecraft:069a79f444e94726a5befca90e38aaf5'
  const player = JSON.parse(readLines('player.json').join('\n'))
  expect(player).toMatchObject({ userId, appeals: [], pinnedNotes: [], links: [], linkedAccounts: [] })
  expect(player.records.map((record: { userId: string }) => record.userId)).toEqual(Array(4).fill(userId))
}, 60_000)
