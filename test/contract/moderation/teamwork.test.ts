import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

type Fields = Readonly<Record<string, unknown>>

/** A workspace with a report by an API key, and the people who work on it. */
async function openDesk() {
  const { id: workspaceId, ownerSession, ownerId } = await instance.workspace()
  const worker = ['moderation.view', 'moderation.note', 'members.view'] as const
  const kim = await instance.member(workspaceId, [...worker])
  const lee = await instance.member(workspaceId, [...worker])
  const key = await instance.key(workspaceId, ['moderation.note', 'moderation.view'])
  const post = (session: string, path: string, body: Fields) =>
    instance.request('POST', path, { session, body: { workspaceId, ...body } })
  const get = async (session: string, path: string, query: Record<string, string> = {}) =>
    (await instance.request('GET', `${path}?${new URLSearchParams({ workspaceId, ...query })}`, { session }))
      .body
  const remove = (session: string, path: string, query: Record<string, string>) =>
    instance.request('DELETE', `${path}?${new URLSearchParams({ workspaceId, ...query })}`, { session })
  const reported = await instance.request('POST', '/api/moderation', {
    key,
    body: { workspaceId, action: 'note', userId: '261', reason: 'Reported', actorPlatformUserId: '99' },
  })
  const record: { id: string; caseNumber: string } = reported.body.record
  const nameOf = async (session: string) =>
    String((await instance.request('GET', '/portal/api/me', { session })).body.account.username)
  const comment = (session: string, value: string, id = record.id) =>
    post(session, '/api/moderation', { action: 'comment', id, value })
  const inbox = async (session: string, source: string) =>
    (await get(session, '/portal/api/inbox', { source })).items
  const counts = async (session: string) =>
    Object.fromEntries(
      (await get(session, '/portal/api/inbox/counts')).counts.map(
        (one: { source: string; count: string }) => [one.source, one.count],
      ),
    )
  return {
    workspaceId,
    ownerSession,
    ownerId,
    kim,
    lee,
    key,
    record,
    post,
    get,
    remove,
    nameOf,
    comment,
    inbox,
    counts,
  }
}

describe('an assignment', () => {
  test('puts a report by an API key into the inbox of a member, until it is unassigned', async () => {
    const { kim, lee, record, post, get, remove, inbox, counts } = await openDesk()
    const assigned = await post(lee.session, '/portal/api/assignments', {
      recordId: record.id,
      accountId: kim.accountId,
    })
    expect(assigned.body.assignment).toMatchObject({
      recordId: record.id,
      accountId: kim.accountId,
      assignedBy: lee.accountId,
    })
    expect(await get(lee.session, '/portal/api/case-work', { recordIds: record.id })).toEqual({
      claims: [],
      assignments: [assigned.body.assignment],
    })
    expect(await inbox(kim.session, 'assigned')).toEqual([
      {
        id: record.id,
        source: 'assigned',
        at: assigned.body.assignment.assignedAt,
        read: 'false',
        recordId: record.id,
        caseNumber: record.caseNumber,
        action: 'note',
        userId: '261',
        userUsername: null,
        requested: null,
        text: 'Reported',
        actorId: lee.accountId,
        claim: null,
      },
    ])
    expect([(await counts(kim.session)).assigned, (await counts(lee.session)).assigned]).toEqual(['1', '0'])
    await remove(kim.session, '/portal/api/assignments', { recordId: record.id })
    expect(await inbox(kim.session, 'assigned')).toEqual([])
  })

  test('is possible only to members who can view cases, ends when they leave, and is audited', async () => {
    const { workspaceId, ownerSession, kim, record, post, get, remove } = await openDesk()
    const stranger = await instance.member(workspaceId, ['events.view'])
    const assign = (accountId: string) =>
      post(kim.session, '/portal/api/assignments', { recordId: record.id, accountId })
    expect((await assign(stranger.accountId)).status).toBe(404)
    expect((await assign(kim.accountId)).status).toBe(200)
    await remove(ownerSession, '/portal/api/members', { accountId: kim.accountId })
    expect(await get(ownerSession, '/portal/api/case-work', { recordIds: record.id })).toEqual({
      claims: [],
      assignments: [],
    })
    const { entries } = await get(ownerSession, '/portal/api/audit')
    const entry = entries.find(({ action }: { action: string }) => action === 'moderation.assign')
    expect(entry.changes.after).toMatchObject({ accountId: kim.accountId, caseNumber: record.caseNumber })
  })
})

test('a claim shows in the inbox at what somebody works on, until it ends', async () => {
  const { kim, lee, record, post, get, inbox } = await openDesk()
  const assignment = { recordId: record.id, accountId: kim.accountId }
  await post(lee.session, '/portal/api/assignments', assignment)
  await post(lee.session, '/portal/api/claims', { recordId: record.id })
  const { claims } = await get(kim.session, '/portal/api/case-work', { recordIds: record.id })
  expect(claims).toMatchObject([{ accountId: lee.accountId }])
  expect(await inbox(kim.session, 'assigned')).toMatchObject([{ recordId: record.id, claim: claims[0] }])
  instance.clock.advance(15 * 60_000)
  expect(await inbox(kim.session, 'assigned')).toMatchObject([{ recordId: record.id, claim: null }])
})

describe('a mention', () => {
  test('is stored without the name, reaches the inbox of the member, and is marked as read', async () => {
    const { kim, lee, record, post, comment, inbox, counts, nameOf } = await openDesk()
    const name = await nameOf(kim.session)
    const { body } = await comment(lee.session, `See this, @${name.toUpperCase()}, please. Not lee@${name}.`)
    const text = `See this, <@${kim.accountId}>, please. Not lee@${name}.`
    expect(body.record.comments[0].text).toBe(text)
    const [item] = await inbox(kim.session, 'mentions')
    expect(item).toMatchObject({ recordId: record.id, text, actorId: lee.accountId, read: 'false' })
    expect([(await counts(kim.session)).mentions, (await counts(lee.session)).mentions]).toEqual(['1', '0'])
    // Nobody marks what another person has not read.
    await post(lee.session, '/portal/api/inbox/mentions', { ids: item.id })
    expect((await counts(kim.session)).mentions).toBe('1')
    const marked = await post(kim.session, '/portal/api/inbox/mentions', { recordId: record.id })
    expect(marked.body.counts).toContainEqual({ source: 'mentions', count: '0' })
    expect(await inbox(kim.session, 'mentions')).toMatchObject([{ id: item.id, read: 'true' }])
    await post(kim.session, '/portal/api/inbox/mentions', { ids: item.id, read: 'false' })
    expect((await counts(kim.session)).mentions).toBe('1')
  })

  test('by someone who may not view members, or of someone who may not view cases, is a text like any other', async () => {
    const { workspaceId, kim, lee, comment, counts, nameOf } = await openDesk()
    const outsider = await instance.member(workspaceId, ['events.view'])
    const blind = await instance.member(workspaceId, ['moderation.view', 'moderation.note'])
    for (const [author, person] of [
      [blind, kim],
      [lee, outsider],
    ] as const) {
      const text = `@${await nameOf(person.session)}`
      expect((await comment(author.session, text)).body.record.comments.at(-1).text).toBe(text)
    }
    expect((await counts(kim.session)).mentions).toBe('0')
  })

  test('names no one in the inbox of the author, and shows no text after a redaction', async () => {
    const { kim, lee, ownerSession, record, post, comment, inbox, counts, nameOf } = await openDesk()
    await comment(kim.session, `@${await nameOf(kim.session)} @${await nameOf(lee.session)}`)
    expect((await counts(kim.session)).mentions).toBe('0')
    await post(ownerSession, '/api/moderation', { action: 'redact', id: record.id, reason: 'Private' })
    expect(await inbox(lee.session, 'mentions')).toMatchObject([{ recordId: record.id, text: null }])
  })

  test('is suggested by name to those who may view members', async () => {
    const { workspaceId, kim, lee, get, nameOf } = await openDesk()
    await instance.member(workspaceId, ['events.view'])
    const { members } = await get(lee.session, '/portal/api/assignees', { q: '' })
    expect(members.length).toBe(3)
    const name = await nameOf(kim.session)
    expect((await get(lee.session, '/portal/api/assignees', { q: name })).members).toEqual([
      { accountId: kim.accountId, username: name },
    ])
  })

  test('of more than 20 people is refused, and one comment of many @ is read quickly', async () => {
    const { lee, comment } = await openDesk()
    const ids = Array.from({ length: 21 }, () => `<@${crypto.randomUUID()}>`)
    expect((await comment(lee.session, ids.join(' '))).body.details).toMatchObject([{ field: 'value' }])
    expect((await comment(lee.session, '@a '.repeat(660))).status).toBe(200)
  })
})

test('an inbox leaves out what its reader may not see', async () => {
  const { workspaceId, get, counts } = await openDesk()
  const other = await instance.member(workspaceId, ['events.view'])
  expect(await counts(other.session)).toEqual({})
  expect(await get(other.session, '/portal/api/inbox', { source: 'mentions' })).toMatchObject({
    code: 'forbidden',
    permission: 'moderation.view',
  })
})

test('an inbox is read page by page', async () => {
  const { kim, lee, get, post, comment, nameOf } = await openDesk()
  const name = await nameOf(kim.session)
  for (const number of [1, 2, 3]) {
    const { record } = (
      await post(lee.session, '/api/moderation', { action: 'note', userId: '7', reason: `Report ${number}` })
    ).body
    await post(lee.session, '/portal/api/assignments', { recordId: record.id, accountId: kim.accountId })
    await comment(lee.session, `@${name} ${number}`, record.id)
  }
  for (const source of ['assigned', 'mentions']) {
    const texts: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: { text: string }[]; nextCursor: string | null } = await get(
        kim.session,
        '/portal/api/inbox',
        { source, limit: '2', ...(cursor && { cursor }) },
      )
      texts.push(...page.items.map(({ text }) => text.slice(-1)))
      cursor = page.nextCursor
    }
    expect([source, texts]).toEqual([source, ['3', '2', '1']])
  }
})

describe('a pinned note', () => {
  test('is a text or a case, and is listed for its player until it is unpinned', async () => {
    const { kim, record, post, get, remove } = await openDesk()
    const pin = (body: Fields) => post(kim.session, '/portal/api/pinned-notes', body)
    const text = (await pin({ userId: '261', text: 'Ask Robin first.' })).body.pinnedNote
    const pinned = (await pin({ recordId: record.id })).body.pinnedNote
    expect(pinned).toMatchObject({ userId: '261', text: 'Reported', caseNumber: record.caseNumber })
    expect(await get(kim.session, '/portal/api/players', { userId: '261' })).toMatchObject({
      pinnedNotes: [pinned, text],
    })
    expect((await pin({ recordId: record.id })).body.code).toBe('conflict')
    expect((await pin({ recordId: record.id, text: 'x' })).body.details).toMatchObject([{ field: 'text' }])
    await remove(kim.session, '/portal/api/pinned-notes', { id: text.id })
    expect(await get(kim.session, '/portal/api/players', { userId: '261' })).toMatchObject({
      pinnedNotes: [pinned],
    })
  })

  test('of a redacted case shows no text, also in the audit log', async () => {
    const { workspaceId, ownerSession, kim, record, post, get } = await openDesk()
    await post(kim.session, '/portal/api/pinned-notes', { recordId: record.id })
    await post(ownerSession, '/api/moderation', { action: 'redact', id: record.id, reason: 'Private' })
    const { pinnedNotes } = await get(kim.session, '/portal/api/players', { userId: '261' })
    expect(pinnedNotes).toMatchObject([{ recordId: record.id, text: null }])
    expect(JSON.stringify(await get(ownerSession, '/portal/api/audit', { workspaceId }))).not.toContain(
      'Reported',
    )
  })
})
