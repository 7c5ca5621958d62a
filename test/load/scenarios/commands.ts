import { BINARY, type CommandResult, runReeve } from '../../support/program.ts'
import { type LoadContext, repeatAction, type Scenario } from '../scenario.ts'

/** Runs a command of the program beside the server. @throws Error unless it succeeds */
async function runCommand(
  { dataDir, databaseUrl }: LoadContext,
  args: readonly string[],
  isSuccess = ({ exitCode }: CommandResult) => exitCode === 0,
): Promise<void> {
  const env: Record<string, string> = databaseUrl === null ? {} : { REEVE_DATABASE_URL: databaseUrl }
  const result = await runReeve(args, { dataDir, program: BINARY, env })
  const { exitCode, out, err } = result
  if (!isSuccess(result)) throw new Error(`${args[0]} exited with ${exitCode}: ${err}${out.slice(-500)}`)
}

/** The generated records are not in the audit log, which is a fault; the log itself must have none. */
function hasIntactLog({ out }: CommandResult): boolean {
  const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string }[] }
  return findings.some(({ check, verdict }) => check === 'audit' && verdict === 'ok')
}

const verification: Scenario = {
  name: 'verification',
  title: 'audit verification (`reeve doctor`)',
  async run(context) {
    const count = await repeatAction(context, () => runCommand(context, ['doctor', '--json'], hasIntactLog))
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
