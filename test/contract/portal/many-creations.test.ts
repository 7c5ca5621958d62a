import { afterAll, beforeAll, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type ApiKeyTable, insertAll, statement, type WebhookTable } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'

/** How many a list has at most, and how many this account has in all. */
const LISTED = 100
const EXISTING = 103
/** What nginx accepts by default, in bytes. Source: https://nginx.org/en/docs/http/ngx_http_core_module.html#large_client_header_buffers */
const MAX_REQUEST_LINE = 8192

const findKeys = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('id', 'desc')
    .limit(1),
)
const insertKey = statement<ApiKeyTable>()((sql, p) => insertAll(sql, 'api_key', p))
const findWebhooks = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('webhook').selectAll().where('workspace_id', '=', p.workspaceId),
)
const insertWebhook = statement<WebhookTable>()((sql, p) => insertAll(sql, 'webhook', p))

let instance: Instance
let operator: string
let workspaceId: string
let maker: Awaited<ReturnType<Instance['member']>>

beforeAll(async () => {
  instance = await openInstance()
  operator = await instance.session(await instance.account('Operator', true))
  const workspace = await instance.workspace()
  workspaceId = workspace.id
  maker = await instance.member(workspaceId, [...permissions], 50)
  await createMany()
})
afterAll(() => instance.close())

/** Creates an API key and a webhook, and copies of both: a workspace limits how many it has, but there can be many workspaces. */
async function createMany(): Promise<void> {
  const { session } = maker
  const key = { workspaceId, name: 'Server', permissions: 'departments.view' }
  await instance.request('POST', '/portal/api/api-keys', { session, body: key })
  const webhook = { workspaceId, name: 'Ban log', url: 'https://example.com/', events: 'ban.created' }
  await instance.request('POST', '/api/webhooks', { session, body: webhook })
  await instance.db.write(async (tx) => {
    const [keyRow] = await tx.all(findKeys, { workspaceId })
    const [webhookRow] = await tx.all(findWebhooks, { workspaceId })
    if (!keyRow || !webhookRow) throw new Error('nothing was created')
    for (let count = 1; count < EXISTING; count++) {
      const hash = count.toString(16).padStart(64, '0')
      await tx.run(insertKey, { ...keyRow, id: instance.ports.newId(), key_hash: hash })
      await tx.run(insertWebhook, { ...webhookRow, id: instance.ports.newId() })
    }
  })
}

async function read(path: string, session: string, query: Record<string, string> = {}) {
  const { status, body } = await instance.request('GET', `${path}?${new URLSearchParams(query)}`, { session })
  const items: { id: string }[] = body.apiKeys ?? body.webhooks
  return { status, ids: items.map(({ id }) => id), more: body.more }
}
const readAsOperator = (kind: 'keys' | 'webhooks') =>
  read(`/admin/api/accounts/${kind}`, operator, { id: maker.accountId })

test.each(['keys', 'webhooks'] as const)(
  'the list of the %s of an account says how many it leaves out, to operators and to the account',
  async (kind) => {
    for (const { ids, more } of [
      await readAsOperator(kind),
      await read(`/portal/api/account/${kind}`, maker.session),
    ])
      expect([ids.length, more]).toEqual([LISTED, String(EXISTING - LISTED)])
  },
)

test('a proxy accepts the request that deletes the account with all that are listed', async () => {
  const [keys, webhooks] = [await readAsOperator('keys'), await readAsOperator('webhooks')]
  const query = { revokeKeyIds: keys.ids.join(), pauseWebhookIds: webhooks.ids.join() }
  const parameters = new URLSearchParams({ id: maker.accountId, ...query })
  expect(`DELETE /admin/api/accounts?${parameters} HTTP/1.1\r\n`.length).toBeLessThan(MAX_REQUEST_LINE)
})

test('those that were not listed when an account was disabled are listed then, and nothing is left out any more', async () => {
  const [keys, webhooks] = [await readAsOperator('keys'), await readAsOperator('webhooks')]
  const body = {
    ...{ id: maker.accountId, disabled: 'true' },
    ...{ revokeKeyIds: keys.ids.join(), pauseWebhookIds: webhooks.ids.join() },
  }
  expect((await instance.request('PATCH', '/admin/api/accounts', { session: operator, body })).status).toBe(
    200,
  )
  for (const [kind, before] of [
    ['keys', keys],
    ['webhooks', webhooks],
  ] as const) {
    const { ids, more } = await readAsOperator(kind)
    expect([ids.length, more]).toEqual([EXISTING - LISTED, '0'])
    expect(ids.filter((id) => before.ids.includes(id))).toEqual([])
  }
  expect(instance.unexpectedErrors).toEqual([])
})
