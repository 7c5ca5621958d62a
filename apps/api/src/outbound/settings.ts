import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type IpRange, parseIpRange } from '@reeve/auth'
import { defineSetting, rejectValue } from '../setting.ts'
import { splitList } from '../setting-values.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Where webhooks may send to, besides public addresses. */
export const outboundSettings = {
  outboundAllow: defineSetting({
    flag: 'outbound-allow',
    env: 'REEVE_OUTBOUND_ALLOW',
    placeholder: '<list>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'comma-separated IP addresses or ranges of your own network that webhooks may send to, such as 192.168.1.0/24; plain http is allowed there',
    read: (text): readonly IpRange[] =>
      splitList(text).map(
        (range) =>
          parseIpRange(range) ??
          rejectValue(`must list IP addresses or ranges such as 192.168.1.0/24; ${range} is neither`),
      ),
  }),
  outboundCa: defineSetting({
    flag: 'outbound-ca',
    env: 'REEVE_OUTBOUND_CA',
    placeholder: '<file>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a PEM file with certificates of a private authority, trusted for receivers in those ranges',
    read: (text): string | null => (text === '' ? null : readCertificates(text)),
  }),
}

function readCertificates(file: string): string {
  const certificates = readFile(file).match(CERTIFICATE) ?? []
  try {
    for (const certificate of certificates) new X509Certificate(certificate)
  } catch {
    rejectValue(`must be a PEM file with certificates; one in ${file} cannot be read`)
  }
  return certificates.length > 0
    ? certificates.join('\n')
    : rejectValue(`must be a PEM file with certificates; ${file} contains none`)
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return rejectValue(`must be a PEM file; ${file} cannot be read (${(error as { code?: string }).code})`)
  }
}
