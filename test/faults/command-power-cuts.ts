import { seededRandom } from '../bench/seeded-random.ts'
import type { FaultTest } from './support/fault.ts'
import { interruptedCommands } from './support/interrupted-commands.ts'
import { cutCommand } from './support/record-command.ts'

/** D9: the power is cut while `init`, the first `serve`, `backup`, `restore` and `move` run, and they are run again. */
export const commandPowerCuts: FaultTest = {
  promise: 'D9',
  title:
    'a power cut during init, the first serve, backup, restore or move leaves the old state or the new one',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const stats: Record<string, number> = {}
    const failures: string[] = []
    for (const command of interruptedCommands) {
      const cuts = plan.cuts ?? (plan.short ? 4 : 200)
      const result = await cutCommand(command, cuts, random)
      stats[`${command.name}: cuts`] = result.cuts
      stats['complete afterwards'] = (stats['complete afterwards'] ?? 0) + result.complete
      failures.push(...result.failures.map((failure) => `${command.name}: ${failure}`))
      log(`${command.name}: ${result.steps} steps recorded, ${result.cuts} cuts, ${result.complete} complete`)
    }
    return { stats, failures }
  },
}
