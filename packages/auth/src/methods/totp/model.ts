import { inputField, requestObject, responseObject, stringField } from '@reeve/http'
import { tokenField, totpCode } from '../../factors/model.ts'

export const TotpEnrolmentResponse = responseObject(
  {
    token: stringField('Send it with the first code, within 30 minutes'),
    secret: stringField(
      'The secret in Base32, for apps that cannot scan',
      'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    ),
    uri: stringField('The content of the QR code', 'otpauth://totp/Reeve:robin?secret=GEZDGNBV&issuer=Reeve'),
  },
  'The secret for the authenticator app',
)
export const TotpConfirmationRequest = requestObject({
  token: tokenField('The token of the response with the secret'),
  code: inputField(totpCode),
})
export const TotpRemovedResponse = responseObject(
  { removed: stringField('Always `true`', 'true') },
  'The authenticator app was removed',
)
