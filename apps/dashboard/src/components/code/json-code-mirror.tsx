import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

export interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isReadOnly?: boolean;
}

const look = EditorView.theme({
  '&': {
    fontSize: '0.8125rem',
    backgroundColor: 'var(--tessera-color-card)',
    color: 'var(--tessera-color-card-foreground)',
  },
  '.cm-content': { minHeight: '8rem', caretColor: 'var(--tessera-color-foreground)' },
  '.cm-gutters': {
    backgroundColor: 'var(--tessera-color-muted)',
    color: 'var(--tessera-color-muted-foreground)',
    borderColor: 'var(--tessera-color-border)',
  },
  '&.cm-focused': { outline: '2px solid var(--tessera-color-ring)' },
});

/** Colors of the theme: those of the library are too dark on a dark card. */
const highlights = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--tessera-color-muted-foreground)' },
  { tag: [tags.number, tags.bool, tags.null], fontWeight: '600' },
]);

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

/** The Tab key leaves the editor, so that the keyboard is never caught in it. */
export default function JsonCodeMirror({ label, value, onChange, isReadOnly = false }: JsonEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });

  useEffect(() => {
    if (!parent.current) return undefined;
    const editor = new EditorView({
      parent: parent.current,
      doc: latest.current.value,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.lineWrapping,
        EditorState.readOnly.of(isReadOnly),
        lineNumbers(),
        history(),
        bracketMatching(),
        json(),
        linter(state => (state.state.doc.toString().trim() === '' ? [] : jsonParseLinter()(state))),
        lintGutter(),
        syntaxHighlighting(highlights),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        look,
        EditorView.updateListener.of(update => {
          const text = update.state.doc.toString();
          // A value from outside is known there.
          if (update.docChanged && text !== latest.current.value) latest.current.onChange(text);
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    // Only a value from outside, such as a reset: typing already changed the document.
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={parent} className="tessera-code tss:overflow-hidden tss:rounded-md tss:border tss:border-input" />;
}
