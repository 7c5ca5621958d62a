import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

let folder: TemporaryFolder
let workspace: string
let key: string

beforeAll(async () => {
  folder = temporaryFolder()
  const created = parseJsonOutput<{ workspaceId: string; apiKey: string }>(
    await runInFolder(folder, [...INIT_ARGS, '--json'], 'a long enough secret'),
  )
  workspace = created.workspaceId
  key = created.apiKey
}, 60_000)
afterAll(() => folder.remove())

async function exportPlayer(name: string, ...args: string[]): Promise<string> {
  const to = join(folder.path, name)
  const { err, exitCode } = await runInFolder(folder, [
    ...['export', '--workspace', workspace, '--player', '156', '--to', to, ...args],
  ])
  expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 })
  return readFileSync(to, 'utf8')
}

test('the export of a player next to a running server has everything that is stored about them, and nothing about others', async () => {
  const server = await startServer({ dataDir: folder.data })
  try {
    const post = async (path: string, body: object) => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ workspaceId: workspace, ...body }),
      })
      const text = await response.text()
      expect(response.status, text).toBe(200)
      return JSON.parse(text)
    }
    const moderate = (body: object) => post('/api/moderation', { reason: 'Exploiting', ...body })
    const { record } = await moderate({ action: 'ban', userId: '156', userUsername: 'Thistledown' })
    await moderate({ action: 'edit', id: record.id, reason: 'Edited' })
    await moderate({ action: 'ban', userId: '261', reason: 'Of another' })
    await post('/api/appeals', { code: record.appealCode, message: 'It was my brother.' })
    await post('/api/moderation/links', {
      userId: '156',
      linkedUserId: '157',
      confidence: 'high',
      reason: 'Same device',
    })
    const text = await exportPlayer('player.json')
    expect(JSON.parse(text)).toMatchObject({
      userId: '156',
      workspaceId: workspace,
      records: [{ id: record.id, reason: 'Edited', versions: [{ reason: 'Exploiting' }] }],
      appeals: [{ recordId: record.id, messages: [{ author: 'player', text: 'It was my brother.' }] }],
      pinnedNotes: [],
      links: [{ reason: 'Same device' }],
      names: ['Thistledown'],
      linkedAccounts: [],
    })
    expect(text).not.toContain('Of another')
    // Only the records, for another program.
    const lines = (await exportPlayer('player.jsonl', '--format', 'jsonl')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([record.id])
    const csv = await exportPlayer('player.csv', '--format', 'csv')
    expect(csv).toContain('Thistledown')
    // As the file of the portal: spreadsheets detect UTF-8 by it.
    expect(csv).toStartWith('\u{feff}caseNumber,')
    // An import finds the first column nevertheless.
    const columns = 'sourceId=caseNumber,userId=userId,occurredAt=createdAt'
    const { out } = await runInFolder(folder, [
      ...['import', '--workspace', workspace, '--format', 'csv', '--columns', columns, '--dry-run'],
      join(folder.path, 'player.csv'),
    ])
    expect(out).toContain('skipped: ban 156, 1\n')
  } finally {
    await server.stop()
  }
}, 120_000)

test('a database of a newer version is neither exported nor verified, because something could be missing', async () => {
  const engine = new Database(join(folder.data, 'reeve.db'))
  engine.run("insert into migration (name, applied_at) values ('9999-later', 0)")
  engine.close()
  const to = join(folder.path, 'newer.jsonl')
  for (const command of [
    ['export', '--workspace', workspace, '--to', to],
    ['audit', 'export', '--workspace', workspace, '--to', to],
    ['audit', 'verify'],
  ])
    expect({ command, ...(await runInFolder(folder, command)) }).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('newer Reeve (it has 9999-later)'),
    })
  expect(existsSync(to)).toBe(false)
})
