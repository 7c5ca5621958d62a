import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readConfig } from '@reeve/api/config'
import { type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { isPermission, publicPaths } from '@reeve/core'
import { type Instance, LEGACY_PREFIX, openInstance } from '../support/instance.ts'
import { ROOT } from '../support/program.ts'

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

  test('accepts bodies of up to the documented size, and no larger ones', async () => {
    const guide = await Bun.file(join(ROOT, 'docs/api.md')).text()
    const sentence = /^Request bodies are limited to 64 KiB, .*$/m.exec(guide)?.[0] ?? ''
    const documented = new Map(
      [...sentence.matchAll(/([\d,]+) bytes for `(POST \S+)`/g)].map(([, bytes = '', name = '']) => [
        name,
        Number(bytes.replaceAll(',', '')),
      ]),
    )
    const [, eventMebibytes] = /(\d+) MiB for events/.exec(sentence) ?? []
    const { id, key } = await instance.workspace()
    const send = async (method: string, path: string, size: number) => {
      const body = `{"title":"${'x'.repeat(size - '{"title":""}'.length)}"}`
      return (await instance.request(method, `${path}?workspaceId=${id}`, { key, body })).status
    }
    const writes = routes.filter(({ method, path }) => isUnder('/api', path) && !/^(GET|HEAD)$/.test(method))
    expect(writes.length).toBeGreaterThan(10)
    for (const { method, path } of writes) {
      const name = `${method} ${path}`
      // A deletion only names its event.
      const limit =
        path.startsWith('/api/events') && method !== 'DELETE'
          ? Number(eventMebibytes) * 1024 * 1024
          : (documented.get(name) ?? 64 * 1024)
      expect([name, await send(method, path, limit)]).not.toEqual([name, 413])
      expect([name, await send(method, path, limit + 1)]).toEqual([name, 413])
    }
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

test('portal routes accept no keys, and admin routes only operators', () => {
  for (const route of routes) {
    const caller = getRule(route)?.caller
    if (route.path.startsWith('/admin/')) expect([route.path, caller]).toEqual([route.path, 'operator'])
    if (route.path.startsWith('/portal/')) expect(['anyone', 'session']).toContain(caller ?? 'no rule')
  }
})

/** Writes of the portal in a workspace that no endpoint control stops, and why. */
const UNCONTROLLED_WRITES: Readonly<Record<string, readonly string[]>> = {
  'who has access, which is no part of an endpoint that can be turned off': [
    'POST /portal/api/api-keys',
    'POST /portal/api/api-keys/confirm',
    'POST /portal/api/api-keys/revoke',
    'POST /portal/api/api-keys/rotate',
    'POST /portal/api/deleted-members/blank-name',
    'DELETE /portal/api/invitations',
    'POST /portal/api/invitations',
    'DELETE /portal/api/members',
    'PATCH /portal/api/members',
    'PATCH /portal/api/members/players',
    'POST /portal/api/ownership',
    'DELETE /portal/api/roles',
    'PATCH /portal/api/roles',
    'POST /portal/api/roles',
    'POST /portal/api/roles/permissions',
    'POST /portal/api/roles/ranks',
    'PATCH /portal/api/second-factor-policy',
  ],
  'turns endpoints on again': ['POST /portal/api/endpoint-controls'],
  'what somebody has for themselves': [
    'POST /portal/api/inbox/mentions',
    'DELETE /portal/api/saved-views',
    'PATCH /portal/api/saved-views',
    'POST /portal/api/saved-views',
  ],
  'stops what is running': ['POST /portal/api/imports/cancel', 'POST /portal/api/jobs/cancel'],
  'reads an archive, or deletes one to make room': [
    'DELETE /portal/api/archive',
    'POST /portal/api/archive/download',
  ],
  'the end of the workspace, which its owner decides': [
    'POST /portal/api/workspace/delete',
    'POST /portal/api/workspace/undelete',
  ],
}

test('a write of the portal in a workspace is stopped by the control of an endpoint, or it is listed why by none', () => {
  const uncontrolled = routes.filter((route) => {
    const rule = getRule(route)
    const isWrite = !/^(GET|HEAD)$/.test(route.method)
    return isWrite && rule?.caller === 'session' && rule.workspace !== 'none' && rule.writesTo === null
  })
  expect(uncontrolled.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    Object.values(UNCONTROLLED_WRITES).flat().sort(),
  )
})

test('no route without a prefix is below a legacy prefix that the settings accept', () => {
  const names = new Set(routes.map(({ path }) => path.split('/')[1] ?? ''))
  expect(names.size).toBeGreaterThan(10)
  // `/api` has the default prefix.
  for (const name of names.difference(new Set(['', 'api'])))
    expect(() => readConfig({}, { REEVE_LEGACY_PREFIX: `/${name}/v1` }), name).toThrow(
      'REEVE_LEGACY_PREFIX must',
    )
})
