import { statSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../bench/random.ts'
import { temporaryFolder } from '../support/folder.ts'
import { BINARY, serve } from '../support/program.ts'
import { lookInto } from './support/check.ts'
import { type Fault, someOf } from './support/fault.ts'
import { populate } from './support/population.ts'
import { SERVER_ENVIRONMENT } from './support/server.ts'
import { openLoad } from './support/writers.ts'

const WRITERS = 64
const WORKSPACES = 8

/** D4: the server is told to stop under load. Whatever it took on it answers; what it did not answer it did not do. */
export const stop: Fault = {
  promise: 'D4',
  title: 'SIGTERM under load: what was taken on is answered, exit 0, the log folded in',
  async run(plan, say) {
    const chance = seededRandom(plan.seed)
    const stops = plan.cycles ?? (plan.short ? 2 : 40)
    const figures = {
      stops,
      acknowledged: 0,
      lost: 0,
      doubled: 0,
      'answers cut': 0,
      'done unanswered': 0,
      'closed before an answer, not done': 0,
      'slowest ms': 0,
    }
    const broken: string[] = []
    const folder = temporaryFolder()
    try {
      const load = openLoad(await populate(folder.data, WORKSPACES), WRITERS, chance)
      for (let done = 0; done < stops && broken.length === 0; done++) {
        const server = await serve({ dataDir: folder.data, program: BINARY, env: SERVER_ENVIRONMENT })
        await load.settle(server.url)
        const loading = load.run(server.url, () => false)
        await Bun.sleep(50 + chance() * 350)
        const since = performance.now()
        server.signal('SIGTERM')
        const [exitCode] = await Promise.all([server.exited, loading])
        figures['slowest ms'] = Math.max(figures['slowest ms'], Math.round(performance.now() - since))
        if (exitCode !== 0) broken.push(`it exited with ${exitCode}`)
        const left = statSync(join(folder.data, 'reeve.db-wal'), { throwIfNoEntry: false })?.size ?? 0
        if (left > 0) broken.push(`${left} bytes of the log were not folded in`)
        const found = await lookInto(folder.data, load.ledger.acknowledged)
        const unanswered = load.unanswered().filter((id) => found.present.has(id))
        figures['done unanswered'] += unanswered.length
        figures.lost += found.lost.length
        figures.doubled += found.doubled.length
        broken.push(
          ...someOf('acknowledged writes lost', found.lost),
          ...someOf('writes doubled', found.doubled),
          ...someOf('writes were carried out and never answered', unanswered),
          ...found.faults,
        )
        if ((done + 1) % 10 === 0) say(`${done + 1} of ${stops} stops`)
      }
      figures['answers cut'] = load.ledger.cut
      figures['closed before an answer, not done'] = load.ledger.closed - figures['done unanswered']
      figures.acknowledged = load.ledger.acknowledged.length
      if (load.ledger.cut > 0) broken.push(`${load.ledger.cut} answers broke off in the middle`)
      if (load.ledger.unavailable > 0) broken.push(`${load.ledger.unavailable} answers were 503`)
      broken.push(...someOf('wrong answers', load.ledger.wrong))
    } finally {
      folder.remove()
    }
    return { figures, broken }
  },
}
