import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'
import { request, signIn } from './replicas.ts'

// Every test starts several processes.
setDefaultTimeout(60_000)

interface ListedAccount {
  readonly id: string
  readonly username: string
  readonly operator: string
  readonly status: string
}

interface ListedSession {
  readonly id: string
  readonly userAgent: string
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  describe(`accounts of a running server on ${engine}`, () => {
    let folder: TemporaryFolder
    let running: RunningServer
    let workspaceId: string
    let apiKey: string
    let owner: string
    const env: Record<string, string> = {}

    const run = (args: readonly string[], stdin = '') => runReeve(args, { dataDir: folder.data, env, stdin })
    const runJson = async <T = unknown>(args: readonly string[], stdin = ''): Promise<T> =>
      parseJsonOutput<T>(await run([...args, '--json'], stdin))
    const findAccount = async (name: string) =>
      (await runJson<{ accounts: ListedAccount[] }>(['user', 'list'])).accounts.find(
        ({ username }) => username === name,
      )
    const create = (name: string) =>
      runJson<{ userId: string }>(['user', 'create', '--username', name, '--password-stdin'], PASSWORD)
    /** Signs in as an account of the test. @returns the cookie */
    const openSession = async (name: string) => (await signIn(running, PASSWORD, name)).cookie
    const send = (cookie: string, method: string, path: string, body?: object) =>
      request(running, method, path, {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        ...(body === undefined ? {} : { body }),
      })
    const readReason = async (cookie: string) =>
      (await send(cookie, 'GET', '/portal/api/me')).body.reason ?? 'valid'
    /** Creates an account that may add notes and change endpoint controls in the workspace. @returns its ID */
    const createModerator = async (name: string) => {
      const { userId } = await create(name)
      const permissions = 'moderation.view,moderation.note,endpoint_controls.view,endpoint_controls.manage'
      const { body } = await send(owner, 'POST', '/portal/api/roles', {
        ...{ workspaceId, name: `Role of ${name}`, rank: '1', permissions },
      })
      const member = { workspaceId, username: name, roleIds: body.role.id }
      const invited = await send(owner, 'POST', '/portal/api/invitations', member)
      const { id } = invited.body.invitation
      const accepted = await send(await openSession(name), 'POST', '/portal/api/invitation/accept', { id })
      expect(accepted.status).toBe(200)
      return userId
    }

    beforeAll(async () => {
      folder = temporaryFolder()
      if (engine === 'PostgreSQL') env.REEVE_DATABASE_URL = await createDatabase('template1')
      running = await startServer({ dataDir: folder.data, env })
      ;({ workspaceId, apiKey } = await runJson<{ workspaceId: string; apiKey: string }>(INIT_ARGS, PASSWORD))
      owner = await openSession('robin')
    })
    afterAll(async () => {
      await running.stop()
      if (env.REEVE_DATABASE_URL !== undefined) await dropDatabase(env.REEVE_DATABASE_URL)
      folder.remove()
    })

    test('disabling an account ends its sessions with the next request; enabling lets it sign in again', async () => {
      await create('on-leave')
      const cookie = await openSession('on-leave')
      expect(await readReason(cookie)).toBe('valid')
      expect((await run(['user', 'disable', '--username', 'On-Leave'])).out).toStartWith('Disabled on-leave')
      expect(await readReason(cookie)).toBe('invalid_session')
      expect((await signIn(running, PASSWORD, 'on-leave')).status).toBe(401)
      expect(await findAccount('on-leave')).toMatchObject({ status: 'disabled' })
      await runJson(['user', 'enable', '--username', 'on-leave'])
      expect((await signIn(running, PASSWORD, 'on-leave')).status).toBe(200)
    })

    test('operator access is granted and revoked, but never taken from the last one who can sign in', async () => {
      await create('second')
      const operator = (name: string, ...flags: string[]) =>
        run(['user', 'operator', '--username', name, ...flags])
      for (const args of [
        ['user', 'operator', '--username', 'robin', '--revoke'],
        ['user', 'disable', '--username', 'robin'],
        ['user', 'delete', '--username', 'robin', '--yes'],
      ]) {
        expect(await run(args)).toMatchObject({
          exitCode: 1,
          err: 'This is the last operator who can sign in. Make another account an operator first.\n',
        })
      }
      const cookie = await openSession('second')
      expect((await send(cookie, 'GET', '/admin/api/instance')).status).toBe(403)
      expect((await operator('second', '--grant')).exitCode).toBe(0)
      expect((await send(cookie, 'GET', '/admin/api/instance')).status).toBe(200)
      expect((await operator('second', '--revoke')).out).toBe('second is not an operator.\n')
      expect((await send(cookie, 'GET', '/admin/api/instance')).status).toBe(403)
      for (const flags of [[], ['--grant', '--revoke']]) {
        expect(await operator('second', ...flags)).toMatchObject({
          exitCode: 2,
          err: 'Set either --grant or --revoke.\n',
        })
      }
    })

    test('sessions are listed, and ended one at a time or all together', async () => {
      await create('traveler')
      const cookies = [await openSession('traveler'), await openSession('traveler')]
      const list = (...more: string[]) =>
        runJson<{ sessions: ListedSession[] }>(['user', 'sessions', '--username', 'traveler', ...more])
      const { sessions } = await list()
      expect(sessions).toHaveLength(2)
      expect(sessions[0]).not.toHaveProperty('current')
      const table = await run(['user', 'sessions', '--username', 'traveler'])
      expect(table.out).toMatch(/^ID +CREATED +LAST USED +EXPIRES +IP ADDRESS +USER AGENT\n/)
      // Newest first: the second session is the first one created.
      await list('--end', sessions[1]?.id ?? '')
      expect(await Promise.all(cookies.map(readReason))).toEqual(['invalid_session', 'valid'])
      const activity = await send(cookies[1] ?? '', 'GET', '/portal/api/security-activity')
      expect(activity.body.entries[0]).toMatchObject({ action: 'accounts.end_session', byYou: 'false' })
      const again = await run(['user', 'sessions', '--username', 'traveler', '--end', sessions[1]?.id ?? ''])
      expect(again.exitCode).toBe(1)
      expect(again.err).toContain('Run `reeve user sessions --username traveler` to list them.')
      expect((await list('--end', 'all')).sessions).toEqual([])
      expect(await Promise.all(cookies.map(readReason))).toEqual(['invalid_session', 'invalid_session'])
    })

    test('one account’s session cannot be ended under another name', async () => {
      await create('someone')
      await create('bystander')
      const cookie = await openSession('bystander')
      const { sessions } = await runJson<{ sessions: ListedSession[] }>([
        ...['user', 'sessions', '--username', 'bystander'],
      ])
      const result = await run(['user', 'sessions', '--username', 'someone', '--end', sessions[0]?.id ?? ''])
      expect(result.exitCode).toBe(1)
      expect(await readReason(cookie)).toBe('valid')
    })

    test('disabling an account names the API keys that still work, or revokes them', async () => {
      await createModerator('key-maker')
      const { body } = await send(owner, 'POST', '/portal/api/roles', {
        ...{ workspaceId, name: 'Key makers', rank: '2', permissions: 'api_keys.manage' },
      })
      const accounts = await send(owner, 'GET', `/portal/api/members?workspaceId=${workspaceId}&q=key-maker`)
      const { accountId } = accounts.body.members[0]
      await send(owner, 'PATCH', '/portal/api/members', { workspaceId, accountId, roleIds: body.role.id })
      const cookie = await openSession('key-maker')
      const key = { workspaceId, name: 'Bot of key-maker', permissions: '' }
      const created = await send(cookie, 'POST', '/portal/api/api-keys', key)
      const { id } = created.body.apiKey
      const kept = await run(['user', 'disable', '--username', 'key-maker'])
      expect(kept.out).toContain('1 API key of the account can still be used')
      expect(kept.out).toContain(`reeve key revoke --workspace ${workspaceId} --id ${id}`)
      const doctor = await run(['doctor'])
      expect(doctor.out).toMatch(/^warning +keys +API keys still work although their creator has left/m)
      expect(doctor.out).toContain(id)
      const revoked = await run(['user', 'disable', '--username', 'key-maker', '--revoke-keys'])
      expect(revoked.out).toContain('Revoked 1 API key of the account.')
      expect((await run(['doctor'])).out).toMatch(/^ok +keys /m)
    })

    test('disabling an account names the webhooks that still send, or pauses them', async () => {
      const userId = await createModerator('hook-maker')
      const { body } = await send(owner, 'POST', '/portal/api/roles', {
        ...{ workspaceId, name: 'Hook makers', rank: '3', permissions: 'webhooks.manage,moderation.view' },
      })
      const roleIds = body.role.id
      await send(owner, 'PATCH', '/portal/api/members', { workspaceId, accountId: userId, roleIds })
      const webhook = { workspaceId, name: 'Ban log', url: 'https://example.com/', events: 'ban.created' }
      const created = await send(await openSession('hook-maker'), 'POST', '/api/webhooks', webhook)
      const { id } = created.body.webhook
      const kept = await run(['user', 'disable', '--username', 'hook-maker'])
      expect(kept.out).toContain('Events are still sent to 1 webhook of the account.')
      expect(kept.out).toContain(`Ban log (${id} of workspace ${workspaceId})`)
      const paused = await run(['user', 'disable', '--username', 'hook-maker', '--pause-webhooks'])
      expect(paused.out).toContain('Paused 1 webhook of the account.')
      const list = await run(['webhook', 'list', '--workspace', workspaceId])
      expect(list.out).toContain('paused: creator_lost_access')
    })

    test('reports about workspaces are listed until they are resolved', async () => {
      await createModerator('reporter')
      const cookie = await openSession('reporter')
      const sent = await send(cookie, 'POST', '/portal/api/reports', { workspaceId, message: 'Not ours' })
      const { reports } = await runJson<{ reports: object[] }>(['report', 'list'])
      expect(reports).toMatchObject([
        { id: sent.body.id, workspaceId, reporter: 'reporter', message: 'Not ours', resolvedAt: null },
      ])
      expect((await run(['report', 'list'])).out).toContain('Night Owls')
      const resolved = await run(['report', 'resolve', '--id', sent.body.id])
      expect(resolved.out).toBe('Resolved the report about Night Owls.\n')
      expect((await runJson<{ reports: object[] }>(['report', 'list'])).reports).toEqual([])
      expect((await runJson<{ reports: object[] }>(['report', 'list', '--all'])).reports).toHaveLength(1)
      const again = await run(['report', 'resolve', '--id', sent.body.id])
      expect(again).toMatchObject({ exitCode: 1, err: 'This report is already resolved.\n' })
    })

    test('deleting an account ends its access; its records, audit entries and changes keep its name', async () => {
      const userId = await createModerator('Leaver')
      const cookie = await openSession('Leaver')
      const note = await send(cookie, 'POST', '/api/moderation', {
        ...{ workspaceId, action: 'note', userId: '261', reason: 'Helped a new player' },
      })
      expect(note.body.record).toMatchObject({ actorUserId: userId, actorUsername: 'Leaver' })
      await send(cookie, 'POST', '/portal/api/endpoint-controls', {
        ...{ workspaceId, endpoint: 'events', mode: 'read_only' },
      })
      const unconfirmed = await run(['user', 'delete', '--username', 'leaver'])
      expect(unconfirmed).toMatchObject({ exitCode: 2 })
      expect(unconfirmed.err).toContain('Repeat the command with --yes, or run `reeve user disable`')
      expect(await readReason(cookie)).toBe('valid')

      const deleted = await runJson<object>(['user', 'delete', '--username', 'leaver', '--yes'])
      expect(deleted).toEqual({
        ...{ userId, username: 'Leaver' },
        workspaces: [{ id: workspaceId, groupName: 'Night Owls' }],
        ...{ revokedKeys: [], keptKeys: [], pausedWebhooks: [], activeWebhooks: [] },
      })
      expect(await readReason(cookie)).toBe('invalid_session')
      expect((await signIn(running, PASSWORD, 'Leaver')).status).toBe(401)
      expect(await findAccount('Leaver')).toBeUndefined()
      const accounts = await send(owner, 'GET', '/admin/api/accounts?q=leaver')
      expect(accounts.body.accounts).toEqual([])
      expect((await send(owner, 'GET', `/admin/api/accounts?id=${userId}`)).status).toBe(404)
      const members = await send(owner, 'GET', `/portal/api/members?workspaceId=${workspaceId}`)
      expect(JSON.stringify(members.body)).not.toContain('Leaver')

      const records = await request(
        running,
        'GET',
        `/portal/api/audit?workspaceId=${workspaceId}&actorId=${userId}`,
        { headers: { cookie: owner } },
      )
      expect(records.body.entries.map((entry: { actorName: string }) => entry.actorName)).toContain('Leaver')
      const history = await request(
        running,
        'POST',
        `/api/moderation?workspaceId=${workspaceId}&actorUserId=${userId}`,
        { key: apiKey },
      )
      expect(history.body.records).toMatchObject([{ actorUsername: 'Leaver', reason: 'Helped a new player' }])
      const controls = await run(['control', 'list', '--workspace', workspaceId])
      expect(controls.out).toMatch(/^events +read_only +\S+Z +Leaver$/m)
      const doctor = await run(['doctor'])
      expect({ out: doctor.out, exitCode: doctor.exitCode }).toMatchObject({ exitCode: 0 })

      // The name is free again, for an account that has nothing of the old one.
      const { userId: newId } = await create('leaver')
      expect(newId).not.toBe(userId)
      expect((await findAccount('leaver'))?.id).toBe(newId)
      const newcomer = await send(await openSession('leaver'), 'GET', '/portal/api/me')
      expect(newcomer.body.workspaces).toEqual([])
    })

    test('the owner of a workspace cannot be deleted; the workspaces are named', async () => {
      await create('founder')
      const { body } = await send(await openSession('founder'), 'POST', '/api/workspaces', {
        groupName: 'Day Crew',
      })
      expect(body.workspace.groupName).toBe('Day Crew')
      const result = await run(['user', 'delete', '--username', 'founder', '--yes'])
      expect(result).toMatchObject({
        exitCode: 1,
        err: 'founder owns Day Crew. Transfer every workspace to another member first.\n',
      })
      expect((await signIn(running, PASSWORD, 'founder')).status).toBe(200)
    })

    test('an unknown account is an error that names the command to list accounts', async () => {
      for (const [command = '', ...more] of [
        ['disable'],
        ['enable'],
        ['sessions'],
        ['operator', '--grant'],
        ['delete', '--yes'],
      ]) {
        expect(await run(['user', command, '--username', 'nobody', ...more])).toMatchObject({
          exitCode: 1,
          err: 'There is no account named nobody. Run `reeve user list` to list the accounts.\n',
        })
      }
    })
  })
}
