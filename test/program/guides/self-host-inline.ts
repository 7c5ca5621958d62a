import { expect } from 'bun:test'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../support/program.ts'
import { BACKUPS, DATA, type Fixture } from './fixture.ts'
import type { InlineChecks } from './steps.ts'

/** What self-host.md promises of the commands in its sentences and tables. */
export function createInlineChecks({
  machine,
  instance,
  getMode,
  listFiles,
  runWithSettings,
  isReady,
  findBackup,
}: Fixture): InlineChecks {
  /** A command that a sentence only names: its help has the same name. */
  async function checkName(command: string): Promise<void> {
    const { out } = await machine.run(`${command} --help`)
    expect(out).toStartWith(`Usage: ${command} `)
  }

  const checkNameOfExample = (command: string): Promise<void> => checkName(command.replace(/ --.*/, ''))

  /** A script that is not executed: other tests use what `build` creates, and `release` has tests of its own. */
  async function checkScript(command: string): Promise<void> {
    const { scripts } = await Bun.file(join(ROOT, 'package.json')).json()
    expect(Object.keys(scripts)).toContain(command.replace('bun run ', ''))
  }

  /** Commands that are executed with the settings of the service, with what they print. */
  const prints = (pattern: RegExp) => async (command: string) => {
    const { out, err } = await runWithSettings(command)
    expect(out + err).toMatch(pattern)
  }

  return {
    // Not executed, because they need Alpine Linux or macOS.
    async 'apk add libstdc++'() {},
    async 'shasum --algorithm 256 --check --ignore-missing SHA256SUMS'() {},
    async 'xattr -d com.apple.quarantine reeve'() {},
    'bun run build': checkScript,
    'bun run release': checkScript,
    'reeve init': checkName,
    'reeve webhook list': checkName,
    'reeve webhook test': checkName,
    'reeve webhook resend': checkName,
    async 'sudo systemctl restart reeve'(command) {
      const { pid } = machine.getService()
      await machine.run(command)
      expect(machine.getService().pid).not.toBe(pid)
    },
    async 'sudo usermod --append --groups reeve www-data'(command) {
      await machine.run(command)
      expect(readFileSync(machine.locate('/groups'), 'utf8')).toBe('reeve: www-data\n')
    },
    async 'sudo -u reeve reeve backup --data-dir /var/lib/reeve'(command) {
      const backup = findBackup()
      await machine.run(command)
      expect(findBackup()).not.toBe(backup)
    },
    async 'chmod 700 <folder>'(command) {
      machine.replaceExample('<folder>', DATA)
      await machine.run('systemctl stop reeve')
      chmodSync(machine.locate(DATA), 0o755)
      await expect(machine.run('systemctl start reeve')).rejects.toThrow(command.replace('<folder>', ''))
      await machine.run(command)
      await machine.run('systemctl start reeve')
      expect(getMode(DATA)).toBe('700')
    },
    async 'reeve backup --to <file>.db'(command) {
      machine.replaceExample('<file>', '/mnt/usb/readable')
      chmodSync(machine.locate('/mnt/usb'), 0o755)
      await runWithSettings(command)
      expect(getMode('/mnt/usb/readable.db')).toBe('600')
    },
    'reeve serve': checkName,
    'reeve config check': prints(/^All settings are valid\.$/m),
    'reeve key confirm': checkName,
    'reeve key revoke': checkName,
    'reeve user': checkName,
    'reeve user delete': checkName,
    'reeve user disable': checkName,
    // Not executed, because it would change the clock of the machine that runs the test.
    async 'sudo timedatectl set-ntp true'() {},
    'reeve doctor': prints(/^ok +audit +All \d+ audit log rows are present and unchanged\.$/m),
    // Not executed, because pg_dump refuses a server that is newer than itself, as the embedded one is.
    async 'pg_dump --format=custom'() {},
    'reeve audit verify': prints(/^All \d+ rows of \d+ chains are present and unchanged\.$/m),
    'reeve audit export': checkName,
    'reeve secret-key replace': checkName,
    'reeve secret-key rotate': checkName,
    'reeve backup': prints(/^Created and verified backup /m),
    'reeve restore': checkName,
    'reeve move': checkName,
    async 'sudo systemctl start reeve'(command) {
      await machine.run('systemctl stop reeve')
      await machine.run(command)
      expect(await isReady(machine.getService().url)).toBe(true)
    },
    async 'reeve backup --to /mnt/usb/reeve.db'(command) {
      await runWithSettings(command)
      expect(listFiles('/mnt/usb')).toContain('reeve.db')
    },
    'reeve backup list': prints(/ s3:\/\/reeve-backups\/reeve\/reeve-/),
    'reeve backup verify': prints(/ can be restored\. /),
    async 'sha256sum -c'(command) {
      const { out } = await machine.run(`cd ${machine.locate(BACKUPS)} && ${command} *.sha256`)
      expect(out).toMatch(/^reeve-\S+\.db: OK$/m)
    },
    async 'reeve restore --from <file> --check'(command) {
      machine.replaceExample('<file>', findBackup())
      await prints(/contains 1 workspace, 1 account, 2 moderation records/)(command)
    },
    async 'reeve restore --from <file>'(command) {
      await instance.ban('4416')
      await machine.run('systemctl stop reeve')
      await runWithSettings(command)
      await machine.run('systemctl start reeve')
      expect(await instance.listBans()).toEqual(['156', '261'])
    },
    'reeve backup create-key': checkName,
    'reeve workspace list': prints(/ Night Owls /),
    // A test of its own deletes a workspace: test/program/workspace-deletion.test.ts.
    'reeve workspace delete --workspace <id> --yes': checkNameOfExample,
    'reeve workspace undelete --workspace <id>': checkNameOfExample,
    async 'reeve health'(command) {
      const { port } = new URL(machine.getService().url)
      await runWithSettings(`env REEVE_PORT=${port} ${command}`)
      await expect(runWithSettings(`env REEVE_PORT=1 ${command}`)).rejects.toThrow('exits with status 1')
    },
    async 'reeve job list'(command) {
      machine.replaceExample('<id>', await instance.startArchive())
      await prints(/^ID +WORKSPACE +KIND /)(command)
    },
    'reeve job show --id <id>': prints(/archive/),
    'reeve job watch --id <id>': prints(/ 100 % succeeded$/m),
    async 'reeve job cancel --id <id>'(command) {
      await expect(runWithSettings(command)).rejects.toThrow('The job is already finished.')
    },
  }
}
