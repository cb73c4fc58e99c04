import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

/** Receives events from an editor. */
interface EditorListener {
  change(code: string): void;
  /** The user pressed Ctrl+Enter or Command+Enter. */
  run(): void;
}

/** Creates a TypeScript editor. Tab indents, except after Escape, so that keyboard users can leave the editor. */
export function createEditor(
  parent: HTMLElement,
  doc: string,
  attributes: Record<string, string>,
  { change, run }: EditorListener,
): EditorView {
  const runKey = {
    key: 'Mod-Enter',
    run: () => {
      run();
      return true;
    },
  };
  return new EditorView({
    parent,
    doc,
    extensions: [
      lineNumbers(),
      history(),
      indentOnInput(),
      bracketMatching(),
      javascript({ typescript: true }),
      syntaxHighlighting(classHighlighter),
      keymap.of([runKey, indentWithTab, ...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(attributes),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) change(update.state.doc.toString());
      }),
    ],
  });
}
