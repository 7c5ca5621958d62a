import { type AppealState, MAX_APPEAL_FILE_BYTES, wire } from '@reeve/core'
import type { PlayerAppeal } from '../model.ts'
import { formatUtcDeadline, formatUtcTime } from '../player-message.ts'
import { Html, html } from './html.ts'
import { styles } from './styles.ts'

/** What the player had typed when a request was rejected. */
export interface Entered {
  /** What the form does into which it was typed. */
  readonly action?: string | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly answers?: readonly string[]
}

interface Page {
  readonly title: string
  /** Unique to this response. */
  readonly nonce: string
  /** What was wrong with the request. */
  readonly problem: string | null
  readonly content: Html
}

/** Allows no script, no other host, and only the style element with the nonce. The icon is an empty `data:` URL, or browsers would request one. */
export const pagePolicy = (nonce: string): readonly string[] => [
  "default-src 'none'",
  `style-src 'nonce-${nonce}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

const renderPage = ({ title, nonce, problem, content }: Page): string =>
  html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>${problem === null ? '' : 'Error: '}${title}</title>
    <link rel="icon" href="data:,">
    <style nonce="${nonce}">${styleSheet}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${problem !== null && html`<section class="problem" role="alert"><p>${problem}</p></section>`}
      ${content}
    </main>
  </body>
</html>
`.text

/** What no form on the page contains, so that the player can copy it. */
function renderUnsent({ message = '', answers = [] }: Entered): Html | null {
  const texts = [
    ...answers.map((text, index) => ({ label: `Your answer ${index + 1}`, text })),
    { label: 'Your message', text: message },
  ].filter(({ text }) => text.trim() !== '')
  if (texts.length === 0) return null
  return html`<section>
        <h2>Not sent</h2>
        <p class="hint">Copy what you still need. It is shown only once.</p>
        ${texts.map(
          ({ label, text }, index) => html`<label for="unsent${String(index)}">${label}</label>
        <textarea id="unsent${String(index)}" readonly>${text}</textarea>`,
        )}
      </section>`
}

// Contains no value of a request.
const styleSheet = new Html(styles)

const formatTime = (time: string, format = formatUtcTime): Html =>
  html`<time datetime="${time}">${format(wire.time.read(time))}</time>`

/** The page that asks for the code. */
export const renderCodePage = (nonce: string, problem: string | null, entered: Entered): string =>
  renderPage({
    title: 'Appeal a ban',
    nonce,
    problem,
    content: html`${renderUnsent(entered)}<section>
        <form method="post" action="/appeal">
          <label for="code">Appeal code</label>
          <p class="hint" id="code-hint">The 10 letters and digits that you saw when you were banned, such as 7K3M9-Q9TX2.</p>
          <input class="code" id="code" name="code" value="${entered.code ?? ''}" aria-describedby="code-hint" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required>
          <button name="action" value="open">Continue</button>
        </form>
      </section>`,
  })

const banStatus: Readonly<Record<string, string>> = {
  expired: 'This ban has ended.',
  revoked: 'This ban was lifted.',
  superseded: 'Another ban has replaced this one.',
}

const stateTexts: Readonly<Record<AppealState, string>> = {
  submitted: 'Submitted. Nobody has looked at it yet.',
  under_review: 'Under review.',
  accepted: 'Accepted.',
  reduced: 'Your ban was shortened.',
  denied: 'Denied.',
  withdrawn: 'You have withdrawn it.',
  expired: 'The ban ended before a decision.',
  superseded: 'Another ban replaced this one before a decision.',
}

/** The page about a ban and its appeal. @param closedMessage why nothing can be sent at present; null if it can */
export function renderBanPage(
  nonce: string,
  appeal: PlayerAppeal,
  problem: string | null,
  entered: Entered,
  closedMessage: string | null,
): string {
  const openForm = closedMessage === null ? findOpenForm(appeal) : null
  const isInForm = entered.action === openForm
  const inForm = isInForm ? entered : {}
  const { questions } = appeal.form
  // Staff can have removed questions since the form was shown.
  const answers = (entered.answers ?? []).map((text, index) => (index < questions.length ? '' : text))
  const unsent = isInForm ? { answers } : entered
  return renderPage({
    title: 'Your ban',
    nonce,
    problem,
    content: html`${renderUnsent(unsent)}
      ${renderBan(appeal)}
      ${renderAppeal(appeal, openForm === 'reply' ? inForm : null)}
      ${closedMessage !== null ? html`<section><p>${closedMessage}</p></section>` : renderForm(appeal, inForm)}
      <form method="post" action="/appeal"><button class="plain" name="action" value="close">Use another code</button></form>`,
  })
}

/** The action of the form that the page shows; null if it shows none. */
const findOpenForm = ({ appeal, canAppeal }: PlayerAppeal): 'submit' | 'reply' | null =>
  appeal?.canReply === 'true' ? 'reply' : canAppeal === 'true' ? 'submit' : null

const renderBan = ({ ban }: PlayerAppeal): Html =>
  html`<section>
        <dl>
          <dt>Player</dt><dd>${ban.userUsername ?? ban.userId}</dd>
          <dt>Reason</dt><dd>${ban.reason ?? 'Not available'}</dd>
          <dt>Banned</dt><dd>${formatTime(ban.createdAt)}</dd>
          <dt>Ends</dt><dd>${ban.expiresAt === null ? 'Never' : formatTime(ban.expiresAt, formatUtcDeadline)}</dd>
        </dl>
        ${ban.status !== 'active' && html`<p>${banStatus[ban.status] ?? ''}</p>`}
      </section>`

/** @param entered null if the player cannot reply */
function renderAppeal({ appeal }: PlayerAppeal, entered: Entered | null): Html | null {
  if (appeal === null) return null
  return html`<section>
        <h2>Your appeal</h2>
        <p><strong>${stateTexts[appeal.state as AppealState]}</strong> ${appeal.effect ?? ''}</p>
        <p class="time">Submitted on ${formatTime(appeal.submittedAt)}</p>
        ${appeal.answers.map(({ question, answer }) => html`<p><strong>${question}</strong></p><p class="text">${answer}</p>`)}
        <ol>${appeal.messages.map(
          ({ from, text, createdAt }) =>
            html`<li class="${from}"><p class="time">${from === 'player' ? 'You' : 'Staff'}, ${formatTime(createdAt)}</p><p class="text">${text}</p></li>`,
        )}</ol>
        ${appeal.files.length > 0 && html`<h3>Your files</h3><ol>${appeal.files.map(({ name, createdAt }) => html`<li>${name} <span class="time">${formatTime(createdAt)}</span></li>`)}</ol>`}
        ${entered !== null && Number(appeal.filesLeft) > 0 && renderFileForm(appeal.filesLeft)}
        ${
          entered !== null &&
          html`<form method="post" action="/appeal">
          <label for="message">Add a message</label>
          <textarea id="message" name="message" maxlength="2000" required>${entered.message ?? ''}</textarea>
          <button name="action" value="reply">Send</button>
        </form>
        <form method="post" action="/appeal"><p class="hint">You can also take your appeal back.</p><button class="plain" name="action" value="withdraw">Withdraw the appeal</button></form>`
        }
      </section>`
}

const renderFileForm = (filesLeft: string): Html =>
  html`<form method="post" action="/appeal/file" enctype="multipart/form-data">
          <label for="file">Add a file</label>
          <p class="hint" id="file-hint">A picture, a video (MP4, WebM), a text or a PDF of at most ${String(MAX_APPEAL_FILE_BYTES / 1_000_000)} MB. You can send ${filesLeft} more.</p>
          <input id="file" name="file" type="file" aria-describedby="file-hint" required>
          <button>Send the file</button>
        </form>`

function renderForm(
  { canAppeal, obstacle, obstacleMessage, appealableUntil, form }: PlayerAppeal,
  entered: Entered,
): Html | null {
  if (canAppeal !== 'true')
    return obstacle === 'already_appealed' ? null : html`<section><p>${obstacleMessage ?? ''}</p></section>`
  return html`<section>
        <h2>Appeal this ban</h2>
        ${form.introduction !== null && html`<p class="text">${form.introduction}</p>`}
        ${appealableUntil !== null && html`<p class="hint">You can appeal until ${formatTime(appealableUntil)}.</p>`}
        <form method="post" action="/appeal">
          ${form.questions.map(
            (
              { text, required },
              index,
            ) => html`<label for="answer${String(index + 1)}">${text}${required === 'true' ? '' : ' (optional)'}</label>
          <textarea id="answer${String(index + 1)}" name="answer${String(index + 1)}" maxlength="2000"${required === 'true' ? html` required` : null}>${entered.answers?.[index] ?? ''}</textarea>`,
          )}
          <label for="message">Why should the ban be lifted or shortened?</label>
          <textarea id="message" name="message" maxlength="2000" required>${entered.message ?? ''}</textarea>
          <button name="action" value="submit">Submit the appeal</button>
        </form>
      </section>`
}
