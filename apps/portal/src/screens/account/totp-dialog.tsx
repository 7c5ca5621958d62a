import { List, Stack, Text } from '@mantine/core'
import { CopyField } from '../../components/copy-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { SecondFactorForm } from '../../forms/second-factor-form.tsx'
import { confirmTotpEnrolment, type TotpEnrolment } from './factors.ts'
import { QrCode } from './qr-code.tsx'

interface Props {
  /** Null while the dialog is closed. */
  readonly enrolment: TotpEnrolment | null
  readonly close: () => void
  /** Called with new recovery codes; null if the account already has some. */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** Shows the secret to the authenticator app, and asks for its first code. */
export const TotpDialog = ({ enrolment, close, onAdded }: Props) => (
  <Dialog
    opened={enrolment !== null}
    onClose={close}
    title="Add an authenticator app"
    closeOnClickOutside={false}
  >
    {enrolment ? <TotpForm enrolment={enrolment} onAdded={onAdded} /> : null}
  </Dialog>
)

interface FormProps extends Pick<Props, 'onAdded'> {
  readonly enrolment: TotpEnrolment
}

const TotpForm = ({ enrolment: { token, secret, uri }, onAdded }: FormProps) => (
  <SecondFactorForm
    factors={['totp']}
    send={async (proof) => {
      if ('code' in proof) onAdded(await confirmTotpEnrolment({ token, code: proof.code }))
    }}
  >
    {(submit, fields) => (
      <DialogForm submit={submit} submitLabel="Add app">
        <List type="ordered" size="sm" spacing={4}>
          <List.Item>Open an authenticator app on your phone. Any will do.</List.Item>
          <List.Item>Scan this code with it.</List.Item>
          <List.Item>Enter the six digits that it shows.</List.Item>
        </List>
        <QrCode text={uri} label="QR code for the authenticator app" />
        <Stack gap={4}>
          <Text size="sm">You cannot scan it?</Text>
          <CopyField label="Key to enter in the app" value={secret.replace(/.{4}(?=.)/g, '$& ')} />
        </Stack>
        {fields}
      </DialogForm>
    )}
  </SecondFactorForm>
)
