import fc from 'fast-check'
import { LEGACY_PREFIX } from '../support/instance.ts'
import { drawsArbitrary } from './choices.ts'
import { type EnginePair, openEnginePair, ResponseMismatch } from './engine-pair.ts'
import { createFixture } from './fixture.ts'
import { createGenerator, type Generator } from './generator.ts'
import type { NormalizedResponse, Operation } from './operation.ts'

/** Operations of one run, on a new pair of instances: later, most of what they use is revoked, archived or switched off. */
const MAX_OPERATIONS_PER_RUN = 500
/** Differing rows to report; more add nothing. */
const MAX_REPORTED_ROWS = 10

/** Responses by operation and status. */
export type StatusCounts = Map<string, Map<number, number>>

export interface Comparison {
  readonly statusCounts: StatusCounts
  /** Documented operations without a 200 response, or without an error response. */
  readonly uncovered: readonly string[]
  /** The first failure in its shortest form, with the operations that reproduce it; empty when the engines agree. */
  readonly failures: readonly string[]
}

export interface ComparisonOptions {
  readonly seed: number
  /** How many operations to send. */
  readonly operations: number
  /** How long to shrink a failure, in milliseconds. */
  readonly shrinkMs: number
  readonly log?: (line: string) => void
}

/** One request to both instances, as a command of fast-check. It is created at run time from the responses before it. */
class SendOperation implements fc.AsyncCommand<Generator, Run> {
  constructor(private readonly draws: readonly number[]) {}

  check = (): boolean => true

  async run(generator: Generator, run: Run): Promise<void> {
    if (run.isOver()) return
    const operation = generator.next(this.draws, run.pair.now())
    run.sent.push(operation)
    const response = await run.pair.execute(operation)
    generator.handleResponse(response)
    run.onResponse(operation, response)
  }

  toString = (): string => 'operation'
}

interface Run {
  readonly pair: EnginePair
  readonly sent: Operation[]
  readonly isOver: () => boolean
  readonly onResponse: (operation: Operation, response: NormalizedResponse) => void
}

/**
 * Sends the same operations to an instance on each engine and compares every response (status, headers and body without
 * random values), then all stored rows. A difference is shrunk to the fewest and simplest operations.
 */
export async function compareEngines({
  seed,
  operations,
  shrinkMs,
  log = () => {},
}: ComparisonOptions): Promise<Comparison> {
  const statusCounts: StatusCounts = new Map()
  let documentedNames: readonly string[] = []
  let done = 0
  let failure = null as { readonly report: string; readonly stopAt: number } | null

  const onResponse = (operation: Operation, { status }: NormalizedResponse) => {
    if (failure !== null) return
    const name = formatOperationName(operation)
    const statuses = statusCounts.get(name) ?? new Map<number, number>()
    statusCounts.set(name, statuses.set(status, (statuses.get(status) ?? 0) + 1))
    done += 1
    if (done % 1000 === 0) log(`${done} of ${operations} operations`)
  }
  const isOver = () => failure === null && done >= operations

  async function sendAll(commands: Iterable<fc.AsyncCommand<Generator, Run>>): Promise<void> {
    // A candidate that is not run counts as passed, which ends the shrinking.
    if (isOver() || (failure !== null && performance.now() > failure.stopAt)) return
    const pair = await openEnginePair()
    const sent: Operation[] = []
    try {
      if (documentedNames.length === 0) documentedNames = await listDocumentedOperations(pair)
      const generator = createGenerator(await createFixture(pair, 0))
      await fc.asyncModelRun(() => ({ model: generator, real: { pair, sent, isOver, onResponse } }), commands)
      const problems = [
        ...(await pair.findStoredDifferences()).slice(0, MAX_REPORTED_ROWS),
        ...(await pair.findFaults()),
      ]
      if (problems.length > 0) throw new Error(problems.join('\n'))
    } catch (error) {
      if (failure === null) log(`failed after ${sent.length} operations; shrinking`)
      const lines = [
        `seed ${seed}, ${sent.length} operations:`,
        ...sent.map((operation) => JSON.stringify(operation)),
      ]
      failure = {
        report: [...lines, describeError(error)].join('\n'),
        stopAt: failure?.stopAt ?? performance.now() + shrinkMs,
      }
      throw error
    } finally {
      await pair.close()
    }
  }

  const commandLists = fc.noBias(
    fc.commands([drawsArbitrary.map((draws) => new SendOperation(draws))], {
      maxCommands: MAX_OPERATIONS_PER_RUN,
      size: 'max',
      disableReplayLog: true,
    }),
  )
  const property = fc.asyncProperty(commandLists, sendAll)
  for (let round = 0; done < operations && failure === null; round++) {
    await fc.check(property, { seed: seed + round, numRuns: 1 })
  }
  return {
    statusCounts,
    uncovered: findUncovered(statusCounts, documentedNames),
    failures: failure === null ? [] : [failure.report],
  }
}

const describeError = (error: unknown): string =>
  error instanceof ResponseMismatch ? Bun.inspect(error.responses, { depth: 10 }) : Bun.inspect(error)

export const formatOperationName = ({ method, path }: Operation): string =>
  `${method} ${path
    .replace(LEGACY_PREFIX, '/api')
    .replace(/\?.*/, '')
    .replace(/(?<=^\/media\/).*/, ':file')}`

/** Operations that return secrets and random positions: `contract/webhooks` and `test/feed` compare them on both engines. */
const COMPARED_ELSEWHERE = /^\w+ \/api\/(?:webhooks|changes)(?:\/|$)/

/** Every operation of the OpenAPI document that random requests include. */
export async function listDocumentedOperations(pair: EnginePair): Promise<string[]> {
  const { paths } = await pair.runOnBoth(async (instance) => {
    const { body } = await instance.request('GET', '/openapi.json')
    return { paths: body.paths as Record<string, object> }
  })
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((name) => !COMPARED_ELSEWHERE.test(name))
}

const findUncovered = (statusCounts: StatusCounts, documentedNames: readonly string[]): string[] =>
  documentedNames.flatMap((name) => {
    const statuses = [...(statusCounts.get(name)?.keys() ?? [])]
    return [
      ...(statuses.includes(200) ? [] : [`${name} never returned 200`]),
      ...(statuses.some((status) => status >= 400) ? [] : [`${name} never returned an error`]),
    ]
  })
