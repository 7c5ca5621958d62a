import { Alert, Anchor, Button, Group, List, SegmentedControl, Stack } from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { CopyBlock } from '../../../components/copy-block.tsx'
import { CopyField } from '../../../components/copy-field.tsx'
import { buildCurlExample } from '../api-keys/curl-example.ts'
import type { CreatedKey } from '../api-keys/key-data.ts'
import { buildModelPath, buildTypeScript, ROBLOX_SCRIPT, SECRET_NAME } from './snippets.ts'

interface Props {
  /** Null before the key is created: then the lines have a placeholder. */
  readonly created: CreatedKey | null
}

const KEY_PLACEHOLDER = 'rve_…'

const kinds = [
  { value: 'roblox', label: 'Roblox' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'curl', label: 'curl' },
] as const

type Kind = (typeof kinds)[number]['value']

const contents: Readonly<Record<Kind, (props: Props) => ReactNode>> = {
  roblox: RobloxInstructions,
  typescript: TypeScriptInstructions,
  curl: CurlInstructions,
}

/** The second step: the lines to paste. */
export function Instructions({ created }: Props) {
  const [kind, setKind] = useState<Kind>('roblox')
  const Content = contents[kind]
  return (
    <Card title="2. Paste these lines">
      <Stack gap="md">
        <SegmentedControl
          aria-label="Program"
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          data={[...kinds]}
          w="fit-content"
        />
        <Content created={created} />
      </Stack>
    </Card>
  )
}

function RobloxInstructions({ created }: Props) {
  const { id } = useWorkspace()
  const { hostname, origin, protocol } = window.location
  return (
    <Stack gap="md">
      {protocol === 'https:' ? null : (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
          Game servers of Roblox cannot reach {origin}. Serve Reeve over HTTPS at a public address first.
        </Alert>
      )}
      <List type="ordered" spacing="md" size="sm">
        <List.Item>
          Download the client and drag it into ServerScriptService in Roblox Studio. It contains the address
          of this Reeve and the workspace, and no secret.
          <Group mt="xs">
            <Button
              component="a"
              href={buildModelPath(id)}
              download
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              Download reeve.rbxmx
            </Button>
          </Group>
        </List.Item>
        <List.Item>
          In Studio, open File → Game Settings → Security and turn on Allow HTTP Requests.
        </List.Item>
        <List.Item>
          In the{' '}
          <Anchor
            href="https://create.roblox.com/dashboard/creations"
            target="_blank"
            rel="noreferrer"
            inherit
            underline="always"
          >
            Creator Dashboard
          </Anchor>
          , open the experience, then Secrets, and create a secret with these values. Roblox sends it to this
          domain only, and no script can print it.
          <Stack gap="xs" mt="xs" maw={560}>
            <CopyField label="Secret name" value={SECRET_NAME} />
            <CopyField label="Secret" value={created?.secret ?? KEY_PLACEHOLDER} />
            <CopyField label="Domain" value={hostname} />
          </Stack>
        </List.Item>
      </List>
      <CopyBlock label="Script in ServerScriptService" value={ROBLOX_SCRIPT}>
        Tests on your own computer have no secrets of the experience: add a local one with the same name in
        Game Settings → Security.
      </CopyBlock>
    </Stack>
  )
}

function TypeScriptInstructions({ created }: Props) {
  const { id } = useWorkspace()
  const { origin } = window.location
  return (
    <Stack gap="md">
      <CopyBlock label="Environment" value={`REEVE_KEY=${created?.secret ?? KEY_PLACEHOLDER}`}>
        Set it where the program runs, for example in a file .env that is not committed.
      </CopyBlock>
      <CopyBlock label="Program" value={buildTypeScript(origin, id)}>
        The package @reeve/client runs on Node 20 or later, Bun, Deno and workers. This instance serves it
        below /clients.
      </CopyBlock>
    </Stack>
  )
}

function CurlInstructions({ created }: Props) {
  const { id } = useWorkspace()
  const { origin } = window.location
  const key = { secret: created?.secret ?? KEY_PLACEHOLDER, permissions: ['moderation.view'] } as const
  const example = buildCurlExample(origin, id, key)
  return example ? (
    <CopyBlock label="Command" value={example.command}>
      Run this in a terminal. It returns {example.description} and changes nothing.
    </CopyBlock>
  ) : null
}
