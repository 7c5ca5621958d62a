import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@reeve/db/test-cluster'
import { temporaryFolder } from './folder.ts'

const NGINX = '/usr/sbin/nginx'

/** Requests go to each server in turn. One that is gone is left out for a moment, and only what is safe is sent twice. */
const configuration = (folder: string, port: number, servers: readonly string[]): string => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/answers;
  fastcgi_temp_path ${folder}/fastcgi;
  scgi_temp_path ${folder}/scgi;
  uwsgi_temp_path ${folder}/uwsgi;
  client_max_body_size 4m;
  upstream reeve {
    ${servers.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=1s;`).join('\n    ')}
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

/** nginx before several servers. */
export interface Front {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts nginx before servers at these addresses, and waits until it answers. */
export async function startNginx(servers: readonly string[]): Promise<Front> {
  const folder = temporaryFolder()
  const port = freePort()
  const file = join(folder.path, 'nginx.conf')
  writeFileSync(file, configuration(folder.path, port, servers))
  const child = Bun.spawn([NGINX, '-p', folder.path, '-c', file, '-e', join(folder.path, 'error.log')], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const url = `http://127.0.0.1:${port}`
  const complaints = new Response(child.stderr).text()
  while (!(await fetch(`${url}/healthz`).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${await complaints}`)
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      folder.remove()
    },
  }
}
