// Note, tags and archive of a run, and its deletion.
import { post } from '../api.js';
import { el } from '../dom.js';
import { ask, say } from '../parts.js';
import { isActive } from './run-parts.js';

/** Asks for note and tags of `run`; returns `{ note, tags, archived }`, `{ deleted }`, or null. */
export async function editNotes(run) {
  const note = el('textarea', { rows: 5, maxlength: 10000, value: run.note ?? '' });
  const tags = el('input', { type: 'text', value: (run.tags ?? []).join(' '), autocomplete: 'off', spellcheck: 'false' });
  const archived = el('input', { type: 'checkbox', checked: run.archived === true });
  let remove = false;
  const dialog = ask({
    title: ['Notes of ', el('bdi', { text: run.name })], action: 'Save', focus: note,
    content: el('div', { class: 'note-form' },
      el('label', {}, 'Note', note), el('label', {}, 'Tags, separated by spaces', tags),
      el('label', { class: 'field' }, archived, 'Archived: not listed unless asked for'),
      !isActive(run) && el('button', { type: 'button', class: 'danger', text: 'Delete …', onclick: event => {
        remove = true;
        event.target.closest('dialog').close();
      } })),
    act: () => post(`/api/runs/${run.id}/notes`, {
      note: note.value, tags: tags.value.split(/[\s,]+/).filter(Boolean), archived: archived.checked,
    }),
  });
  const saved = await dialog;
  return remove ? deleteRun(run) : saved;
}

async function deleteRun(run) {
  const answer = await ask({
    title: ['Delete ', el('bdi', { text: run.name }), '?'], action: 'Delete', danger: true,
    content: el('p', {}, 'Everything in ', el('code', { text: run.folder }), ' is removed, checkpoints too. This cannot be undone.'),
    act: () => post(`/api/runs/${run.id}/delete`, { folder: run.folder }),
  });
  if (answer === null) {
    return null;
  }
  say(answer.line);
  return { deleted: true };
}

/** Tags and the note of a run as small texts. */
export function notesOf({ tags, note }) {
  return [tags?.length > 0 && el('small', { class: 'tags' }, tags.map(tag => el('bdi', { class: 'tag', text: tag }))),
    note && el('small', { class: 'folder', title: note }, el('bdi', { text: note }))];
}
