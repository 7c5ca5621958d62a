import { LEGACY_PREFIX } from '../support/instance.ts'
import { type EnginePair, openEnginePair, ResponseMismatch } from './engine-pair.ts'
import { createFixture } from './fixture.ts'
import { createGenerator } from './generator.ts'
import type { Operation } from './operation.ts'

/** How many operations a scene lives: then everything that was switched off, archived or revoked in it is left behind. */
const OPERATIONS_PER_FIXTURE = 500

/** How many rows that differ are told: the others say the same. */
const MAX_REPORTED = 10

/** How often each operation was answered with each status. */
export type StatusCounts = Map<string, Map<number, number>>

export interface Comparison {
  readonly statusCounts: StatusCounts
  /** Operations of the OpenAPI document that were never answered 200, or never refused. */
  readonly uncovered: readonly string[]
  /** Each difference in words, with all it takes to see it again, and what else is wrong with either instance. */
  readonly failures: readonly string[]
}

const formatOperationName = ({ method, path }: Operation): string =>
  `${method} ${path
    .replace(LEGACY_PREFIX, '/api')
    .replace(/\?.*/, '')
    .replace(/(?<=^\/media\/).*/, ':file')}`

/**
 * Carries out operations from a seed on an instance of each engine, one after the other, and compares every answer: status,
 * head and body, but for what is made at random.
 */
export async function compareEngines(
  seed: number,
  operations: number,
  log: (line: string) => void,
): Promise<Comparison> {
  const pair = await openEnginePair()
  const statusCounts: StatusCounts = new Map()
  const failures: string[] = []
  try {
    for (let done = 0; done < operations && failures.length === 0; ) {
      const batchSize = Math.min(OPERATIONS_PER_FIXTURE, operations - done)
      await compareOneFixture(pair, seed, done, batchSize, statusCounts, failures)
      done += batchSize
      if (done % 1000 === 0) log(`${done} of ${operations} operations`)
    }
    failures.push(
      ...(await pair.findStoredDifferences()).slice(0, MAX_REPORTED),
      ...(await pair.findFaults()),
    )
    return {
      statusCounts,
      uncovered: findUncovered(statusCounts, await listDocumentedOperations(pair)),
      failures,
    }
  } finally {
    await pair.close()
  }
}

async function compareOneFixture(
  pair: EnginePair,
  seed: number,
  from: number,
  operations: number,
  statusCounts: StatusCounts,
  failures: string[],
): Promise<void> {
  const generator = createGenerator(seed + from, await createFixture(pair, from))
  for (let number = from; number < from + operations; number++) {
    const operation = generator.next(number, pair.now())
    try {
      const response = await pair.execute(operation)
      generator.handleResponse(response)
      const statuses = statusCounts.get(formatOperationName(operation)) ?? new Map<number, number>()
      statusCounts.set(
        formatOperationName(operation),
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1),
      )
    } catch (error) {
      if (!(error instanceof ResponseMismatch)) throw error
      failures.push(
        `seed ${seed}, operation ${number}: ${JSON.stringify(operation)}\n${Bun.inspect(error.responses)}`,
      )
      return
    }
  }
}

/** Every operation of the OpenAPI document. */
async function listDocumentedOperations(pair: EnginePair): Promise<string[]> {
  const { paths } = await pair.runOnBoth(async (instance) => {
    const { body } = await instance.request('GET', '/openapi.json')
    return { paths: body.paths as Record<string, object> }
  })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

const findUncovered = (statusCounts: StatusCounts, documentedNames: readonly string[]): string[] =>
  documentedNames.flatMap((name) => {
    const statuses = [...(statusCounts.get(name)?.keys() ?? [])]
    return [
      ...(statuses.includes(200) ? [] : [`${name} was never answered 200`]),
      ...(statuses.some((status) => status >= 400) ? [] : [`${name} was never refused`]),
    ]
  })
