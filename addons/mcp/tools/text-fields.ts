import type { OperationId } from '../../../src/contract/index.js';
import { ToolInputError } from '../results/reply.js';
import { type EditedHtml, editHtml } from '../text/edit-html.js';
import { htmlToMarkdown, MarkdownLimitError, markdownToHtml } from '../text/markdown.js';
import { HtmlLimitError } from '../text/parse-html.js';
import { quote } from './arguments.js';
import type { Arguments } from './tool.js';

/** A field that contains HTML, which tools read and write as Markdown. */
export interface TextField {
  /** The argument that contains Markdown. */
  markdown: 'description' | 'content' | 'body';
  /** The API field, which is also an argument. */
  html: 'description_html' | 'content_html' | 'body_html';
}

const description: TextField = { markdown: 'description', html: 'description_html' };
const content: TextField = { markdown: 'content', html: 'content_html' };
const body: TextField = { markdown: 'body', html: 'body_html' };

export const textFields: Partial<Record<OperationId, TextField>> = {
  'tickets.get': description,
  'tickets.create': description,
  'tickets.update': description,
  'tickets.comments.create': body,
  'documents.get': content,
  'documents.create': content,
  'documents.update': content,
  'documents.comments.create': body,
};

/**
 * Replaces Markdown arguments with HTML. Converts edits as if the current text were empty.
 *
 * @throws ToolInputError if the arguments contradict each other
 */
export function withNewHtml(id: OperationId, args: Arguments): Arguments {
  const field = textFields[id];
  if (!field) return args;
  const { [field.markdown]: markdown, append, replace_text, replace_all: _, ...others } = args;
  const given = [field.markdown, field.html, 'append', 'replace_text'].filter(
    (name) => args[name] !== undefined,
  );
  if (given.length > 1) throw new ToolInputError(`pass only one of ${given.join(' and ')}`);
  if (markdown === null) return { ...others, [field.html]: null };
  const text =
    markdown ?? append ?? (replace_text === undefined ? undefined : replacementIn(replace_text).new);
  if (text === undefined) return others;
  if (typeof text !== 'string') throw new ToolInputError(`${given[0]} must be a string (got ${quote(text)})`);
  return { ...others, [field.html]: within(() => markdownToHtml(text)) };
}

/**
 * Applies the edit in the arguments to the current HTML. Returns undefined if they don't change the text.
 *
 * @throws ToolInputError if the edit isn't possible, or would replace the entire text without `replace_all`
 */
export function editedHtml(
  field: TextField,
  args: Arguments,
  html: string,
): { html: string | null; lost: EditedHtml['lost'] } | undefined {
  const { [field.markdown]: whole, append, replace_text } = args;
  const newHtml = args[field.html];
  if (newHtml === undefined && whole === undefined && append === undefined && replace_text === undefined)
    return undefined;
  if (append === undefined && replace_text === undefined && html.trim() !== '' && args.replace_all !== true) {
    throw new ToolInputError(
      `${whole === undefined ? field.html : field.markdown} would replace the current text; use append or replace_text to change part of it, or pass replace_all: true`,
    );
  }
  // Keep HTML unchanged, because the model wrote it on purpose.
  if (newHtml !== undefined) return { html: newHtml as string, lost: [] };
  if (whole === null) return { html: null, lost: within(() => editHtml(html, '')).lost };
  return within(() => {
    const current = htmlToMarkdown(html).markdown;
    if (append !== undefined) return editHtml(html, current === '' ? `${append}` : `${current}\n\n${append}`);
    return editHtml(
      html,
      replace_text === undefined ? String(whole ?? '') : replaced(current, replacementIn(replace_text)),
    );
  });
}

interface Replacement {
  old: string;
  new: string;
}

function replacementIn(value: unknown): Replacement {
  const { old, new: now } = (value ?? {}) as Partial<Replacement>;
  if (typeof old === 'string' && old.trim() !== '' && typeof now === 'string' && now !== old)
    return { old, new: now };
  throw new ToolInputError('replace_text must be {"old": "…", "new": "…"} with two different strings');
}

/** Replaces text that occurs exactly once. Spaces and backslash escapes don't have to match exactly. */
function replaced(markdown: string, { old, new: now }: Replacement): string {
  const pattern = old
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/[!-/:-@[-`{-~]/g, (character) => `\\\\?${syntax.test(character) ? '\\' : ''}${character}`)
    .replace(/\s+/g, '\\s+');
  const matches = [...markdown.matchAll(new RegExp(pattern, 'g'))];
  const [match] = matches;
  if (match && matches.length === 1) {
    return markdown.slice(0, match.index) + now + markdown.slice(match.index + match[0].length);
  }
  throw new ToolInputError(
    match
      ? `replace_text.old occurs ${matches.length} times; include more of the text around it`
      : `the text doesn't contain replace_text.old ${quote(old)}; copy it from the current text`,
  );
}

const syntax = /[\^$\\.*+?()[\]{}|/]/;

function within<Result>(convert: () => Result): Result {
  try {
    return convert();
  } catch (error) {
    if (error instanceof MarkdownLimitError) throw new ToolInputError(error.message);
    if (error instanceof HtmlLimitError) {
      throw new ToolInputError(`${error.message} for Markdown; write HTML instead`);
    }
    throw error;
  }
}
