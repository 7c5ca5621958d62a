import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { appendAuditEntry } from '@reeve/audit'
import { createAccount, hashPassword } from '@reeve/auth'
import { type Actor, anonymousActor, MAX_IMAGE_BYTES } from '@reeve/core'
import {
  addPlayerName,
  type Database,
  insertAll,
  migrations,
  openDataFolder,
  type RecordTable,
  statement,
} from '@reeve/db'
import { createPlayerName } from '../bench/player-names.ts'
import { createWarningRow } from '../bench/record-rows.ts'
import { seededRandom } from '../bench/seeded-random.ts'
import { populate, ports, type WorkspaceCredentials } from '../faults/support/populate.ts'
import { LOAD_SERVER_ENV } from '../faults/support/server-settings.ts'
import { insertDeskRows } from '../support/desk-rows.ts'
import { createRandomPng, dataUrl } from '../support/images.ts'
import { PASSWORD } from '../support/instance.ts'
import { BINARY, startServer } from '../support/program.ts'
import type { Dataset } from './scenario.ts'
import { sendOk } from './support/requests.ts'

const SEED = 20_260_301
const START = Date.UTC(2026, 0, 1)
const FULL_RECORDS = 1_000_000
/** Images of the maximum size that make 1 GB. */
const FULL_IMAGES = 500
const BANNED_PLAYERS = 2000
/** Workspaces with an owner each: enough for 1,000 live streams with eight per session. */
const WORKSPACES = 128
/** A tenth of the records are about one player, each with another name, up to this number of names. */
const NAMES_OF_ONE_PLAYER = 12_000
/** Rows of the desk of the large workspace: as many as it can have, or more where nothing limits them. */
const FULL_DESK_ROWS = {
  rule_version: 20_000,
  approval: 10_000,
  assignment: 10_000,
  pinned_note: 10_000,
  player_link: 20_000,
}
const ROWS_PER_UNIT = 500
/** Increased when the data change, so that those in a cache are created again. */
const DATA_VERSION = 2
const PROGRESS_INTERVAL = 100_000

export const FIRST_PLAYER = 1_000_000

const insertRecord = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))
const setCaseNumber = statement<{ workspaceId: string; caseNumber: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set({ case_number: p.caseNumber })
    .where('workspace_id', '=', p.workspaceId),
)

type CreateRow = (index: number) => RecordTable

/** Inserts records with their audit entries and names. This is several times as fast as the API. */
async function insertRecords(
  db: Database,
  { workspaceId }: WorkspaceCredentials,
  count: number,
  createRow: CreateRow,
  log: (line: string) => void,
): Promise<void> {
  const actor: Actor = { ...anonymousActor, workspaceId }
  for (let start = 0; start < count; start += ROWS_PER_UNIT) {
    await db.write(async (tx) => {
      for (let index = start; index < Math.min(start + ROWS_PER_UNIT, count); index++) {
        const row = createRow(index)
        const { user_id: userId, user_username: name } = row
        const sequence = await appendAuditEntry(tx, ports, actor, {
          action: `moderation.${row.action}`,
          target: { kind: 'record', id: row.id },
          after: { id: row.id, action: row.action, userId, userUsername: name, reason: row.reason },
        })
        await tx.run(insertRecord, { ...row, sequence })
        if (name !== null) await addPlayerName(tx, { workspaceId, userId, name })
      }
      await tx.run(setCaseNumber, { workspaceId, caseNumber: Math.min(start + ROWS_PER_UNIT, count) })
    })
    const done = start + ROWS_PER_UNIT
    if (done % PROGRESS_INTERVAL === 0)
      log(`${done.toLocaleString('en')} of ${count.toLocaleString('en')} records`)
  }
}

const createBan =
  ({ workspaceId }: WorkspaceCredentials): CreateRow =>
  (index) =>
    createWarningRow(START, FULL_RECORDS + index, {
      workspace_id: workspaceId,
      case_number: index + 1,
      action: 'ban',
      in_force: 1,
      user_id: String(FIRST_PLAYER + index),
    })

function createWarning({ workspaceId }: WorkspaceCredentials): CreateRow {
  const random = seededRandom(SEED)
  return (index) =>
    createWarningRow(
      START,
      index,
      index % 10 === 0 && index < 10 * NAMES_OF_ONE_PLAYER
        ? { workspace_id: workspaceId, user_id: '1', user_username: `alt${index}` }
        : { workspace_id: workspaceId, user_username: createPlayerName(random) },
    )
}

/** Uploads events with images whose bytes differ and do not compress. */
async function uploadImages(dataDir: string, workspace: WorkspaceCredentials, count: number): Promise<void> {
  const server = await startServer({ dataDir, program: BINARY, env: LOAD_SERVER_ENV })
  try {
    for (let index = 0; index < count; index++) {
      const image = createRandomPng(MAX_IMAGE_BYTES)
      const body = {
        workspaceId: workspace.workspaceId,
        title: `Event ${index}`,
        scheduledFor: '2040-01-01T18:00:00.000Z',
        imageDataUrl: dataUrl(image),
      }
      await sendOk(server.url, { path: '/api/events', body, as: { workspace, kind: 'key' } })
    }
  } finally {
    await server.stop()
  }
}

/** Fills a data folder. */
async function createDataset(dataDir: string, scale: number, log: (line: string) => void): Promise<Dataset> {
  const [checked, large, texts, ...others] = await populate(dataDir, WORKSPACES)
  if (!checked || !large || !texts) throw new Error('no workspace was created')
  const account = { username: 'casey', password: PASSWORD }
  const passwordHash = await hashPassword(account.password)
  const largeRecords = Math.max(ROWS_PER_UNIT, Math.round(FULL_RECORDS * scale))
  const { database } = await openDataFolder(dataDir, { now: ports.now })
  await database.write((tx) =>
    createAccount(tx, ports, anonymousActor, {
      username: account.username,
      passwordHash,
      isOperator: false,
    }),
  )
  await insertRecords(database, checked, BANNED_PLAYERS, createBan(checked), log)
  await insertRecords(database, large, largeRecords, createWarning(large), log)
  const deskRows = Object.entries(FULL_DESK_ROWS).map(([table, rows]) => [
    table,
    Math.max(ROWS_PER_UNIT, Math.round(rows * scale)),
  ])
  await insertDeskRows(database, ports, large.workspaceId, Object.fromEntries(deskRows))
  await database.close()
  await uploadImages(dataDir, large, Math.max(1, Math.round(FULL_IMAGES * scale)))
  return { scale, checked, bannedPlayers: BANNED_PLAYERS, large, largeRecords, texts, others, account }
}

/**
 * Creates the data for a scale in `dataDir`, or copies them from the cache, where data of the same schema are kept.
 * @param cacheDir null for no cache
 */
export async function provideDataset(
  dataDir: string,
  scale: number,
  cacheDir: string | null,
  log: (line: string) => void,
): Promise<Dataset> {
  const schema = Bun.hash(JSON.stringify(migrations.map(({ name }) => name))).toString(36)
  const cached = cacheDir === null ? null : join(cacheDir, `load-${scale}-${schema}-${DATA_VERSION}`)
  if (cached !== null && existsSync(cached)) {
    log(`Copying the data from ${cached}`)
    cpSync(join(cached, 'data'), dataDir, { recursive: true })
    return Bun.file(join(cached, 'dataset.json')).json()
  }
  log(`Creating ${Math.round(FULL_RECORDS * scale).toLocaleString('en')} records`)
  const dataset = await createDataset(dataDir, scale, log)
  if (cached !== null) {
    // Complete or absent, even if this process is killed.
    const incomplete = `${cached}.incomplete-${process.pid}`
    mkdirSync(incomplete, { recursive: true })
    cpSync(dataDir, join(incomplete, 'data'), { recursive: true })
    await Bun.write(join(incomplete, 'dataset.json'), JSON.stringify(dataset))
    renameSync(incomplete, cached)
  }
  return dataset
}
