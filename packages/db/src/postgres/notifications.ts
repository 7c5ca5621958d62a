import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Client } from 'pg'
import { changeKinds, type DataChange } from '../database.ts'

/** The channel of `LISTEN` and `NOTIFY`. */
export const CHANNEL = 'reeve'

/** The maximum size of a notification. Source: https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_PAYLOAD_BYTES = 7900

/** The length of a signature: SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43

/**
 * A message to other processes: a committed change, or a line of text. The last line of a broadcast has an id, whose sender
 * waits until it receives it.
 */
export type Notification =
  | { readonly by: string; readonly change: DataChange }
  | { readonly by: string; readonly line: string; readonly broadcastId?: string | undefined }

/** Writes and reads the payloads of notifications. Any user of a database can send and receive them, so they are signed. */
export interface NotificationCodec {
  /** Notifies all listeners after the commit, as SQL. Packs as many messages into a notification as fit. */
  readonly toSql: (messages: readonly Notification[]) => string[]
  /** @returns null for a payload of another version or program: then anything may have changed */
  readonly parse: (payload: string) => Notification[] | null
}

const INSERT_SECRET = `insert into instance_secret (name, value) values ('notifications', $1) on conflict do nothing`
const SELECT_SECRET = `select value from instance_secret where name = 'notifications'`

/** The secret that all processes of this database sign notifications with. The first process creates it. */
export async function loadNotificationSecret(client: Client): Promise<string> {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  await client.query(INSERT_SECRET, [secret])
  const { rows } = await client.query(SELECT_SECRET)
  return String(rows[0]?.value)
}

/** @param secret from `loadNotificationSecret` */
export function createNotificationCodec(secret: string): NotificationCodec {
  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

  return {
    toSql(messages) {
      const texts: string[] = []
      for (const line of messages.map((message) => JSON.stringify(message))) {
        const joined = `${texts.at(-1) ?? ''}\n${line}`
        const isFull = Buffer.byteLength(joined) > MAX_PAYLOAD_BYTES - SIGNATURE_LENGTH - 1
        if (texts.length === 0 || isFull) texts.push(line)
        else texts[texts.length - 1] = joined
      }
      return texts.map((text) => `notify ${CHANNEL}, '${sign(text)}\n${text.replaceAll("'", "''")}'`)
    },

    parse(payload) {
      const text = payload.slice(SIGNATURE_LENGTH + 1)
      const signature = Buffer.from(payload.slice(0, SIGNATURE_LENGTH))
      const expected = Buffer.from(sign(text))
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null
      const messages = text.split('\n').map(parseMessage)
      return messages.every((message) => message !== null) ? messages : null
    },
  }
}

function parseMessage(line: string): Notification | null {
  try {
    const message = JSON.parse(line) as Partial<
      Record<'by' | 'change' | 'line' | 'broadcastId', unknown>
    > | null
    if (message === null || typeof message.by !== 'string') return null
    const { by, change, line: text, broadcastId } = message
    if (broadcastId !== undefined && typeof broadcastId !== 'string') return null
    if (typeof text === 'string') return { by, line: text, ...(broadcastId !== undefined && { broadcastId }) }
    return isDataChange(change) ? { by, change } : null
  } catch {
    return null
  }
}

function isDataChange(value: unknown): value is DataChange {
  const { kind, workspaceId, id, isDraft } = (value ?? {}) as Partial<Record<keyof DataChange, unknown>>
  return (
    (changeKinds as readonly unknown[]).includes(kind) &&
    typeof workspaceId === 'string' &&
    typeof id === 'string' &&
    (isDraft === undefined || typeof isDraft === 'boolean')
  )
}
