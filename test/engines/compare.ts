import { LEGACY_PREFIX } from '../support/instance.ts'
import { generatorOf } from './generator.ts'
import type { Operation } from './operation.ts'
import { newScene } from './scene.ts'
import { Difference, openTwins, type Twins } from './twins.ts'

/** How many operations a scene lives: then everything that was switched off, archived or revoked in it is left behind. */
const OPERATIONS_OF_A_SCENE = 500

/** How many rows that differ are told: the others say the same. */
const MOST_TOLD = 10

/** How often each operation was answered with each status. */
export type Spread = Map<string, Map<number, number>>

export interface Comparison {
  readonly spread: Spread
  /** Operations of the OpenAPI document that were never answered 200, or never refused. */
  readonly unmet: readonly string[]
  /** Each difference in words, with all it takes to see it again, and what else is wrong with either instance. */
  readonly broken: readonly string[]
}

const nameOf = ({ method, path }: Operation): string =>
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
  say: (line: string) => void,
): Promise<Comparison> {
  const twins = await openTwins()
  const spread: Spread = new Map()
  const broken: string[] = []
  try {
    for (let done = 0; done < operations && broken.length === 0; ) {
      const some = Math.min(OPERATIONS_OF_A_SCENE, operations - done)
      await oneScene(twins, seed, done, some, spread, broken)
      done += some
      if (done % 1000 === 0) say(`${done} of ${operations} operations`)
    }
    broken.push(...(await twins.differences()).slice(0, MOST_TOLD), ...(await twins.faults()))
    return { spread, unmet: unmetIn(spread, await documented(twins)), broken }
  } finally {
    await twins.close()
  }
}

async function oneScene(
  twins: Twins,
  seed: number,
  from: number,
  operations: number,
  spread: Spread,
  broken: string[],
): Promise<void> {
  const generator = generatorOf(seed + from, await newScene(twins, from))
  for (let number = from; number < from + operations; number++) {
    const operation = generator.next(number, twins.now())
    try {
      const answer = await twins.carryOut(operation)
      generator.answered(answer)
      const statuses = spread.get(nameOf(operation)) ?? new Map<number, number>()
      spread.set(nameOf(operation), statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1))
    } catch (error) {
      if (!(error instanceof Difference)) throw error
      broken.push(
        `seed ${seed}, operation ${number}: ${JSON.stringify(operation)}\n${Bun.inspect(error.answers)}`,
      )
      return
    }
  }
}

/** Every operation of the OpenAPI document. */
async function documented(twins: Twins): Promise<string[]> {
  const { paths } = await twins.both(async (instance) => {
    const { body } = await instance.call('GET', '/openapi.json')
    return { paths: body.paths as Record<string, object> }
  })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

const unmetIn = (spread: Spread, all: readonly string[]): string[] =>
  all.flatMap((name) => {
    const statuses = [...(spread.get(name)?.keys() ?? [])]
    return [
      ...(statuses.includes(200) ? [] : [`${name} was never answered 200`]),
      ...(statuses.some((status) => status >= 400) ? [] : [`${name} was never refused`]),
    ]
  })
