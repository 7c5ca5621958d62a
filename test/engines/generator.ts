import { seededRandom } from '../bench/random.ts'
import { departmentRead, departmentWrite } from './asks/departments.ts'
import { eventRead, eventWrite } from './asks/events.ts'
import { moderationDesk, moderationRead, moderationWrite } from './asks/moderation.ts'
import { history, memberRead, memberWrite, roleRead, roleWrite } from './asks/staff.ts'
import { control, workspaceRead, workspaceWrite } from './asks/workspaces.ts'
import { diceOf } from './dice.ts'
import { spoilt } from './mishaps.ts'
import type { Ask, LeveledAnswer, Operation } from './operation.ts'
import type { Scene } from './scene.ts'
import { type Asking, type Caller, type Place, worldOf } from './world.ts'

const asks: readonly (readonly [number, (asking: Asking) => Ask])[] = [
  [14, moderationRead],
  [24, moderationWrite],
  [3, moderationDesk],
  [5, departmentRead],
  [10, departmentWrite],
  [6, eventRead],
  [10, eventWrite],
  [4, workspaceRead],
  [6, workspaceWrite],
  [6, control],
  [3, roleRead],
  [6, roleWrite],
  [4, memberRead],
  [6, memberWrite],
  [4, history],
]

const MINUTE_MS = 60_000
/** How many calls a caller makes at once when it is in a hurry: more than its rate lets through. */
const FLURRY = 45
/** How many requests are remembered, to be made again. */
const MOST_KEPT = 30

interface Kept {
  readonly ask: Ask
  readonly caller: Caller
  readonly place: Place
  readonly headers: Readonly<Record<string, string>>
}

/** What is asked for in a scene, one operation after the other, each made from the answers to those before it. */
export function generatorOf(seed: number, scene: Scene) {
  const dice = diceOf(seededRandom(seed))
  const { often, pick, below } = dice
  const world = worldOf(dice, scene.places)
  const kept: Kept[] = []
  let last: Kept | null = null
  let following: Kept | null = null
  let flurry: { readonly caller: Caller; readonly place: Place; left: number } | null = null

  /** Mostly somebody who may; the portal is for people. */
  function callerIn(place: Place, ask: Ask): Caller {
    if (ask.path.startsWith('/admin') && often(0.8)) return scene.operator
    const isForPeople = ask.path.startsWith('/portal') && often(0.95)
    const oneOf = (callers: readonly Caller[]) =>
      pick(isForPeople ? callers.filter(({ session }) => session !== undefined) : callers)
    return dice.weighed<() => Caller>([
      [75, () => oneOf(place.entitled)],
      [18, () => oneOf(place.others)],
      [3, () => oneOf(pick(scene.places).entitled)],
      [1, () => scene.operator],
      [2, () => pick(scene.strangers)],
      [1, () => ({ key: (place.entitled[0]?.key ?? '').slice(0, -1) })],
    ])()
  }

  /** Fields of the head: the caller's name for the request, and what makes a write safe. */
  function headersOf(ask: Ask, number: number): Record<string, string> {
    const { id, roleId } = (ask.body ?? ask.query ?? {}) as { id?: string; roleId?: string }
    const about = roleId ?? id
    const isWrite = ask.method !== 'GET' && ask.method !== 'HEAD'
    return {
      ...(often(0.97) ? { 'x-request-id': `${seed}-${number}` } : {}),
      ...(isWrite && about && often(0.25) ? { 'if-match': world.matchFor(about) } : {}),
      ...(isWrite && often(0.2) ? { 'idempotency-key': `key ${below(often(0.9) ? 1e6 : 9)}` } : {}),
      ...(often(0.01) ? { 'sec-fetch-site': 'cross-site' } : {}),
      ...(often(0.005) ? { 'content-type': 'text/plain' } : {}),
      ...(often(0.01) ? { authorization: pick(['Basic eDp4', 'Bearer', 'Bearer a b']) } : {}),
    }
  }

  /** One that was made before, once more: as it was, with something else in it, or by somebody else. */
  function again(number: number): Kept {
    const one = pick(kept)
    const headers = { ...one.headers, 'x-request-id': `${seed}-${number}` }
    return dice.weighed<Kept>([
      [6, { ...one, headers }],
      [4, { ...one, headers, ask: spoilt(dice, one.ask) }],
      [1, { ...one, headers, caller: pick(one.place.others) }],
    ])
  }

  function fresh(number: number, now: number): Kept {
    const place = flurry?.place ?? pick(scene.places)
    // An archived workspace refuses nearly everything: before long somebody sees to it.
    const make = world.isArchived(place.id) && often(0.3) ? workspaceWrite : dice.weighed(asks)
    const made = make({ dice, world, place, now })
    const ask = often(0.07) ? spoilt(dice, made) : made
    return { ask, place, caller: flurry?.caller ?? callerIn(place, ask), headers: headersOf(ask, number) }
  }

  function pause(): number {
    if (flurry !== null) return 0
    return dice.weighed<() => number>([
      [50, () => below(3) * 500],
      [40, () => below(90_000)],
      [8, () => below(60 * MINUTE_MS)],
      [1, () => below(26 * 60 * MINUTE_MS)],
    ])()
  }

  return {
    /** @param now epoch milliseconds of the instances */
    next(number: number, now: number): Operation {
      if (flurry !== null && --flurry.left < 0) flurry = null
      if (flurry === null && often(0.004)) {
        const place = pick(scene.places)
        flurry = { place, caller: pick(often(0.8) ? place.entitled : place.others), left: FLURRY }
      }
      const goesOn = following
      following = null
      last = goesOn ?? (kept.length > 0 && often(0.07) ? again(number) : fresh(number, now))
      const { ask, caller, headers } = last
      return {
        method: ask.method,
        path: ask.path,
        query: ask.query ?? {},
        ...('body' in ask ? { body: ask.body } : {}),
        ...caller,
        headers,
        after: pause(),
        flushes: often(0.05),
      }
    },

    /** Takes in what the last operation was answered. */
    answered({ status, head, text }: LeveledAnswer): void {
      if (last === null) return
      const { ask, place, headers } = last
      const isJson = text.startsWith('{')
      if (status === 200 && isJson) world.see(text, place.id)
      const { nextCursor } = isJson ? JSON.parse(text) : {}
      if (typeof nextCursor === 'string' && ask.query && often(0.7))
        following = { ...last, ask: { ...ask, query: { ...ask.query, cursor: nextCursor } } }
      const tag = /^etag: (.*)$/m.exec(head)?.[1]
      if (tag !== undefined && often(0.5))
        following = { ...last, headers: { ...headers, 'if-none-match': tag } }
      if (headers['idempotency-key'] === undefined) return
      kept.push(last)
      if (kept.length > MOST_KEPT) kept.splice(below(MOST_KEPT), 1)
    },
  }
}
