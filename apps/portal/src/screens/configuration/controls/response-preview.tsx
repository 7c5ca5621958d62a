import { Code, Stack, Text } from '@mantine/core'
import { errorCodes, reasonMessages, type SwitchableEndpoint } from '@reeve/core'
import classes from './controls.module.css'
import { type Mode, modeEffects } from './endpoint-labels.ts'

interface Props {
  readonly endpoint: SwitchableEndpoint
  readonly mode: Mode
  readonly message: string
}

/** The answer to a call that a switch refuses, as it goes out; its `requestId` is another one each time. */
function formatErrorResponse(mode: Exclude<Mode, 'on'>, message: string): string {
  const reason = mode === 'off' ? 'endpoint_disabled' : 'endpoint_read_only'
  const error = message.trim().normalize('NFC') || reasonMessages[reason]
  return JSON.stringify({ error, code: 'forbidden', reason, requestId: '…' }, null, 2)
}

/** What callers get while an endpoint is switched so, word by word. */
export const ResponsePreview = ({ endpoint, mode, message }: Props) => (
  <section className={classes.preview} aria-label="What callers get">
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        What callers get
      </Text>
      <Text size="sm">{modeEffects[endpoint][mode]}</Text>
      {mode === 'on' ? (
        <Text size="sm">Every call is answered, as far as its key or its person may make it.</Text>
      ) : (
        <>
          <Text size="sm">
            {mode === 'off' ? 'Every call' : 'Every call that would change something'} of{' '}
            <Code>/api/{endpoint}</Code> is answered {errorCodes.forbidden.status}:
          </Text>
          <Code block tabIndex={0} aria-label="The answer" className={classes.answer}>
            {formatErrorResponse(mode, message)}
          </Code>
        </>
      )}
    </Stack>
  </section>
)
