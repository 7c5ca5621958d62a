import { BINARY, runReeve } from '../../support/program.ts'
import { type LoadContext, repeatAction, type Scenario } from '../scenario.ts'

/** Runs a command of the program beside the server. */
async function runCommand({ dataDir, databaseUrl }: LoadContext, args: readonly string[]): Promise<void> {
  const env: Record<string, string> = databaseUrl === null ? {} : { REEVE_DATABASE_URL: databaseUrl }
  const { exitCode, out, err } = await runReeve(args, { dataDir, program: BINARY, env })
  if (exitCode !== 0) throw new Error(`${args[0]} exited with ${exitCode}: ${err}${out.slice(-500)}`)
}

const verification: Scenario = {
  name: 'verification',
  title: 'audit verification (`reeve doctor`)',
  async run(context) {
    const count = await repeatAction(context, () => runCommand(context, ['doctor']))
    return `${count} verifications`
  },
}

const backup: Scenario = {
  name: 'backup',
  title: 'backup',
  sqliteOnly: true,
  async run(context) {
    const count = await repeatAction(context, () =>
      runCommand(context, ['backup', '--to', `${context.outputDir}/`, '--keep', '1']),
    )
    return `${count} backups`
  },
}

/** Commands that read the whole database. */
export const commandScenarios: readonly Scenario[] = [verification, backup]
