import { expect } from 'bun:test'
import { openBrowser, openPage } from './browser.ts'
import { openPlace, type Place } from './place.ts'

type Opened = Awaited<ReturnType<typeof openPage>>

/** What a browser says by itself of an answer that is a refusal. */
export const REFUSAL = /Failed to load resource: the server responded with a status of 4\d\d/

/** A place and a browser for one test after another: pages that were opened are closed with `leave`. */
export async function openVisits() {
  const browser = await openBrowser()
  let place: Place | null = null
  const opened: Opened[] = []

  return {
    /** The place of this test: an empty one, made when it is first asked for. */
    async place(): Promise<Place> {
      place ??= await openPlace()
      return place
    },
    /** Opens a page of the place, in a session where one is given. */
    async visit(path = '/', session?: string, options: Parameters<typeof openPage>[2] = {}): Promise<Opened> {
      const { origin, cookie } = await this.place()
      const cookies = session === undefined ? [] : [cookie(session)]
      const page = await openPage(browser, `${origin}${path}`, options, cookies)
      opened.push(page)
      return page
    },
    /** Closes what this test opened. */
    async leave(): Promise<void> {
      await Promise.all(opened.splice(0).map((one) => one.close()))
      await place?.close()
      place = null
    },
    close: () => browser.close(),
  }
}

/** Nothing left for another host, nothing was blocked, and nothing went wrong but refusals. */
export async function expectCalm({ foreign, violations, complaints }: Opened): Promise<void> {
  expect(foreign()).toEqual([])
  expect(await violations()).toEqual([])
  expect(complaints.filter((one) => !REFUSAL.test(one))).toEqual([])
}
