import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { findAccountByUsername } from '@reeve/auth'
import { createTestClock } from '../support/clock.ts'
import { type EngineName, idLiteral } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { joinWorkspace } from '../support/join-workspace.ts'
import { runDoctorOn } from './doctor-findings.ts'

const TIMEOUT_MS = 60_000
const ROLE = { name: 'Helper', rank: '10', permissions: 'moderation.view' }

describe.each<EngineName>(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let instance: Instance
  // A finding names no more than some differences: those of another test would take their place.
  beforeEach(async () => {
    instance = await openInstance({ engine, clock: createTestClock(Date.now() - 864_000_000) })
  }, TIMEOUT_MS)
  afterEach(() => instance.close())

  const sql = (statement: string) => instance.storage.query(statement)
  const literal = (id: string) => idLiteral(id, engine)

  async function openWorkspace() {
    const workspace = await instance.workspace()
    const { id: workspaceId, key, ownerSession } = workspace
    const send = async (method: string, path: string, body: Readonly<Record<string, unknown>>) => {
      const credentials = path.startsWith('/portal') ? { session: ownerSession } : { key }
      const response = await instance.request(method, path, {
        ...credentials,
        body: { workspaceId, ...body },
      })
      expect(response.status, response.text).toBe(200)
      return response.body
    }
    const inWorkspace = `workspace_id = ${literal(workspaceId)}`
    return {
      ...workspace,
      workspaceId,
      send,
      inWorkspace,
      create: async (path: string, body: Readonly<Record<string, unknown>>): Promise<string> =>
        Object.values<{ id: string }>(await send('POST', path, body))[0]?.id ?? '',
      /** A new account that has joined with these roles. */
      async join(roleIds: string): Promise<string> {
        const account = await findAccountByUsername(instance.db.read, await createUsername())
        await joinWorkspace(instance, workspace, { username: account?.username ?? '', roleIds })
        return account?.id ?? ''
      },
      rowWhere: (id: string, column = 'id') => `${inWorkspace} and ${column} = ${literal(id)}`,
    }
  }

  /** Creates an account. */
  async function createUsername(): Promise<string> {
    const id = await instance.account()
    const [row] = await instance.storage.query<{ username: string }>(
      `select username from account where id = ${literal(id)}`,
    )
    return String(row?.username)
  }

  /** Inserts a copy of a row with other values, as SQL. */
  async function copyRow(table: string, where: string, values: Readonly<Record<string, string>>) {
    const columns = (await instance.storage.listColumns()).flatMap((row) =>
      row.table === table ? [row.column] : [],
    )
    const selected = columns.map((column) => values[column] ?? column)
    await sql(
      `insert into ${table} (${columns.join()}) select ${selected.join()} from ${table} where ${where}`,
    )
  }

  /** What the doctor names in a workspace, sorted. */
  async function findDifferences(workspaceId: string) {
    const doctor = await runDoctorOn(instance)
    const { verdict, found, advice } = doctor.find('resources')
    const named = found.replace(/\.$/, '').split('; ')
    const differences = named.filter((difference) => difference.includes(workspaceId)).sort()
    if (differences.length > 0) {
      expect({ exitCode: doctor.exitCode, verdict }).toEqual({ exitCode: 1, verdict: 'fault' })
      expect(advice).toContain('audit log')
    }
    return differences.map((difference) => difference.replace(` of workspace ${workspaceId}`, ''))
  }

  test(
    'API keys that were edited, deleted or inserted by hand are named, also those of a rotation',
    async () => {
      const { workspaceId, send, create, rowWhere } = await openWorkspace()
      const createKey = (name: string): Promise<string> =>
        create('/portal/api/api-keys', { name, permissions: 'moderation.view', allowedAddresses: '10.0.0.1' })
      const [granted, ranked, revived, moved, deleted, old, kept] = [
        await createKey('granted'),
        await createKey('ranked'),
        await createKey('revived'),
        await createKey('moved'),
        await createKey('deleted'),
        await createKey('old'),
        await createKey('kept'),
      ]
      const change = async (action: string, id: string) =>
        (await send('POST', `/portal/api/api-keys/${action}`, { id })).apiKey.id
      await change('revoke', revived)
      const rotated = await change('rotate', await change('rotate', old))
      expect(await findDifferences(workspaceId)).toEqual([])

      const widened = `permissions = '["moderation.view","moderation.ban"]'`
      await sql(`update api_key set ${widened} where ${rowWhere(granted)}`)
      await sql(`update api_key set ${widened}, rank = rank + 1 where ${rowWhere(rotated)}`)
      await sql(`update api_key set rank = rank + 1 where ${rowWhere(ranked)}`)
      await sql(`update api_key set revoked_at = null where ${rowWhere(revived)}`)
      await sql(`update api_key set allowed_addresses = null where ${rowWhere(moved)}`)
      await sql(`delete from api_key where ${rowWhere(deleted)}`)
      const inserted = Bun.randomUUIDv7()
      await copyRow('api_key', rowWhere(kept), {
        id: literal(inserted),
        key_hash: engine === 'SQLite' ? 'randomblob(32)' : `sha256('x')`,
      })
      expect(await findDifferences(workspaceId)).toEqual(
        [
          `API key ${granted}: permissions`,
          `API key ${rotated}: rank, permissions`,
          `API key ${ranked}: rank`,
          `API key ${revived}: revokedAt`,
          `API key ${moved}: allowedAddresses`,
          `API key ${deleted}: missing`,
          `API key ${inserted}: not in the audit log`,
        ].sort(),
      )
    },
    TIMEOUT_MS,
  )

  test(
    'accounts that were made operators, inserted or deleted by hand are named',
    async () => {
      const { workspaceId } = await openWorkspace()
      const [promoted, deleted, kept] = [
        await instance.account(),
        await instance.account(),
        await instance.account(),
      ]
      const whereId = (id: string) => `id = ${literal(id)}`
      expect(await findDifferences(workspaceId)).toEqual([])

      await sql(`update account set is_operator = 1 where ${whereId(promoted)}`)
      const inserted = Bun.randomUUIDv7()
      await copyRow('account', whereId(kept), {
        id: literal(inserted),
        username_key: `'inserted'`,
        username_skeleton: `'inserted'`,
        user_handle: 'null',
      })
      await sql(`delete from account where ${whereId(deleted)}`)
      const { found } = (await runDoctorOn(instance)).find('resources')
      for (const difference of [
        `account ${promoted}: isOperator`,
        `account ${inserted}: not in the audit log`,
        `account ${deleted}: missing`,
      ])
        expect(found).toContain(difference)

      await sql(`update account set is_operator = 0 where ${whereId(promoted)}`)
      await sql(`delete from account where ${whereId(inserted)}`)
    },
    TIMEOUT_MS,
  )

  test(
    'members and roles of members that were inserted, removed or exchanged by hand are named, and a second owner',
    async () => {
      const { workspaceId, create, send, join, rowWhere, ownerRoleId } = await openWorkspace()
      const [helper, lead] = [
        await create('/portal/api/roles', ROLE),
        await create('/portal/api/roles', { ...ROLE, name: 'Lead', rank: '90' }),
      ]
      const [promoted, demoted, removed, second, changed] = [
        await join(helper),
        await join(helper),
        await join(helper),
        await join(''),
        await join(helper),
      ]
      await send('PATCH', '/portal/api/members', { accountId: changed, roleIds: `${helper},${lead}` })
      expect(await findDifferences(workspaceId)).toEqual([])

      const inserted = await instance.account()
      const giveRole = (accountId: string, roleId: string) =>
        copyRow('member_role', `${rowWhere(changed, 'account_id')} and role_id = ${literal(lead)}`, {
          account_id: literal(accountId),
          role_id: literal(roleId),
        })
      await copyRow('member', rowWhere(changed, 'account_id'), { account_id: literal(inserted) })
      await giveRole(promoted, lead)
      await giveRole(second, ownerRoleId)
      await sql(`delete from member_role where ${rowWhere(demoted, 'account_id')}`)
      await sql(`delete from member_role where ${rowWhere(removed, 'account_id')}`)
      await sql(`delete from member where ${rowWhere(removed, 'account_id')}`)
      await sql(
        `delete from member_role where ${rowWhere(changed, 'account_id')} and role_id = ${literal(lead)}`,
      )
      expect(await findDifferences(workspaceId)).toEqual(
        [
          `member ${promoted}: roles`,
          `member ${demoted}: roles`,
          `member ${removed}: missing`,
          `member ${second}: isOwner`,
          `member ${changed}: roles`,
          `member ${inserted}: not in the audit log`,
        ].sort(),
      )
    },
    TIMEOUT_MS,
  )

  test(
    'endpoint controls, templates and ladders that were edited, deleted or inserted by hand are named',
    async () => {
      const { workspaceId, create, send, rowWhere, inWorkspace } = await openWorkspace()
      const setControl = (endpoint: string, mode: string) =>
        send('POST', '/portal/api/endpoint-controls', { endpoint, mode })
      const ladder = await create('/api/moderation/ladders', {
        name: 'Chat',
        steps: '[{"count":1,"action":"warn"}]',
      })
      const steps = [1, 2, 3].map((count) => ({ count, action: 'warn' }))
      await send('POST', '/api/moderation/ladders', {
        action: 'update',
        id: ladder,
        steps: JSON.stringify(steps),
      })
      const template = await create('/api/moderation/templates', {
        name: 'Spam',
        publicReason: 'Spam is not allowed.',
      })
      await setControl('moderation', 'off')
      await setControl('events', 'off')
      await setControl('departments', 'off')
      expect(await findDifferences(workspaceId)).toEqual([])

      await sql(`update endpoint_control set mode = 'on' where ${inWorkspace} and endpoint = 'moderation'`)
      await sql(`delete from endpoint_control where ${inWorkspace} and endpoint = 'events'`)
      await copyRow('endpoint_control', `${inWorkspace} and endpoint = 'departments'`, {
        endpoint: `'workspaces'`,
      })
      await sql(`update template set public_reason = 'Anything' where ${rowWhere(template)}`)
      await sql(`update ladder set steps = replace(steps, '3', '9') where ${rowWhere(ladder)}`)
      expect(await findDifferences(workspaceId)).toEqual(
        [
          `endpoint control moderation: mode`,
          `endpoint control events: missing`,
          `endpoint control workspaces: not in the audit log`,
          `template ${template}: publicReason`,
          `ladder ${ladder}: steps`,
        ].sort(),
      )
    },
    TIMEOUT_MS,
  )

  test(
    'roles, departments and events that were edited, deleted or inserted by hand are named',
    async () => {
      const { workspaceId, create, rowWhere } = await openWorkspace()
      const event = { title: 'Patrol', scheduledFor: '2030-01-01T00:00:00Z' }
      const [role, department, published, deleted] = [
        await create('/portal/api/roles', ROLE),
        await create('/api/departments', { name: 'Press', color: '#abc' }),
        await create('/api/events', event),
        await create('/api/events', { ...event, title: 'Gone' }),
      ]
      await sql(`update role set permissions = '["moderation.ban"]', rank = 90 where ${rowWhere(role)}`)
      await sql(`update department set name = 'Nobody' where ${rowWhere(department)}`)
      await sql(`update event set published = 1 - published where ${rowWhere(published)}`)
      await sql(`delete from event where ${rowWhere(deleted)}`)
      const inserted = Bun.randomUUIDv7()
      await copyRow('role', rowWhere(role), { id: literal(inserted), name: `'Twin'`, name_key: `'twin'` })
      expect(await findDifferences(workspaceId)).toEqual(
        [
          `role ${role}: rank, permissions`,
          `department ${department}: name`,
          `event ${published}: published`,
          `event ${deleted}: missing`,
          `role ${inserted}: not in the audit log`,
        ].sort(),
      )
    },
    TIMEOUT_MS,
  )
})
