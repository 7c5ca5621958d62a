import lighthouse from 'lighthouse'
import { launchBrowser } from '../../support/browser.ts'

/** Lighthouse's categories that are measured, and the lowest score of each. */
export const minimumScores = { performance: 0.98, accessibility: 1, 'best-practices': 1 } as const

export type Scores = Record<keyof typeof minimumScores, number>

/** A TCP port that is free now. */
async function findFreePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  if (port === undefined) throw new Error('no port is free')
  return port
}

/** Rates a page as Lighthouse does for phones: with a simulated slow connection and processor. */
export async function measureLighthouse(url: string): Promise<Scores> {
  const port = await findFreePort()
  const browser = await launchBrowser([`--remote-debugging-port=${port}`])
  try {
    const result = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: Object.keys(minimumScores),
    })
    const readScore = (id: keyof Scores): number => {
      const score = result?.lhr.categories[id]?.score
      if (typeof score !== 'number') throw new Error(`Lighthouse could not rate ${id} of ${url}`)
      return score
    }
    return {
      performance: readScore('performance'),
      accessibility: readScore('accessibility'),
      'best-practices': readScore('best-practices'),
    }
  } finally {
    await browser.close()
  }
}
