import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspacesClient } from './fixture.ts'

let instance: Instance
const { path, post, get } = createWorkspacesClient(() => instance)

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('the list', () => {
  test('a session sees its workspaces in pages, newest first, including archived ones', async () => {
    const accountId = await instance.account()
    const credentials = { session: await instance.session(accountId) }
    await instance.workspace()
    const created: { id: string }[] = []
    for (let count = 0; count < 5; count++)
      created.unshift((await post(credentials, { groupName: `Nr ${count}` })).workspace)
    created[2] = (await post(credentials, { id: created[2]?.id, archive: true })).workspace
    const seenItems: unknown[] = []
    let cursor: string | null = null
    do {
      const page: { workspaces: unknown[]; nextCursor: string | null } = await get(credentials, {
        limit: '2',
        ...(cursor && { cursor }),
      })
      seenItems.push(...page.workspaces)
      cursor = page.nextCursor
    } while (cursor)
    expect(seenItems).toEqual(created)
  })

  test('a member without permissions sees the workspace', async () => {
    const { id, key } = await instance.workspace()
    const { session } = await instance.member(id, [])
    const { workspace } = await get({ key }, { id })
    expect(await get({ session })).toEqual({ workspaces: [workspace], jobs: [], nextCursor: null })
    expect(await get({ session }, { id })).toEqual({ workspace, job: null })
  })

  test('a key sees only its own workspace', async () => {
    const { id, key } = await instance.workspace()
    const { workspace } = await get({ key }, { id })
    expect(await get({ key })).toEqual({ workspaces: [workspace], jobs: [], nextCursor: null })
  })

  test('an account without a workspace sees an empty list', async () => {
    const credentials = { session: await instance.session(await instance.account()) }
    expect(await get(credentials)).toEqual({ workspaces: [], jobs: [], nextCursor: null })
  })

  test('HEAD returns the headers of GET without the body', async () => {
    const { key } = await instance.workspace()
    const { status, text } = await instance.request('HEAD', path, { key })
    expect([status, text]).toEqual([200, ''])
  })
})
