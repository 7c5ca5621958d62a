import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '@reeve/db/test-cluster'
import { temporaryFolder } from '../support/folder.ts'
import { nginxIn, runNginx } from '../support/nginx.ts'
import { ROOT } from '../support/program.ts'

const OPENSSL = '/usr/bin/openssl'

/** The file that people take. */
export const NGINX_CONF = join(ROOT, 'deploy/nginx/reeve.conf')

/** The ports that the file names, and those that take their place here. */
export interface Ports {
  /** Where the two processes of the example listen. */
  readonly upstreams: readonly [number, number]
}

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], { stdout: 'ignore', stderr: 'pipe' })
  const [said, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { said, exitCode }
}

/**
 * A folder with the file of `deploy/`, nothing changed in it but the ports, with a certificate for its name, and with what
 * Debian puts around it: compression, above all.
 */
async function prepared({ upstreams }: Ports) {
  const folder = temporaryFolder()
  const [plain = 0, secure = 0] = freePorts(2)
  const ports: Record<string, string> = {
    '127.0.0.1:3000': `127.0.0.1:${upstreams[0]}`,
    '127.0.0.1:3001': `127.0.0.1:${upstreams[1]}`,
    'listen 80;': `listen 127.0.0.1:${plain};`,
    'listen 443 ': `listen 127.0.0.1:${secure} `,
  }
  let site = readFileSync(NGINX_CONF, 'utf8')
  for (const [port, other] of Object.entries(ports)) {
    if (!site.includes(port)) throw new Error(`${NGINX_CONF} does not say ${port}`)
    site = site.replaceAll(port, other)
  }
  writeFileSync(join(folder.path, 'reeve.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = [
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
    ...temporary.map((kind) => `${kind}_temp_path ${kind};`),
    'include reeve.conf;',
    '}',
  ]
  writeFileSync(join(folder.path, 'nginx.conf'), main.join('\n'))
  await Bun.$`mkdir ${join(folder.path, 'tls')}`.quiet()
  const name = 'staff.example.com'
  const { exitCode, said } = await run([
    ...[OPENSSL, 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-subj', `/CN=${name}`, '-keyout', join(folder.path, `tls/${name}.key`)],
    ...['-out', join(folder.path, `tls/${name}.crt`)],
  ])
  if (exitCode !== 0) throw new Error(said)
  return { folder, plain, secure }
}

/** Whether nginx takes the file, and what it says of it. */
export async function checkedByNginx(ports: Ports) {
  const { folder } = await prepared(ports)
  try {
    return await run([...nginxIn(folder), '-t'])
  } finally {
    folder.remove()
  }
}

/** A real nginx with the file of `deploy/` before two processes. */
export async function openNginx(ports: Ports) {
  const { folder, plain, secure } = await prepared(ports)
  const close = await runNginx(folder, secure)
  const origin = `https://127.0.0.1:${secure}`
  return {
    plainOrigin: `http://127.0.0.1:${plain}`,
    origin,
    /** Makes a call as a browser would that trusts the certificate. */
    call: (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${origin}${path}`, { redirect: 'manual', tls: { rejectUnauthorized: false }, ...init }),
    close,
  }
}

export type Nginx = Awaited<ReturnType<typeof openNginx>>
