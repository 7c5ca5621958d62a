import { type Answer, type Connection, NoAnswer, openConnection } from './connection.ts'
import type { Place } from './population.ts'
import { type Work, type Write, workOf } from './work.ts'

/** A write that was answered with success. */
export interface Acknowledged {
  readonly id: string
  readonly rows: number
  /** No earlier than the answer came, in epoch milliseconds. */
  readonly at: number
}

/** What writers were told, over any number of lives of a server. */
export interface Ledger {
  readonly acknowledged: Acknowledged[]
  /** By the address where it is read: the last state that was answered, null where nothing is there any more. */
  readonly states: Map<
    string,
    { readonly state: object | null; readonly name: string; readonly place: Place }
  >
  /** Answers that no write may get: anything but success and an honest `unavailable`. */
  readonly wrong: string[]
  /** How often a write was answered `unavailable`. */
  unavailable: number
  /** How often a connection ended before any of an answer had come, and in the middle of one. */
  closed: number
  cut: number
  /** Repeats after which it showed that the write had been kept, though its answer never came. */
  keptUnanswered: number
}

export interface Load {
  readonly ledger: Ledger
  /**
   * Writes until `isOver`, or until the server is gone; what is under way then is repeated in the next life. Behind a proxy
   * it is repeated at once: another server may answer.
   */
  readonly run: (url: string, isOver: () => boolean) => Promise<void>
  /** Repeats every write that has no answer yet, under its own key, until it has one. */
  readonly settle: (url: string) => Promise<void>
  /** The writes that were sent and never answered. */
  readonly unanswered: () => readonly string[]
}

const PAUSE_MS = 5
/** How many times a write is tried again on a server that answers `unavailable` and ought to recover. */
const MOST_TRIES = 2000

interface Writer {
  readonly name: string
  readonly place: Place
  readonly work: Work
  write: Write
  made: number
  /** Whether it was sent before and may have been carried out. */
  wasSent: boolean
}

/** What a proxy says of a server that went away before it answered: whether the write was carried out is not known. */
const isOfProxy = ({ status, body }: Answer) => [502, 504].includes(status) && body === null

export interface LoadOptions {
  /** Half of the writers store large images, so that the log is soon full and folded in. */
  readonly isHeavy?: boolean
  readonly isBehindProxy?: boolean
}

export function openLoad(
  places: readonly Place[],
  writers: number,
  chance: () => number,
  { isHeavy = false, isBehindProxy = false }: LoadOptions = {},
): Load {
  const ledger: Ledger = {
    acknowledged: [],
    states: new Map(),
    wrong: [],
    unavailable: 0,
    closed: 0,
    cut: 0,
    keptUnanswered: 0,
  }
  const all = Array.from({ length: writers }, (_, index): Writer => {
    const name = `w${index}`
    const place = places[index % places.length] as Place
    const work = workOf(index, isHeavy)(place, name, chance)
    return { name, place, work, write: work.next().value, made: 0, wasSent: false }
  })
  const idOf = ({ name, made }: Writer) => `${name}-${made}`

  async function send(writer: Writer, connection: Connection): Promise<Answer | null> {
    const { write, place } = writer
    const id = idOf(writer)
    const wasSent = writer.wasSent
    try {
      const answer = await connection.call({
        ...write,
        headers: { ...credentials(place, write.as), 'x-request-id': id, 'idempotency-key': id },
      })
      writer.wasSent = true
      if (isBehindProxy && isOfProxy(answer)) throw new NoAnswer('closed')
      if (answer.status === 200 && wasSent && answer.head.includes('\r\nidempotent-replayed: true')) {
        ledger.keptUnanswered += 1
      }
      return answer
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      if (error.how !== 'refused') writer.wasSent = true
      if (error.how === 'closed') ledger.closed += 1
      if (error.how === 'cut') ledger.cut += 1
      return null
    }
  }

  /** Sends what a writer is at, and takes in the answer. @returns whether the writer goes on */
  async function goOn(writer: Writer, connection: Connection): Promise<boolean> {
    const answer = await send(writer, connection)
    const goesOn = answer ? take(writer, answer) : isBehindProxy
    if (goesOn && answer?.status !== 200) await Bun.sleep(PAUSE_MS)
    return goesOn
  }

  /** @returns whether the writer goes on */
  function take(writer: Writer, answer: Answer): boolean {
    const { write, place } = writer
    if (answer.status === 503 && answer.body?.code === 'unavailable') {
      ledger.unavailable += 1
      return true
    }
    if (answer.status !== 200) {
      ledger.wrong.push(
        `${write.method} ${write.path} ${JSON.stringify(write.body).slice(0, 200)}: ${answer.status} ${JSON.stringify(answer.body)}`,
      )
      return false
    }
    // A clock in whole milliseconds tells a time before the answer came; a millisecond later is after.
    ledger.acknowledged.push({ id: idOf(writer), rows: write.rows ?? 1, at: Date.now() + 1 })
    if (write.alsoChanges !== undefined) ledger.states.delete(write.alsoChanges)
    if (write.state) {
      const { name, path } = write.state
      const state = answer.body[name]
      ledger.states.set(path(state), { state: write.removes ? null : state, name, place })
    }
    writer.write = writer.work.next(answer.body).value
    writer.made += 1
    writer.wasSent = false
    return true
  }

  return {
    ledger,
    async run(url, isOver) {
      await Promise.all(
        all.map(async (writer) => {
          const connection = openConnection(url)
          while (!isOver() && (await goOn(writer, connection))) {}
          connection.close()
        }),
      )
    },
    async settle(url) {
      await Promise.all(
        all
          .filter((writer) => writer.wasSent)
          .map(async (writer) => {
            const connection = openConnection(url)
            for (let tries = 0; writer.wasSent && tries < MOST_TRIES; tries++) {
              if (!(await goOn(writer, connection))) break
            }
            connection.close()
            if (writer.wasSent) ledger.wrong.push(`${idOf(writer)} got no answer in the end`)
          }),
      )
    },
    unanswered: () => all.filter((writer) => writer.wasSent).map(idOf),
  }
}

export const credentials = (place: Place, as: Write['as']): Record<string, string> =>
  as === 'key'
    ? { authorization: `Bearer ${place.key}` }
    : { cookie: `reeve_session=${place.session}`, 'sec-fetch-site': 'same-origin' }
