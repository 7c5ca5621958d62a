import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@reeve/db/test-cluster'
import { waitUntilListening } from '../support/listening.ts'
import { ROOT } from '../support/program.ts'
import { replaceTexts } from '../support/replace-texts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CADDY = '/usr/bin/caddy'

/**
 * Runs Caddy with the Caddyfile from `deploy/` in front of processes. The file is changed in three details: no administration
 * port, plain HTTP through its own variable, and the older names of `request_buffers` in Debian 12, which the file mentions.
 * @param upstreams the ports of the processes
 */
export async function startDeployedCaddy(upstreams: readonly number[]) {
  const folder = temporaryFolder()
  const port = freePort()
  const version = await Bun.$`${CADDY} version`.text()
  const buffers = version.startsWith('2.6.2')
    ? { 'request_buffers 4MB': 'buffer_requests\n\t\tmax_buffer_size 4MB' }
    : {}
  const file = join(ROOT, 'deploy/caddy/Caddyfile')
  const content = replaceTexts(file, { '{\n\tservers': '{\n\tadmin off\n\tservers', ...buffers })
  writeFileSync(join(folder.path, 'Caddyfile'), content)
  const child = Bun.spawn([CADDY, 'run', '--config', join(folder.path, 'Caddyfile')], {
    env: {
      ...process.env,
      HOME: folder.path,
      SITE: `http://127.0.0.1:${port}`,
      UPSTREAMS: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  await waitUntilListening('Caddy', child, port)
  return {
    fetchPath: (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, init),
    async close() {
      child.kill('SIGTERM')
      await child.exited
      folder.remove()
    },
  }
}
