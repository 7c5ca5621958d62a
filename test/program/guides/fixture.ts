import { readdirSync, statSync } from 'node:fs'
import { createInstanceClient } from './instance.ts'
import { createMachine } from './machine.ts'

export const DATA = '/var/lib/reeve'
export const BACKUPS = '/var/lib/reeve-backups'
/** The start of a command with the settings of the service. */
const WITH_SETTINGS =
  'sudo systemd-run --pipe --wait --quiet --uid=reeve --property=EnvironmentFile=/etc/reeve/reeve.env ' +
  `--setenv=REEVE_DATA_DIR=${DATA}`

/** A machine on which the commands of the guide are executed, and what the checks of their effects need. */
export async function openFixture() {
  const machine = await createMachine()
  const instance = createInstanceClient(machine)

  const getMode = (path: string): string => (statSync(machine.locate(path)).mode & 0o777).toString(8)
  const listFiles = (path: string): string[] => readdirSync(machine.locate(path)).sort()
  const runAsReeve = (command: string) => machine.run(`sudo -u reeve ${command} --data-dir ${DATA}`)
  const runWithSettings = (command: string) => machine.run(`${WITH_SETTINGS} ${command}`)
  const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/readyz`)).ok

  /** Waits for the backup that the service creates when there is none: only one runs at a time. */
  const waitForBackup = () => machine.getService().waitForLog(({ msg }) => msg === 'backup')

  /** The path of the latest backup in the folder. */
  const findBackup = (): string => `${BACKUPS}/${listFiles(BACKUPS).findLast((name) => name.endsWith('.db'))}`

  /** Puts the settings back, so that the next section begins with those of the example. */
  async function resetService(): Promise<void> {
    machine.resetSettings()
    await machine.run('systemctl restart reeve')
  }

  return {
    ...{ machine, instance },
    ...{ getMode, listFiles, runAsReeve, runWithSettings, isReady, waitForBackup, findBackup, resetService },
  }
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>
