import { Code, Stack, Text } from '@mantine/core'
import { errorCodes, reasonMessages, type SwitchableEndpoint } from '@reeve/core'
import classes from './controls.module.css'
import { type Mode, modeEffects } from './endpoint-labels.ts'

interface Props {
  readonly endpoint: SwitchableEndpoint
  readonly mode: Mode
  readonly message: string
}

/** The body of a rejected request as it is sent; the real `requestId` differs each time. */
function formatErrorResponse(mode: Exclude<Mode, 'on'>, message: string): string {
  const reason = mode === 'off' ? 'endpoint_disabled' : 'endpoint_read_only'
  const error = message.trim().normalize('NFC') || reasonMessages[reason]
  return JSON.stringify({ error, code: 'forbidden', reason, requestId: '…' }, null, 2)
}

/** What clients receive in the selected mode. */
export const ResponsePreview = ({ endpoint, mode, message }: Props) => (
  <section className={classes.preview} aria-label="What clients receive">
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        What clients receive
      </Text>
      <Text size="sm">{modeEffects[endpoint][mode]}</Text>
      {mode === 'on' ? (
        <Text size="sm">All requests are accepted, subject to the permissions of the key or member.</Text>
      ) : (
        <>
          <Text size="sm">
            {mode === 'off' ? 'All requests' : 'All requests that change data'} to{' '}
            <Code>/api/{endpoint}</Code> receive a {errorCodes.forbidden.status} response:
          </Text>
          <Code block tabIndex={0} aria-label="Response" className={classes.response}>
            {formatErrorResponse(mode, message)}
          </Code>
        </>
      )}
    </Stack>
  </section>
)
