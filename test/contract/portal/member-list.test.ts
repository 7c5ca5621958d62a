import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { joinWorkspace } from '../../support/join-workspace.ts'
import { createMemberRequests } from './member-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let requests: ReturnType<typeof createMemberRequests>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createMemberRequests(instance, workspace)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

describe('the list', () => {
  test('is sorted by username, in pages without gaps or duplicates', async () => {
    const { id, ownerSession, ownerId } = await instance.workspace()
    const added = []
    for (let index = 0; index < 7; index++) added.push((await instance.member(id, [])).accountId)
    const seenMembers: { accountId: string; username: string; isOwner: string }[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: Record<string, string> = cursor ? { limit: '3', cursor } : { limit: '3' }
      const { body } = await instance.request('GET', requests.toPath(query, id), { session: ownerSession })
      expect(body.members.length).toBeLessThanOrEqual(3)
      seenMembers.push(...body.members)
      cursor = body.nextCursor
    }
    expect(seenMembers.map(({ accountId }) => accountId).sort()).toEqual([...added, ownerId].sort())
    const names = seenMembers.map(({ username }) => username)
    expect(names).toEqual([...names].sort())
    expect(seenMembers.filter(({ isOwner }) => isOwner === 'true').map(({ accountId }) => accountId)).toEqual(
      [ownerId],
    )
  })

  test('with roleId contains only members with that role, each with all their roles', async () => {
    const member = await instance.member(workspace.id, [])
    await instance.member(workspace.id, [])
    const second = await instance.role(workspace.id, [], 3)
    await requests.write('PATCH', { accountId: member.accountId, roleIds: `${member.roleId},${second}` })
    const { body } = await requests.read({ roleId: second })
    expect(body.members).toHaveLength(1)
    expect(body.members[0].accountId).toBe(member.accountId)
    expect(body.members[0].roles).toHaveLength(2)
  })

  test('with q contains only members whose username contains the text, case-insensitive, in pages', async () => {
    const searched = await instance.workspace()
    const { id, ownerSession } = searched
    for (const username of ['Sought one', 'sOUGHT two', 'Somebody else']) {
      await instance.account(username)
      await joinWorkspace(instance, searched, { username })
    }
    const names = async (query: Record<string, string>) =>
      (await instance.request('GET', requests.toPath(query, id), { session: ownerSession })).body.members.map(
        ({ username }: { username: string }) => username,
      )
    expect(await names({ q: 'SOUGHT' })).toEqual(['Sought one', 'sOUGHT two'])
    expect(await names({ q: 'sought', limit: '1' })).toEqual(['Sought one'])
    expect(await names({ q: '%' })).toEqual([])
    const roleId = await instance.role(id, [])
    expect(await names({ q: 'sought', roleId })).toEqual([])
  })

  test('refuses a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['audit', 1])).toString('base64url')
    const { status, body } = await requests.read({ cursor })
    expect([status, body.details[0].field]).toEqual([400, 'cursor'])
  })
})
