import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '@reeve/db/test-cluster'
import { nginxCommand, runNginx } from '../support/nginx.ts'
import { ROOT } from '../support/program.ts'
import { replaceTexts } from '../support/replace-texts.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const OPENSSL = '/usr/bin/openssl'

/** The example configuration. */
const NGINX_FOLDER = join(ROOT, 'deploy/nginx')
/** Keeps requests away from processes that are not ready. */
export const UPSTREAMS_SCRIPT = join(NGINX_FOLDER, 'reeve-upstreams.sh')
const UPSTREAMS_FILE = 'reeve-upstreams.conf'

/** The ports in the file, and those that replace them in the tests. */
export interface NginxPorts {
  /** The ports of the two example processes. */
  readonly upstreams: readonly [number, number]
}

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], { stdout: 'ignore', stderr: 'pipe' })
  const [stderrText, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { stderrText, exitCode }
}

/**
 * A folder with the configuration from `deploy/`, changed only in its ports, with a certificate for its host name and Debian's
 * default settings, most importantly compression.
 */
async function prepareNginxFolder({ upstreams }: NginxPorts) {
  const folder = temporaryFolder()
  const [httpPort = 0, httpsPort = 0] = freePorts(2)
  const copyFile = (name: string, ports: Readonly<Record<string, string>>) =>
    writeFileSync(join(folder.path, name), replaceTexts(join(NGINX_FOLDER, name), ports))
  copyFile('reeve.conf', {
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen 443 ': `listen 127.0.0.1:${httpsPort} `,
  })
  copyFile(UPSTREAMS_FILE, {
    '127.0.0.1:3000': `127.0.0.1:${upstreams[0]}`,
    '127.0.0.1:3001': `127.0.0.1:${upstreams[1]}`,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const mainConfig = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    'worker_processes 1;',
    'pid nginx.pid;',
    'events { worker_connections 256; }',
    'http {',
    'access_log off;',
    'gzip on;',
    'gzip_proxied any;',
    'gzip_types text/event-stream application/json;',
    'gzip_min_length 1;',
    ...temporary.map((bodyKind) => `${bodyKind}_temp_path ${bodyKind};`),
    'include reeve.conf;',
    '}',
  ]
  writeFileSync(join(folder.path, 'nginx.conf'), mainConfig.join('\n'))
  await Bun.$`mkdir ${join(folder.path, 'tls')}`.quiet()
  const name = 'staff.example.com'
  const { exitCode, stderrText } = await run([
    ...[OPENSSL, 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-subj', `/CN=${name}`, '-keyout', join(folder.path, `tls/${name}.key`)],
    ...['-out', join(folder.path, `tls/${name}.crt`)],
  ])
  if (exitCode !== 0) throw new Error(stderrText)
  return { folder, httpPort, httpsPort }
}

/** Starts the script from `deploy/` that keeps requests away from processes that are not ready. @returns stops it */
function startReadinessChecks(folder: TemporaryFolder): () => Promise<void> {
  const child = Bun.spawn(['/bin/sh', UPSTREAMS_SCRIPT, join(folder.path, UPSTREAMS_FILE)], {
    env: { ...process.env, RELOAD: [...nginxCommand(folder), '-s', 'reload'].join(' ') },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return async () => {
    child.kill('SIGTERM')
    await child.exited
  }
}

/** Checks the file with nginx. @returns its result and output */
export async function checkNginxConfig(ports: NginxPorts) {
  const { folder } = await prepareNginxFolder(ports)
  try {
    return await run([...nginxCommand(folder), '-t'])
  } finally {
    folder.remove()
  }
}

/** Runs nginx with the configuration from `deploy/` in front of two processes. */
export async function startDeployedNginx(ports: NginxPorts, { checksReadiness = false } = {}) {
  const { folder, httpPort, httpsPort } = await prepareNginxFolder(ports)
  const stopNginx = await runNginx(folder, httpsPort)
  const stopChecks = checksReadiness ? startReadinessChecks(folder) : async () => {}
  const origin = `https://127.0.0.1:${httpsPort}`
  return {
    plainOrigin: `http://127.0.0.1:${httpPort}`,
    origin,
    /** Sends a request that trusts the test certificate. */
    fetchPath: (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${origin}${path}`, { redirect: 'manual', tls: { rejectUnauthorized: false }, ...init }),
    async close() {
      await stopChecks()
      await stopNginx()
    },
  }
}

export type DeployedNginx = Awaited<ReturnType<typeof startDeployedNginx>>
