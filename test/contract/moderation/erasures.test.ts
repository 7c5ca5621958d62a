import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { KnownBackups } from '@reeve/auth'
import { compareRecords, type RecordDifference } from '@reeve/moderation'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openErasureFixture } from './erasure-fixture.ts'
import type { Fields } from './fixture.ts'

let instance: Instance
/** Erases nobody before the test says so. */
let paused: Instance
/** The backups that the instance finds. */
let known: KnownBackups = { backups: [], problem: null }
beforeAll(async () => {
  instance = await openInstance({ listBackups: async () => known })
  paused = await openInstance({ finishesJobs: false })
})
afterAll(async () => {
  await instance.close()
  await paused.close()
})

const PLAYER = '7654321098'

async function findDifferences() {
  const differences: RecordDifference[] = []
  await compareRecords(instance.db.read, { onDifference: (difference) => differences.push(difference) })
  return differences
}

describe('erasing a player', () => {
  test('deletes the records, ends the ban, and leaves a valid audit log without the player', async () => {
    const { ban, actOk, erase, isBanned, get, faults, id, session } = await openErasureFixture(instance)
    const record = await ban(PLAYER, { userUsername: 'Thistledown', evidence: 'https://example.com/1.mp4' })
    await actOk({ action: 'comment', id: record.id, value: 'Seen by two of us' })
    await actOk({ action: 'note', userId: PLAYER, reason: 'Alt of another' })
    const other = await ban('261')
    expect(await isBanned(PLAYER)).toBe(true)

    const erasure = await erase(PLAYER, 'erase')

    expect(erasure).toMatchObject({ mode: 'erase', records: '2', names: '1', createdBy: expect.any(String) })
    expect(await isBanned(PLAYER)).toBe(false)
    expect(await isBanned('261')).toBe(true)
    expect((await get({ id: record.id })).status).toBe(404)
    expect((await get()).body.records.map(({ id }: Fields) => id)).toEqual([other.id])
    expect(await faults()).toEqual([])
    expect(await findDifferences()).toEqual([])
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${id}&limit=50`, {
      session,
    })
    expect(JSON.stringify(body)).not.toContain(PLAYER)
    expect(JSON.stringify(body)).not.toContain('Thistledown')
    expect(body.entries.map(({ action }: Fields) => action)).toContain('players.finish_erasure')
  })

  test('can be continued after every transaction, and is the same in the end', async () => {
    const { ban, actOk, request, run, getErasure, faults, get } = await openErasureFixture(paused)
    const { id } = await ban(PLAYER)
    await actOk({ action: 'edit', id, reason: 'Edited' })
    for (const reason of ['One', 'Two', 'Three']) await actOk({ action: 'warn', userId: PLAYER, reason })
    const { body } = await request(PLAYER, 'erase')
    const read = async () => (await getErasure('', { id: body.erasure.id })).erasure
    let stops = 0
    while ((await read()).state !== 'succeeded') {
      const killed = new AbortController()
      const stopListening = paused.db.onChange(({ kind }) => kind === 'erasure' && killed.abort())
      await run(killed.signal)
      stopListening()
      stops += 1
      expect(stops).toBeLessThan(100)
    }
    expect(stops).toBeGreaterThan(5)
    expect(await read()).toMatchObject({ records: '4' })
    expect((await get()).body.records).toEqual([])
    expect(await faults()).toEqual([])
    await run()
    expect(await read()).toMatchObject({ records: '4' })
  })

  test('makes followers of the change feed read the snapshot, which no longer has the ban', async () => {
    const { ban, readPosition, read, readSnapshot, erase } = await openErasureFixture(instance)
    await ban(PLAYER)
    await ban('261')
    const position = await readPosition()
    await erase(PLAYER, 'erase')
    expect((await read('', position)).body).toMatchObject({ code: 'cursor_gone' })
    expect((await readSnapshot()).sanctions.map(({ userId }: Fields) => userId)).toEqual(['261'])
  })

  test('names the cases of others whose texts contain the id, and removes the player as their actor', async () => {
    const { ban, actOk, erase, getRecord } = await openErasureFixture(instance)
    const byPlayer = { actorPlatformUserId: PLAYER, actorUsername: 'Thistledown' }
    const record = await ban('261', byPlayer)
    await actOk({ action: 'note', userId: '156', reason: `Alt of ${PLAYER}.` })
    await actOk({ action: 'note', userId: '156', reason: `Alt of ${PLAYER}1` })
    expect(await erase(PLAYER, 'erase')).toMatchObject({ actors: '1', mentionedInCases: ['2'] })
    expect((await getRecord(record.id)).record).toMatchObject({
      actorPlatformUserId: null,
      actorUsername: null,
      reason: 'Exploiting',
    })
    expect(await findDifferences()).toEqual([])
  })

  test('removes every stored response that contains the id, however many there are', async () => {
    const { act, erase } = await openErasureFixture(instance)
    const numbers = Array.from({ length: 405 }, (_, index) => index)
    const isAboutPlayer = (number: number) => number % 2 === 0
    const report = async (number: number) => {
      const reason = `Alt of ${PLAYER}${isAboutPlayer(number) ? '' : '1'}`
      const headers = { 'idempotency-key': `report ${number}` }
      return (await act({ action: 'note', userId: '156', reason }, { headers })).status
    }
    for (const number of numbers) expect(await report(number)).toBe(200)
    await erase(PLAYER, 'erase')
    const repeated = await Promise.all(numbers.map(report))
    expect(repeated).toEqual(numbers.map((number) => (isAboutPlayer(number) ? 404 : 200)))
  })

  test('lists the archives that contain the player, and a copy of them leaves the player out', async () => {
    const { id, ban, erase, post, session, get } = await openErasureFixture(instance)
    const archive = async () => {
      const { archive } = await post('/api/workspaces', { workspaceId: undefined, id, archive: 'true' })
      await post('/api/workspaces', { workspaceId: undefined, id, archive: 'false' })
      return String(archive.id)
    }
    await archive()
    instance.clock.advance(1000)
    await ban(PLAYER, { userUsername: 'Thistledown' })
    const kept = await ban('261')
    await post('/api/moderation/links', {
      userId: PLAYER,
      linkedUserId: '156',
      confidence: 'high',
      reason: 'Same',
    })
    instance.clock.advance(1000)
    const containing = await archive()
    instance.clock.advance(1000)
    const erasure = await erase(PLAYER, 'erase')
    expect(erasure.archives.map(({ id }: Fields) => id)).toEqual([containing])
    const { workspace } = await post('/api/workspaces', { workspaceId: undefined, fromArchive: containing })
    const { body } = await instance.request('GET', `/api/moderation?workspaceId=${workspace.id}`, { session })
    expect(body.records.map(({ userId }: Fields) => userId)).toEqual([kept.userId])
    expect((await get({ userId: PLAYER })).body.records).toEqual([])
  })

  test('lists the backups that were taken while the player was stored, and why there can be others', async () => {
    const { ban, erase, getErasure, request, run } = await openErasureFixture(instance)
    const { clock } = instance
    const take = (name: string, place: 'folder' | 'bucket' = 'folder') => {
      known = { ...known, backups: [{ name, takenAt: clock.now(), place }, ...known.backups] }
      clock.advance(1000)
    }
    take('before.db')
    await ban(PLAYER)
    take('first.db')
    take('second.db.enc', 'bucket')
    known = { ...known, problem: 'The backups in the bucket could not be listed.' }
    const requested = await request(PLAYER, 'erase')
    expect(requested.body.erasure).toMatchObject({ state: 'queued', backups: [], backupsProblem: null })
    await run()
    clock.advance(1000)
    take('after.db')
    const expected = {
      backups: [
        { name: 'second.db.enc', place: 'bucket' },
        { name: 'first.db', place: 'folder', takenAt: expect.stringMatching(/Z$/) },
      ],
      backupsProblem: 'The backups in the bucket could not be listed.',
    }
    expect((await getErasure('', { id: requested.body.erasure.id })).erasure).toMatchObject(expected)
    expect((await getErasure('')).erasures).toMatchObject([expected])
    // One that was rotated away since is listed no more.
    known = { backups: known.backups.filter(({ name }) => name !== 'first.db'), problem: null }
    expect((await getErasure('')).erasures).toMatchObject([
      { backups: [{ name: 'second.db.enc' }], backupsProblem: null },
    ])
    // Nothing was stored about this player.
    expect((await erase('999', 'erase')).backups).toEqual([])
  })
})

describe('pseudonymising a player', () => {
  test('keeps the ban for every form of the id, without texts and names', async () => {
    const { ban, actOk, erase, isBanned, check, get, faults, actOk: act } = await openErasureFixture(instance)
    const steam = 'steam:76561197960287930'
    const record = await ban(steam, { userUsername: 'Thistledown', evidence: 'https://example.com/1.mp4' })
    await actOk({ action: 'edit', id: record.id, userUsername: 'Other name' })
    await erase(steam, 'pseudonymise')

    expect(await isBanned(steam)).toBe(true)
    expect(await isBanned('steam:STEAM_0:0:11101')).toBe(true)
    expect(await isBanned('76561197960287930')).toBe(false)
    const server = await check({ userIds: `261,steam:STEAM_0:0:11101` })
    expect(server.body.bans).toMatchObject([{ userId: steam, recordId: record.id, reason: null }])
    expect((await get({ banList: 'true', userId: steam })).body.bans).toMatchObject([{ userId: steam }])
    const stored = (await get({ id: record.id })).body
    expect(stored.record).toMatchObject({ userUsername: null, reason: null, evidence: [], status: 'active' })
    expect(stored.record.userId).toMatch(/^pseudonym:[0-9a-f]{40}$/)
    expect(JSON.stringify(stored)).not.toMatch(/7656119|Thistledown|Other name|Exploiting/)
    expect((await get({ userId: steam })).body.records).toEqual([])
    expect(await faults()).toEqual([])
    expect(await findDifferences()).toEqual([])

    await act({ action: 'unban', userId: steam, reason: 'Appealed by mail' })
    expect(await isBanned(steam)).toBe(false)
  })

  test('a new ban of the player replaces the one under the pseudonym', async () => {
    const { ban, erase, listActiveBans, get } = await openErasureFixture(instance)
    const first = await ban(PLAYER)
    await erase(PLAYER, 'pseudonymise')
    const second = await ban(PLAYER)
    expect(await listActiveBans(PLAYER)).toMatchObject([{ id: second.id, userId: PLAYER }])
    expect((await get({ id: first.id })).body.record.status).toBe('superseded')
    await erase(PLAYER, 'pseudonymise')
    expect(await listActiveBans(PLAYER)).toMatchObject([{ id: second.id }])
    await erase(PLAYER, 'erase')
    expect(await listActiveBans(PLAYER)).toEqual([])
    expect((await get()).body.records).toEqual([])
  })

  test('another workspace has other pseudonyms, and a copy has the same bans', async () => {
    const one = await openErasureFixture(instance)
    const two = await openErasureFixture(instance)
    const pseudonyms = []
    for (const { ban, erase, get } of [one, two]) {
      const { id } = await ban(PLAYER)
      await erase(PLAYER, 'pseudonymise')
      pseudonyms.push((await get({ id })).body.record.userId)
    }
    expect(pseudonyms[0]).not.toBe(pseudonyms[1])
    const { archive } = await one.post('/api/workspaces', {
      workspaceId: undefined,
      id: one.id,
      archive: 'true',
    })
    const { workspace } = await one.post('/api/workspaces', {
      workspaceId: undefined,
      fromArchive: archive.id,
    })
    const query = new URLSearchParams({ workspaceId: workspace.id, banList: 'true', userId: PLAYER })
    const { body } = await instance.request('GET', `/api/moderation?${query}`, { session: one.session })
    expect(body.bans).toMatchObject([{ userId: PLAYER }])
  })
})

describe('the request', () => {
  test('needs its permission, the id twice, and a reason without the id', async () => {
    const { request, ban, workspaceId, getErasure } = await openErasureFixture(instance)
    await ban(PLAYER)
    const others = await instance.key(workspaceId, [
      'moderation.view',
      'moderation.redact',
      'moderation.export',
    ])
    expect((await request(PLAYER, 'erase', {}, { key: others })).body).toMatchObject({
      reason: 'missing_permission',
      permission: 'moderation.erase',
    })
    const rejected = async (fields: Fields) =>
      (await request(PLAYER, 'erase', fields)).body.details.map(({ field }: Fields) => field)
    expect(await rejected({ confirmUserId: `${PLAYER}1` })).toEqual(['confirmUserId'])
    expect(await rejected({ reason: `Mail of ${PLAYER}` })).toEqual(['reason'])
    expect(await rejected({ mode: 'hide' })).toEqual(['mode'])
    expect((await getErasure('')).erasures).toEqual([])
  })

  test('is rejected while another one is running', async () => {
    const { request, run } = await openErasureFixture(paused)
    expect((await request(PLAYER, 'erase')).status).toBe(200)
    expect((await request('261', 'erase')).body).toMatchObject({ code: 'conflict' })
    await run()
    expect((await request('261', 'erase')).status).toBe(200)
    await run()
  })

  test('is preceded by a preview that changes nothing', async () => {
    const { ban, actOk, getErasure, isBanned } = await openErasureFixture(instance)
    await ban(PLAYER, { userUsername: 'Thistledown' })
    await actOk({ action: 'mute', userId: PLAYER, reason: 'Spam' })
    expect((await getErasure('/preview', { userId: PLAYER })).preview).toEqual({
      userId: PLAYER,
      records: '2',
      evidenceFiles: '0',
      bansInForce: '1',
      mutesInForce: '1',
      appeals: '0',
      pinnedNotes: '0',
      links: '0',
      members: '0',
      names: ['Thistledown'],
      archives: [],
    })
    expect(await isBanned(PLAYER)).toBe(true)
  })
})
