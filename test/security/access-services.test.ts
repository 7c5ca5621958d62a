import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, openInstance, type RequestOptions } from '../support/instance.ts'
import { readStoredRows } from '../support/stored-rows.ts'
import { contentCases } from './content-cases.ts'
import { peopleCases } from './people-cases.ts'
import { createScene, type Scene, type ServiceCase } from './service-case.ts'
import { CHECK_CALLS, serviceChecks } from './service-checks.ts'
import { workspaceCases } from './workspace-cases.ts'

const cases: readonly ServiceCase[] = [...contentCases, ...peopleCases, ...workspaceCases]

const TEST_FOLDER = join(import.meta.dir, '..')
const PACKAGES = join(TEST_FOLDER, '..', 'packages')

let instance: Instance

beforeAll(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterAll(() => instance.close())

async function createCaller(
  { instance: { member, key }, workspace }: Scene,
  { callers, rejectedRank }: ServiceCase,
  granted: readonly Permission[],
  rank = rejectedRank === undefined ? 10 : rejectedRank + 1,
): Promise<RequestOptions> {
  return callers === 'key'
    ? { key: await key(workspace.id, granted) }
    : { session: (await member(workspace.id, granted, rank)).session }
}

/** Sends the request to new rows. @returns `200`, or the status, code and reason; throws if a rejected one changes a row */
async function run(one: ServiceCase, granted: readonly Permission[], rank?: number): Promise<string> {
  const scene = await createScene(instance)
  const send = await one.prepare(scene)
  const as = await createCaller(scene, one, granted, rank)
  const before = await readStoredRows(instance)
  const { status, body } = await send(as)
  if (status === 200) return '200'
  expect(await readStoredRows(instance)).toEqual(before)
  return [status, body?.code, body?.reason, body?.permission].filter((part) => part !== undefined).join(' ')
}

describe('exactly the documented permissions and rank are enough to', () => {
  for (const one of cases) {
    test(one.name, async () => {
      expect(await run(one, one.requires)).toBe('200')
      for (const missing of one.requires) {
        const others = permissions.filter((permission) => permission !== missing)
        expect(await run(one, others)).toBe(`403 forbidden missing_permission ${missing}`)
      }
      if (one.rejectedRank === undefined) return
      expect(await run(one, permissions, one.rejectedRank)).toBe('403 forbidden insufficient_rank')
      expect(await run(one, permissions, one.rejectedRank + 1)).toBe('200')
    }, 60_000)
  }
})

describe('every check of a service', () => {
  test('is counted in service-checks.ts, with a case that reaches it or a test', async () => {
    const found: Record<string, number> = {}
    for (const file of new Bun.Glob('*/src/**/*.ts').scanSync(PACKAGES)) {
      // The gate is what `access-matrix.test.ts` tests; `core` and `http` have the rules themselves.
      if (/^(?:core|http)\/|^auth\/src\/gate\//.test(file)) continue
      const checks = countChecks(await readFile(join(PACKAGES, file), 'utf8'))
      if (checks > 0) found[file] = checks
    }
    const known = Object.fromEntries(
      Object.entries(serviceChecks).map(([file, { checks }]) => [file, checks]),
    )
    expect(
      found,
      'A service has other checks than listed: add a ServiceCase for each new one, then its number to service-checks.ts',
    ).toEqual(known)
  })

  test('is reached by a case, or by the test that is named', () => {
    const reached = new Set(cases.flatMap(({ reaches }) => reaches))
    const problems = Object.entries(serviceChecks).flatMap(([file, { testedBy }]) => {
      if (testedBy !== undefined)
        return existsSync(join(TEST_FOLDER, testedBy)) ? [] : [`${file}: ${testedBy} does not exist`]
      return reached.has(file) ? [] : [`${file}: no case reaches it`]
    })
    expect(problems).toEqual([])
  })
})

/** Comments do not call anything, and the definition of a check is not one. */
const countChecks = (source: string): number =>
  [
    ...source
      .replaceAll(/^\s*(?:\*|\/\/).*$/gm, '')
      .replaceAll(/function \w+\(/g, '')
      .matchAll(CHECK_CALLS),
  ].length
