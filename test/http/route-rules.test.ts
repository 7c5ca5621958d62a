import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { isPermission, publicPaths } from '@reeve/core'
import { type Instance, LEGACY_PREFIX, openInstance } from '../support/instance.ts'

/** The routes outside the public API and their callers: an unlisted route fails the test. */
const OTHER_ROUTES: Readonly<Record<string, DocumentedRule['caller']>> = {
  'DELETE /admin/api/accounts': 'operator',
  'DELETE /portal/api/account/email': 'session',
  'DELETE /portal/api/archive': 'session',
  'DELETE /portal/api/identities': 'session',
  'DELETE /portal/api/factors/totp': 'session',
  'DELETE /portal/api/invitations': 'session',
  'DELETE /portal/api/claims': 'session',
  'DELETE /portal/api/pinned-notes': 'session',
  'DELETE /portal/api/assignments': 'session',
  'DELETE /portal/api/members': 'session',
  'DELETE /portal/api/moderation/evidence-files': 'session',
  'DELETE /portal/api/passkeys': 'session',
  'DELETE /portal/api/roles': 'session',
  'DELETE /portal/api/saved-views': 'session',
  'DELETE /portal/api/sessions': 'session',
  'GET /': 'anyone',
  'GET /.well-known/security.txt': 'anyone',
  'GET /account': 'anyone',
  'GET /admin/api/accounts': 'operator',
  'GET /admin/api/accounts/keys': 'operator',
  'GET /admin/api/audit': 'operator',
  'GET /admin/api/audit.csv': 'operator',
  'GET /admin/api/instance': 'operator',
  'GET /admin/api/reports': 'operator',
  'GET /admin/api/workspaces': 'operator',
  'GET /admin/api/workspaces/deleted': 'operator',
  'GET /appeal': 'anyone',
  'GET /clients/:file': 'anyone',
  'GET /clients/reeve.luau': 'anyone',
  'GET /clients/reeve.rbxmx': 'anyone',
  'GET /docs': 'anyone',
  'GET /docs/reference/:file': 'anyone',
  'GET /first-run': 'anyone',
  'GET /healthz': 'anyone',
  'GET /invitation': 'anyone',
  'GET /media/:file': 'anyone',
  'GET /metrics': 'anyone',
  'GET /openapi.json': 'anyone',
  'GET /operator': 'anyone',
  'GET /operator/*': 'anyone',
  'GET /portal/api/account/keys': 'session',
  'GET /portal/api/actors': 'session',
  'GET /portal/api/api-keys': 'session',
  'GET /portal/api/appeals': 'session',
  'GET /portal/api/appeals/appeal': 'session',
  'GET /portal/api/appeals/settings': 'session',
  'GET /portal/api/appeals/statistics': 'session',
  'GET /portal/api/archive': 'session',
  'GET /portal/api/audit': 'session',
  'GET /portal/api/audit.csv': 'session',
  'GET /portal/api/content': 'session',
  'GET /portal/api/deleted-members': 'session',
  'GET /portal/api/departments': 'session',
  'GET /portal/api/endpoint-controls': 'session',
  'GET /portal/api/factors': 'session',
  'GET /portal/api/first-run': 'anyone',
  'GET /portal/api/identities': 'session',
  'GET /portal/api/imports': 'session',
  'GET /portal/api/imports/import': 'session',
  'GET /portal/api/imports/issues': 'session',
  'GET /portal/api/insights.csv': 'session',
  'GET /portal/api/invitations': 'session',
  'GET /portal/api/invitations/received': 'session',
  'GET /portal/api/jobs': 'session',
  'GET /portal/api/live': 'session',
  'GET /portal/api/me': 'session',
  'GET /portal/api/members': 'session',
  'GET /portal/api/members/keys': 'session',
  'GET /portal/api/members/players': 'session',
  'GET /portal/api/moderation.csv': 'session',
  'GET /portal/api/moderation/evidence-files': 'session',
  'GET /portal/api/moderation/limits': 'session',
  'GET /portal/api/overview': 'session',
  'GET /portal/api/player-data.json': 'session',
  'GET /portal/api/players': 'session',
  'GET /portal/api/reasons': 'session',
  'GET /portal/api/records.jsonl': 'session',
  'GET /portal/api/roles': 'session',
  'GET /portal/api/roles/holdings': 'session',
  'GET /portal/api/roles/keys': 'session',
  'GET /portal/api/case-work': 'session',
  'GET /portal/api/inbox/counts': 'session',
  'GET /portal/api/inbox': 'session',
  'GET /portal/api/assignees': 'session',
  'GET /portal/api/saved-views': 'session',
  'GET /portal/api/search': 'session',
  'GET /portal/api/second-factor-policy': 'session',
  'GET /portal/api/security-activity': 'session',
  'GET /portal/api/sessions': 'session',
  'GET /portal/api/usage': 'session',
  'GET /portal/api/usage.csv': 'session',
  'GET /portal/api/verification': 'session',
  'GET /portal/assets/:file': 'anyone',
  'GET /readyz': 'anyone',
  'GET /sign-in': 'anyone',
  'GET /sign-in/:provider/callback': 'anyone',
  'GET /sign-in/password': 'anyone',
  'GET /w/*': 'anyone',
  'GET /workspaces': 'anyone',
  'GET /workspaces/*': 'anyone',
  'PATCH /admin/api/accounts': 'operator',
  'PATCH /admin/api/reports': 'operator',
  'PATCH /portal/api/appeals/settings': 'session',
  'PATCH /portal/api/members': 'session',
  'PATCH /portal/api/members/players': 'session',
  'PATCH /portal/api/passkeys': 'session',
  'PATCH /portal/api/roles': 'session',
  'PATCH /portal/api/saved-views': 'session',
  'PATCH /portal/api/second-factor-policy': 'session',
  'PATCH /portal/api/workspace': 'session',
  'POST /admin/api/accounts': 'operator',
  'POST /admin/api/accounts/factors/reset': 'operator',
  'POST /admin/api/accounts/link': 'operator',
  'POST /admin/api/quotas': 'operator',
  'POST /admin/api/workspaces/undelete': 'operator',
  'POST /portal/api/account/delete': 'session',
  'POST /portal/api/account/email': 'session',
  'POST /portal/api/account/email/confirmation': 'session',
  'POST /portal/api/api-keys': 'session',
  'POST /portal/api/api-keys/confirm': 'session',
  'POST /portal/api/api-keys/revoke': 'session',
  'POST /portal/api/api-keys/rotate': 'session',
  'POST /appeal': 'anyone',
  'POST /appeal/file': 'anyone',
  'POST /portal/api/appeals/claim': 'session',
  'POST /portal/api/appeals/decide': 'session',
  'POST /portal/api/appeals/message': 'session',
  'POST /portal/api/appeals/release': 'session',
  'POST /portal/api/archive/download': 'session',
  'POST /portal/api/deleted-members/blank-name': 'session',
  'POST /portal/api/departments/members': 'session',
  'POST /portal/api/departments/order': 'session',
  'POST /portal/api/endpoint-controls': 'session',
  'POST /portal/api/factors/recovery-codes': 'session',
  'POST /portal/api/factors/totp': 'session',
  'POST /portal/api/factors/totp/confirm': 'session',
  'POST /portal/api/first-run': 'anyone',
  'POST /portal/api/identities': 'session',
  'POST /portal/api/imports': 'session',
  'POST /portal/api/imports/apply': 'session',
  'POST /portal/api/imports/cancel': 'session',
  'POST /portal/api/imports/part': 'session',
  'POST /portal/api/invitation': 'anyone',
  'POST /portal/api/invitation/accept': 'session',
  'POST /portal/api/invitation/sign-up': 'anyone',
  'POST /portal/api/invitations': 'session',
  'POST /portal/api/invitations/decline': 'session',
  'POST /portal/api/jobs/cancel': 'session',
  'POST /portal/api/moderation/evidence-files': 'session',
  'POST /portal/api/ownership': 'session',
  'POST /portal/api/passkeys': 'session',
  'POST /portal/api/passkeys/options': 'session',
  'POST /portal/api/password': 'session',
  'POST /portal/api/password-link': 'anyone',
  'POST /portal/api/password-link/password': 'anyone',
  'POST /portal/api/password-reset': 'anyone',
  'POST /portal/api/reports': 'session',
  'POST /portal/api/roles': 'session',
  'POST /portal/api/roles/ranks': 'session',
  'POST /portal/api/claims': 'session',
  'POST /portal/api/pinned-notes': 'session',
  'POST /portal/api/inbox/mentions': 'session',
  'POST /portal/api/assignments': 'session',
  'POST /portal/api/saved-views': 'session',
  'POST /portal/api/sign-in': 'anyone',
  'POST /portal/api/sign-in/passkey': 'anyone',
  'POST /portal/api/sign-in/passkey/options': 'anyone',
  'POST /portal/api/sign-in/callback': 'anyone',
  'POST /portal/api/sign-in/provider': 'anyone',
  'POST /portal/api/sign-in/sign-up': 'anyone',
  'POST /portal/api/sign-in/second-factor': 'anyone',
  'POST /portal/api/sign-out': 'session',
  'POST /portal/api/verification': 'session',
  'POST /portal/api/verification/passkey': 'session',
  'POST /portal/api/verification/passkey/options': 'session',
  'POST /portal/api/verification/provider': 'session',
  'POST /portal/api/workspace/delete': 'session',
  'POST /portal/api/workspace/undelete': 'session',
}

let instance: Instance
let routes: { method: string; path: string; detail: Record<string, unknown> }[]

beforeAll(async () => {
  instance = await openInstance()
  routes = instance.app.routes.map(({ method, path, hooks }) => ({
    method,
    path,
    detail: (hooks as { detail?: Record<string, unknown> }).detail ?? {},
  }))
})
afterAll(() => instance.close())

const getRule = (route: (typeof routes)[number]) => route.detail[RULE_EXTENSION] as DocumentedRule | undefined
const isUnder = (prefix: string, path: string) =>
  publicPaths.some((name) => path === `${prefix}/${name}` || path.startsWith(`${prefix}/${name}/`))
const isPublic = ({ path }: { path: string }) => isUnder('/api', path) || isUnder(LEGACY_PREFIX, path)

describe('every route', () => {
  test('has a rule with known permissions only', () => {
    expect(routes.length).toBeGreaterThan(30)
    for (const route of routes) {
      const name = `${route.method} ${route.path}`
      const rule = getRule(route)
      expect(rule, name).toBeDefined()
      expect(
        rule?.permissions.filter((permission) => !isPermission(permission)),
        name,
      ).toEqual([])
      expect(new Set(rule?.permissions).size, `${name} names a permission twice`).toBe(
        rule?.permissions.length ?? 0,
      )
    }
  })

  test('that requires a caller reads its query by a schema, so that an unknown parameter is an error', () => {
    const without = instance.app.routes.filter(
      ({ method, hooks }) =>
        method !== 'HEAD' &&
        (hooks as { detail?: Record<string, DocumentedRule> }).detail?.[RULE_EXTENSION]?.caller !==
          'anyone' &&
        !(hooks as { query?: object }).query,
    )
    expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('is unique by method and path', () => {
    const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:[^/]+/g, ':')}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

describe('a public route', () => {
  test('requires an API key or a session', () => {
    for (const route of routes.filter(isPublic)) expect(getRule(route)?.caller).toBe('any')
  })

  test('has the same rule under both prefixes', () => {
    const under = (prefix: string) =>
      routes
        .filter(({ path }) => isUnder(prefix, path))
        .map(
          (route) => `${route.method} ${route.path.slice(prefix.length)} ${JSON.stringify(getRule(route))}`,
        )
        .sort()
    expect(under(LEGACY_PREFIX)).toEqual(under('/api'))
    expect(under('/api').length).toBeGreaterThan(12)
  })

  test('is in the OpenAPI document, and nothing else is', async () => {
    const { body } = await instance.request('GET', '/openapi.json')
    const documented = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const current = routes
      .filter(({ path }) => isUnder('/api', path))
      .map(({ method, path }) => `${method} ${path}`)
    expect(documented.sort()).toEqual(current.sort())
  })
})

test('every other route is listed with its callers', () => {
  const others = routes
    .filter((route) => !isPublic(route))
    .map((route) => [`${route.method} ${route.path}`, getRule(route)?.caller ?? 'no rule'] as const)
    .sort(([first], [second]) => (first < second ? -1 : 1))
  expect<Record<string, string>>(Object.fromEntries(others)).toEqual({ ...OTHER_ROUTES })
})

test('portal routes accept no keys, and admin routes only operators', () => {
  for (const route of routes) {
    const caller = getRule(route)?.caller
    if (route.path.startsWith('/admin/')) expect([route.path, caller]).toEqual([route.path, 'operator'])
    if (route.path.startsWith('/portal/')) expect(['anyone', 'session']).toContain(caller ?? 'no rule')
  }
})
