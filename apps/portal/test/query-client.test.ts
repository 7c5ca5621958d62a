import { afterEach, describe, expect, test } from 'bun:test'
import { QueryObserver } from '@tanstack/react-query'
import { queryClient } from '../src/api/query-client.ts'

const queryKey = ['workspace', 'moderation']

/** A server whose responses are sent by hand. */
function createServer() {
  let version = 1
  const held: (() => void)[] = []
  return {
    change: () => {
      version += 1
    },
    /** Reads the version at once. Its response arrives with `respond`. */
    read(): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<number>()
      const response = version
      held.push(() => resolve(response))
      return promise
    },
    countRequests: () => held.length,
    /** Responds to a request once it is there. */
    async respond(index: number) {
      while (held.length <= index) await Bun.sleep(0)
      held[index]?.()
    },
  }
}

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  queryClient.clear()
})

/** Shows the data of a query. @returns what it has shown so far */
function show(server: ReturnType<typeof createServer>): number[] {
  const observer = new QueryObserver(queryClient, { queryKey, queryFn: server.read })
  const shown: number[] = []
  const unsubscribe = observer.subscribe(({ data }) => {
    if (data !== undefined && data !== shown.at(-1)) shown.push(data)
  })
  ends.push(unsubscribe)
  return shown
}

describe('a change while data are read for the first time', () => {
  test('is shown, although the read began before it', async () => {
    const server = createServer()
    const shown = show(server)
    server.change()
    const invalidation = queryClient.invalidateQueries({ queryKey: ['workspace'] })
    await server.respond(0)
    await server.respond(1)
    await invalidation
    expect(shown).toEqual([1, 2])
  })

  test('is shown by the screen that opens once they are read', async () => {
    const server = createServer()
    const opening = queryClient.fetchQuery({ queryKey, queryFn: server.read })
    server.change()
    const invalidation = queryClient.invalidateQueries({ queryKey })
    await server.respond(0)
    expect(await opening).toBe(1)
    const shown = show(server)
    await server.respond(1)
    await invalidation
    expect(shown.at(-1)).toBe(2)
  })

  test('needs one more read, however many there are', async () => {
    const server = createServer()
    const shown = show(server)
    const invalidations = Array.from({ length: 10 }, () => {
      server.change()
      return queryClient.invalidateQueries({ queryKey })
    })
    await server.respond(0)
    await server.respond(1)
    await Promise.all(invalidations)
    expect([server.countRequests(), shown.at(-1)]).toEqual([2, 11])
  })
})
