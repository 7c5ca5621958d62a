import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createBucketEvidenceStore, databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { createBucketClient } from '@reeve/api/s3/client'
import type { EvidenceStore } from '@reeve/core'
import type { Database } from '@reeve/db'
import { deleteUnusedEvidence, runErasures } from '@reeve/moderation'
import { purgeWorkspaces } from '@reeve/workspaces'
import { idLiteral } from '../../support/engine.ts'
import { createRandomPng } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type ObjectStore, startObjectStore } from '../../support/object-store.ts'
import { readCounters } from '../storage/fixture.ts'
import { archiveWorkspace, createWorkspaceRequests } from '../workspaces/fixture.ts'
import { type EvidenceFixture, openEvidenceFixture } from './fixture.ts'

const DAY = 86_400_000
/** The timeout of the store in these tests, in milliseconds: while it responds, and while it does not. */
const PATIENCE_MS = 30_000
const CALL_MS = 500
/** More than one range. */
const BYTES = 5 * 1024 * 1024

let store: ObjectStore
let instance: Instance
let fixture: EvidenceFixture
let evidence: EvidenceStore
let inBucket: EvidenceStore

beforeAll(async () => {
  store = startObjectStore()
  inBucket = openStore(PATIENCE_MS)
  instance = await openInstance({
    evidence: {
      get isExternal() {
        return evidence.isExternal
      },
      save: (...file) => evidence.save(...file),
      load: (id) => evidence.load(id),
      remove: (id) => evidence.remove(id),
    },
  })
})
beforeEach(async () => {
  store.setBehavior('ok')
  evidence = inBucket
  fixture = await openEvidenceFixture(instance)
})
afterAll(async () => {
  await instance.close()
  await store.close()
})

const openStore = (timeoutMs: number) =>
  createBucketEvidenceStore(createBucketClient(store.settings, timeoutMs), timeoutMs)

const cleanUp = () => deleteUnusedEvidence(instance.db, instance.ports, evidence)
const listObjects = () => [...store.objects.keys()].filter((name) => name.startsWith('media/evidence/'))
const png = createRandomPng(BYTES)

async function attach(userId = '261', bytes = png) {
  const { id } = await fixture.createRecord(userId)
  return { id, file: (await fixture.upload(id, 'a.png', bytes as BodyInit)).body.file }
}

test('a file is one object in the bucket, named by its id, until its record has it no more', async () => {
  const { id, file } = await attach()
  expect(listObjects()).toEqual([`media/evidence/${file.id}`])
  expect<Uint8Array>(await fixture.readBytes(file.id)).toEqual(png)
  expect(await instance.storage.query('select part from evidence_part')).toEqual([])
  evidence = databaseEvidenceStore
  expect((await fixture.download(file.id)).status).toBe(503)
  evidence = inBucket
  await fixture.remove(id, file.id)
  expect(listObjects()).toEqual([])
})

test('while the store does not respond, an upload is rejected and a download fails, and nothing else does', async () => {
  const { id, file } = await attach()
  const before = await readCounters(instance, fixture.workspaceId)
  for (const behavior of ['failing', 'stalled'] as const) {
    store.setBehavior(behavior)
    if (behavior === 'stalled') evidence = openStore(CALL_MS)
    const { status, body } = await fixture.upload(id, 'b.txt', `while ${behavior}`)
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(body.error).toBe('The file store is currently unavailable. Nothing was changed. Try again.')
    expect((await fixture.download(file.id)).status).toBe(503)
  }
  expect((await readCounters(instance, fixture.workspaceId)).evidence).toBe(before.evidence)
  const removed = await fixture.remove(id, file.id)
  expect(removed.body.record.evidenceFiles).toEqual([])
  store.setBehavior('ok')
  evidence = inBucket
  instance.clock.advance(DAY)
  await cleanUp()
  expect(listObjects()).toEqual([])
})

test('an archive and its copies share an object, which is deleted with the last of them', async () => {
  const { id, file } = await attach()
  const calls = createWorkspaceRequests(instance, fixture)
  const credentials = { session: fixture.session }
  const archive = await archiveWorkspace(instance, fixture)
  await calls.workspaces({ action: 'restore', id: fixture.id }, credentials)
  await fixture.remove(id, file.id)
  instance.clock.advance(DAY)
  await cleanUp()
  expect(listObjects()).toHaveLength(1)
  const { workspace: copy } = (await calls.workspaces({ fromArchive: archive.id }, credentials)).body
  await instance.request(
    'DELETE',
    `/portal/api/archive?workspaceId=${fixture.id}&id=${archive.id}`,
    credentials,
  )
  await instance.runJobs()
  await cleanUp()
  expect(listObjects()).toHaveLength(1)
  await instance.storage.query(`update workspace set delete_at = 1 where id = ${idLiteral(copy.id)}`)
  // Reads see the statement above after the next commit.
  await fixture.createRecord()
  await purgeWorkspaces(instance.db, instance.ports, AbortSignal.timeout(10_000), () => {})
  await cleanUp()
  expect(listObjects()).toEqual([])
})

test('a redacted record leaves nothing in the bucket, even if an archive contains it', async () => {
  const { id } = await attach()
  await archiveWorkspace(instance, fixture)
  const calls = createWorkspaceRequests(instance, fixture)
  await calls.workspaces({ action: 'restore', id: fixture.id }, { session: fixture.session })
  await fixture.moderate({ action: 'redact', id, reason: 'Personal data' })
  expect(listObjects()).toEqual([])
})

test.each(['erase', 'pseudonymise'])(
  'to %s a player leaves nothing of theirs in the bucket, even if an archive contains it',
  async (mode) => {
    const small = createRandomPng(1000)
    const own = await attach('261', small)
    await archiveWorkspace(instance, fixture)
    const calls = createWorkspaceRequests(instance, fixture)
    await calls.workspaces({ action: 'restore', id: fixture.id }, { session: fixture.session })
    const other = await attach('156', small)
    const toObject = ({ file }: typeof own) => `media/evidence/${file.id}`
    expect(listObjects()).toEqual(expect.arrayContaining([toObject(own), toObject(other)]))
    const requested = await instance.request('POST', '/api/moderation/erasures', {
      session: fixture.session,
      body: {
        ...{ workspaceId: fixture.workspaceId, userId: '261', confirmUserId: '261' },
        ...{ mode, reason: 'On request' },
      },
    })
    expect(requested.status, requested.text).toBe(200)
    const { db, ports } = instance
    await runErasures({ db, ports, evidence, signal: new AbortController().signal })
    expect(listObjects()).not.toContain(toObject(own))
    expect(listObjects()).toContain(toObject(other))
  },
)

test('cleanup keeps an object whose file a roll-back restores meanwhile, although its archives are deleted then', async () => {
  const { id, file } = await attach()
  const calls = createWorkspaceRequests(instance, fixture)
  const credentials = { session: fixture.session }
  const full = await archiveWorkspace(instance, fixture)
  await calls.workspaces({ action: 'restore', id: fixture.id }, credentials)
  await fixture.remove(id, file.id)
  await calls.workspaces({ action: 'archive', id: fixture.id }, credentials)
  instance.clock.advance(DAY)
  const rollBack = async () => {
    await calls.workspaces({ id: fixture.id, fromArchive: full.id }, credentials)
    const { archives } = (
      await instance.request('GET', `/api/workspaces?id=${fixture.id}&archives=true`, credentials)
    ).body
    for (const archive of archives)
      await instance.request(
        'DELETE',
        `/portal/api/archive?workspaceId=${fixture.id}&id=${archive.id}`,
        credentials,
      )
    await instance.runJobs()
  }
  let isRolledBack = false
  const { db, ports } = instance
  const first: Database['read']['first'] = async (statement, params) => {
    const row = await db.read.first(statement, params)
    if (!isRolledBack && (params as { id?: string }).id === file.id) {
      isRolledBack = true
      await rollBack()
    }
    return row
  }
  await deleteUnusedEvidence({ ...db, read: { ...db.read, first } }, ports, evidence)
  expect(isRolledBack).toBe(true)
  expect((await fixture.readRecord(id)).record.evidenceFiles).toEqual([file])
  expect<Uint8Array>(await fixture.readBytes(file.id)).toEqual(png)
})
