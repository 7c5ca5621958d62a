import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@reeve/db/test-cluster'
import { waitUntilListening } from './listening.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

const NGINX = '/usr/sbin/nginx'

/** The host and port of a URL; `unix:` and a path is the same in nginx. */
const toNginxAddress = (url: string): string => (url.startsWith('unix:') ? url : new URL(url).host)

/** Round robin. A failed server is skipped briefly, and only safe requests are retried. */
const createNginxConfig = (folder: string, port: number, servers: readonly string[]): string => `
daemon off;
master_process off;
pid ${folder}/pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  scgi_temp_path ${folder}/scgi;
  uwsgi_temp_path ${folder}/uwsgi;
  client_max_body_size 4m;
  upstream reeve {
    ${servers.map((url) => `server ${toNginxAddress(url)} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://reeve;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_next_upstream error timeout;
      proxy_connect_timeout 1s;
    }
  }
}
`

/**
 * Starts nginx with the configuration in a folder and waits until it listens on a port.
 * @returns a function that stops nginx and deletes the folder
 */
export async function runNginx(folder: TemporaryFolder, port: number): Promise<() => Promise<void>> {
  const child = Bun.spawn([...nginxCommand(folder)], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  await waitUntilListening('nginx', child, port)
  return async () => {
    child.kill('SIGTERM')
    await child.exited
    folder.remove()
  }
}

/** The command that runs nginx with `nginx.conf` in a folder. */
export const nginxCommand = ({ path }: TemporaryFolder): readonly string[] => [
  ...[NGINX, '-p', path, '-c', 'nginx.conf', '-e', 'stderr'],
]

/** An nginx that balances several servers. */
export interface NginxProxy {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts nginx in front of the servers at these URLs and waits until it listens. */
export async function startNginx(servers: readonly string[]): Promise<NginxProxy> {
  const folder = temporaryFolder()
  const port = freePort()
  writeFileSync(join(folder.path, 'nginx.conf'), createNginxConfig(folder.path, port, servers))
  return { url: `http://127.0.0.1:${port}`, stop: await runNginx(folder, port) }
}
