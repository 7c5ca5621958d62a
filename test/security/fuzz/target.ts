import { permissions } from '@reeve/core'
import { createTestStorage, defaultEngine } from '../../support/engine.ts'
import { PASSWORD } from '../../support/instance.ts'
import { startTestServer } from '../../support/server.ts'
import { collectIds, type IdPool } from './values.ts'

/** The credentials and the ids of a workspace; requests may use them up, so there is a new one every so often. */
export interface Actors {
  readonly operatorSession: string
  readonly operatorId: string
  readonly username: string
  readonly session: string
  readonly key: string
  readonly pool: IdPool
}

/** Starts the built program on the engine of the run. Each request has its own IP address, so that no limit of attempts is met. */
export async function startFuzzTarget() {
  const storage = await createTestStorage(defaultEngine, 'template1')
  const server = await startTestServer({
    REEVE_TRUSTED_PROXIES: '127.0.0.1',
    ...(storage.databaseUrl === null ? {} : { REEVE_DATABASE_URL: storage.databaseUrl }),
  })
  const { session: operatorSession } = await server.setUp()
  const me = await server.requestOk('GET', '/portal/api/me', { session: operatorSession })
  const operatorId = String(me.body.account.id)
  let accounts = 0
  let signIns = 0

  /** Signs in from an IP address of its own. @returns the session token */
  async function signIn(username: string): Promise<string> {
    signIns += 1
    const response = await fetch(`${server.origin}/portal/api/sign-in`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `192.0.${signIns >> 8}.${signIns & 255}`,
      },
      body: JSON.stringify({ username, password: PASSWORD }),
    })
    const token = /reeve_session=([^;]+)/.exec(response.headers.getSetCookie().join('\n'))?.[1]
    if (token === undefined) throw new Error(`${username} could not sign in: ${await response.text()}`)
    return token
  }

  /** Creates an account as the operator, without a command of its own, which takes longer. */
  async function createAccount(username: string): Promise<void> {
    const { body } = await server.requestOk('POST', '/admin/api/accounts', {
      session: operatorSession,
      body: { username },
    })
    await server.requestOk('POST', '/portal/api/password-link/password', {
      body: { token: body.link.token, password: PASSWORD },
    })
  }

  /**
   * Creates a member whose permanent bans need approval: nobody decides approvals and appeals of their own bans, so the owner's are no use.
   * @returns the session of the member
   */
  async function createModerator(workspaceId: string, owner: string): Promise<string> {
    const { body } = await server.requestOk('POST', '/portal/api/roles', {
      session: owner,
      body: {
        workspaceId,
        name: 'Moderators',
        rank: '5',
        permissions: JSON.stringify(['moderation.view', 'moderation.ban']),
        permanentBansNeedApproval: 'true',
      },
    })
    return server.addMember({ workspaceId, session: owner }, `moderator${accounts}`, String(body.role.id))
  }

  /** Creates a workspace with an owner of its own, a key, and one of most things. */
  async function createActors(): Promise<Actors> {
    accounts += 1
    const username = `fuzz${accounts}`
    await createAccount(username)
    const session = await signIn(username)
    const pool: IdPool = new Map()
    const create = async (path: string, fields: object, as = session) => {
      const response = await server.requestOk('POST', path, { session: as, body: fields })
      collectIds(pool, response.body, operatorId)
      return response.body
    }
    const archived = String((await create('/api/workspaces', { groupName: 'Archived' })).workspace.id)
    await create('/api/workspaces', { id: archived, archive: 'true' })
    const workspaceId = String((await create('/api/workspaces', { groupName: 'Fuzzed' })).workspace.id)
    const { secret } = await create('/portal/api/api-keys', {
      workspaceId,
      name: 'fuzz',
      permissions: JSON.stringify(permissions),
    })
    await create('/portal/api/roles', { workspaceId, name: 'Staff', rank: '10' })
    await create('/api/departments', { workspaceId, name: 'Builders' })
    await create('/api/events', { workspaceId, title: 'Opening', scheduledFor: '2030-01-01T00:00:00Z' })
    await create('/api/moderation', { workspaceId, action: 'ban', userId: '261', reason: 'Spam' })
    const moderator = await createModerator(workspaceId, session)
    for (const userId of ['301', '302', '303']) {
      const ban = { workspaceId, action: 'ban', userId, reason: 'Exploiting' }
      await create('/api/moderation', ban, moderator)
    }
    const appealable = { workspaceId, action: 'ban', userId: '304', reason: 'Spam', durationSeconds: '86400' }
    const { record } = await create('/api/moderation', appealable, moderator)
    await server.requestOk('PATCH', '/portal/api/appeals/settings', {
      session,
      body: { workspaceId, allowFiles: 'true' },
    })
    await create('/api/appeals', { workspaceId, code: record.appealCode, message: 'It was my brother.' })
    const { ladder } = await create('/api/moderation/ladders', {
      workspaceId,
      name: 'Chat',
      steps: '[{"count":"1","action":"warn"}]',
    })
    await create('/api/moderation/templates', {
      workspaceId,
      name: 'Spam',
      publicReason: 'Spam',
      ladderId: ladder.id,
    })
    await create('/api/moderation/links', {
      workspaceId,
      userId: '261',
      linkedUserId: '301',
      confidence: 'low',
      reason: 'Same voice',
    })
    await create('/portal/api/invitations', { workspaceId })
    await create('/portal/api/saved-views', { workspaceId, list: 'bans', name: 'All', filters: 'a=1' })
    // A name that never resolves: the fuzzer sends nothing to anybody.
    const { webhook } = await create('/api/webhooks', {
      workspaceId,
      name: 'Bans',
      url: 'https://receiver.invalid/',
      events: 'ban.created',
    })
    await create('/api/webhooks/test', { workspaceId, id: webhook.id })
    const snapshot = `/api/changes/snapshot?workspaceId=${workspaceId}`
    collectIds(pool, (await server.requestOk('GET', snapshot, { session })).body, operatorId)
    pool.set('own', [workspaceId])
    pool.set('archived', [archived])
    return { operatorSession, operatorId, username, session, key: String(secret), pool }
  }

  return {
    server,
    createActors,
    renewSession: async (actors: Actors): Promise<Actors> => ({
      ...actors,
      session: await signIn(actors.username),
    }),
    async close() {
      await server.close()
      await storage.remove()
    },
  }
}
