import { Text } from '@mantine/core'
import { formatDateTime } from '../../../format/time.ts'
import classes from './webhooks.module.css'

/** The part of a message that Reeve writes. */
interface Embed {
  readonly title: string
  readonly description?: string
  readonly color: number
  readonly fields?: readonly { readonly name: string; readonly value: string }[]
  readonly footer: { readonly text: string }
}

/** Markdown of Discord as it reads there: times in the reader's time zone, and characters that are escaped. */
const toPlainText = (text: string): string =>
  text
    .replace(/<t:(\d+):f>/g, (_, seconds: string) => formatDateTime(Number(seconds) * 1000))
    .replace(/\\(.)/g, '$1')

/** A message as it appears in Discord. @param json what is sent there */
export function DiscordMessage({ json }: { readonly json: string }) {
  const [embed] = (JSON.parse(json) as { readonly embeds: readonly Embed[] }).embeds
  if (!embed) return null
  const { title, description, color, fields = [], footer } = embed
  return (
    <section
      aria-label="Message in Discord"
      className={classes.message}
      style={{ borderInlineStartColor: `#${color.toString(16).padStart(6, '0')}` }}
    >
      <Text fw={600} size="sm">
        {toPlainText(title)}
      </Text>
      {description === undefined ? null : <Text size="sm">{toPlainText(description)}</Text>}
      <dl className={classes.messageFields}>
        {fields.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{toPlainText(value)}</dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mt="xs">
        {footer.text}
      </Text>
    </section>
  )
}
