// Pause, resume and stop of one run.
import { post } from '../api.js';
import { confirm } from '../dialog.js';
import { el, replace } from '../dom.js';
import { complain, say } from '../notice.js';

const GOING = new Set(['starting', 'running', 'waiting']);

/** Buttons for what a run can be told now; none for one that has ended or that is only looked at. */
export function orders(readOnly, { small = false } = {}) {
  const node = el('div', { class: 'buttons orders' });
  const classes = small ? 'small' : '';
  let run = null;
  let shown = '';

  async function order(word) {
    if (word === 'stop' && !await confirm(question(run))) {
      return;
    }
    for (const button of node.querySelectorAll('button')) {
      button.disabled = true;
    }
    try {
      say((await post(`/api/runs/${run.id}/${word}`)).line);
    } catch (error) {
      complain(error);
    }
    shown = '';
    update(run);
  }

  function button(word, label, kind = '') {
    return el('button', {
      type: 'button', class: `${classes} ${kind}`.trim(), text: label,
      'aria-label': `${label} ${run.name}`, onclick: () => order(word),
    });
  }

  /** Shows the buttons for `latest`, an entry of /api/runs. */
  function update(latest) {
    run = latest;
    const words = readOnly || !run.live ? '' : wordsOf(run.state);
    if (words === shown) {
      return; // the same buttons: the focus stays
    }
    shown = words;
    replace(node,
      words.includes('pause') && button('pause', 'Pause'),
      words.includes('resume') && button('resume', 'Resume', small ? '' : 'primary'),
      words.includes('stop') && button('stop', 'Stop', 'danger'));
  }

  return { node, update };
}

function wordsOf(state) {
  if (GOING.has(state)) {
    return 'pause stop';
  }
  return state === 'paused' ? 'resume stop' : '';
}

function question(run) {
  return {
    title: `Stop ${run.name}?`,
    text: `The step under way is completed and a checkpoint is saved${run.step === null ? '' : ` (step ${run.step} now)`}. It can be resumed later with resume_from_checkpoint=true.`,
    action: 'Stop',
    danger: true,
  };
}
