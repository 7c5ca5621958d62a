import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { CHAT_STEPS, openLadders } from './ladder-fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('a template', () => {
  test('without an action decides it by its ladder, and the record says so', async () => {
    const { choose, template, ladder, timeFromNow, listActiveBans, send, id } = await openLadders(instance)
    const record = await choose('1', { evidence: 'https://example.com/clip' })
    expect(record).toMatchObject({
      action: 'warn',
      reason: template.publicReason,
      publicReason: template.publicReason,
      severity: 'low',
      evidence: ['https://example.com/clip'],
      templateId: template.id,
      templateVersion: '1',
      ladderId: ladder.id,
      step: '1',
      countsUntil: timeFromNow(10 * DAY_MS),
      durationSeconds: null,
    })
    expect(await choose('1', { reason: 'Third message about a trade', severity: 'high' })).toMatchObject({
      action: 'mute',
      durationSeconds: '3600',
      expiresAt: timeFromNow(3600_000),
      reason: 'Third message about a trade',
      publicReason: template.publicReason,
      severity: 'high',
      step: '2',
      countsUntil: null,
    })
    expect(await choose('1')).toMatchObject({ action: 'mute', step: '2' })
    expect(await choose('1')).toMatchObject({ action: 'ban', durationSeconds: null, step: '3' })
    expect(await choose('2')).toMatchObject({ action: 'warn', step: '1' })
    expect(await listActiveBans('1')).toMatchObject([{ templateId: template.id, step: '3' }])
    const check = await send('check', { workspaceId: id, userIds: '1' })
    expect(check.body.bans).toMatchObject([{ reason: template.publicReason }])
  })

  test('is what the player is told in the check of a server, instead of what staff wrote', async () => {
    const { choose, template, send, actOk, id } = await openLadders(instance)
    await choose('1', { action: 'ban', reason: 'Internal: see the report of Kim' })
    await actOk({ action: 'ban', userId: '2', reason: 'Written by hand' })
    const { bans } = (await send('check', { workspaceId: id, userIds: '1,2' })).body
    expect(bans.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      'Written by hand',
      template.publicReason,
    ])
  })

  test('without a ladder needs an action', async () => {
    const { sendOk, act, actOk, preview } = await openLadders(instance)
    const { template } = await sendOk('templates', { name: 'Other', publicReason: 'Something else.' })
    const rejected = await act({ userId: '1', templateId: template.id })
    expect([rejected.status, rejected.body.details]).toEqual([
      400,
      [{ field: 'action', message: 'is required, because the template Other has no ladder' }],
    ])
    expect(await preview('1', template.id)).toMatchObject({
      step: null,
      action: null,
      count: '0',
      records: [],
    })
    expect(await actOk({ action: 'kick', userId: '1', templateId: template.id })).toMatchObject({
      action: 'kick',
      severity: 'medium',
      reason: 'Something else.',
      templateId: template.id,
      step: null,
    })
  })

  test('keeps its versions: an edit changes neither records nor what they refer to', async () => {
    const { choose, template, ladder, sendOk, read, getRecord, send, readAudit } = await openLadders(instance)
    const record = await choose('1')
    const edited = await sendOk('templates', {
      action: 'update',
      id: template.id,
      publicReason: 'New text',
      appealable: 'false',
      ladderId: null,
    })
    expect(edited.template).toMatchObject({ version: '2', publicReason: 'New text', ladderId: null })
    expect((await getRecord(record.id)).record).toEqual(record)
    const one = (await read('templates', { id: template.id })).body
    expect(one).toMatchObject({
      template: { version: '2', appealable: 'false' },
      versions: [
        { version: '1', publicReason: template.publicReason, ladderId: ladder.id, appealable: 'true' },
      ],
      nextCursor: null,
    })
    await sendOk('ladders', { action: 'update', id: ladder.id, windowDays: null })
    const ladders = (await read('ladders', { id: ladder.id })).body
    expect([ladders.ladder.windowDays, ladders.versions[0].windowDays]).toEqual([null, '30'])
    expect(ladders.versions[0].steps).toEqual(CHAT_STEPS)
    const stale = await send(
      'templates',
      { action: 'update', id: template.id, name: 'x' },
      { headers: { 'if-match': '"1"' } },
    )
    expect(stale.status).toBe(412)
    expect((await readAudit()).map(({ action }: { action: string }) => action).slice(0, 5)).toEqual([
      'ladders.update',
      'templates.update',
      'moderation.warn',
      'templates.create',
      'ladders.create',
    ])
  })

  test('that is archived cannot be chosen and gives its name back; its ladder then can be archived too', async () => {
    const { template, ladder, sendOk, send, act, read } = await openLadders(instance)
    const inUse = await send('ladders', { action: 'archive', id: ladder.id })
    expect([inUse.status, inUse.body.error]).toEqual([409, expect.stringContaining('Spamming')])
    await sendOk('templates', { action: 'archive', id: template.id })
    const rejected = await act({ userId: '1', templateId: template.id })
    expect([rejected.status, rejected.body.error]).toEqual([409, expect.stringContaining('archived')])
    await sendOk('ladders', { action: 'archive', id: ladder.id })
    expect((await read('templates')).body).toEqual({ templates: [], ladders: [], nextCursor: null })
    expect((await read('ladders', { archived: 'true' })).body.ladders).toMatchObject([{ id: ladder.id }])
    expect((await send('templates', { action: 'restore', id: template.id })).status).toBe(409)
    await sendOk('ladders', { action: 'restore', id: ladder.id })
    const second = await sendOk('templates', { name: 'SPAMMING', publicReason: 'x' })
    expect((await send('templates', { action: 'restore', id: template.id })).status).toBe(409)
    await sendOk('templates', { action: 'archive', id: second.template.id })
    expect((await sendOk('templates', { action: 'restore', id: template.id })).template.position).toBe('3')
  })

  test('is listed in the order that staff chose, page by page', async () => {
    const { template, sendOk, send, read } = await openLadders(instance)
    const ids = [template.id]
    for (const name of ['B', 'A'])
      ids.push((await sendOk('templates', { name, publicReason: 'x' })).template.id)
    const order = ids.toReversed()
    await sendOk('templates', { action: 'order', ids: order.join(',') })
    const first = (await read('templates', { limit: '2' })).body
    const second = (await read('templates', { limit: '2', cursor: first.nextCursor })).body
    const listed = [...first.templates, ...second.templates].map(({ id }: { id: string }) => id)
    expect([listed, second.nextCursor]).toEqual([order, null])
    expect([first.ladders, second.ladders]).toEqual([[], [{ id: template.ladderId, name: 'Chat' }]])
    expect((await send('templates', { action: 'order', ids: order.slice(1).join(',') })).status).toBe(409)
  })
})
