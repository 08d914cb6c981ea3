// Deploys jars that are dropped on the view or chosen, and removes deployed ones.
import { post } from '../api.js';
import { el, update, setText } from '../dom.js';
import { line } from '../legible.js';
import { ask, name } from '../parts.js';

/** The area: its node, `services(kinds)`, `close()`. `log` takes answers; calls `changed()` after each success. */
export function deployArea(view, log, changed) {
  const field = el('input', { type: 'file', accept: '.jar,application/java-archive', id: 'jar', class: 'hidden', onchange: () => {
    deploy(field.files[0]);
    field.value = '';
  } });
  const text = el('span');
  const list = el('div', { class: 'deployed' });
  const node = el('section', { class: 'panel', 'aria-labelledby': 'deploy-title' }, el('h2', { id: 'deploy-title', text: 'Deploy' }),
    el('div', { class: 'drop' }, el('p', {}, text, field, el('label', { for: 'jar', class: 'button', text: 'choose a file' }))), list);
  const ended = new AbortController();
  let depth = 0;

  function busy(doing) {
    node.toggleAttribute('data-busy', doing !== null);
    setText(text, doing ?? 'Drop a jar anywhere on this page, or ');
  }

  async function deploy(file) {
    if (file && !file.name.endsWith('.jar')) {
      log.refuse(`${file.name}: expected a file that ends in .jar`);
    } else if (file && !node.hasAttribute('data-busy')) {
      await order(`Deploying ${line(file.name, 60)} … `, {
        title: `Deploy ${line(file.name, 80)}?`,
        content: `Its code will run in the process of all runs, with the same rights as roll itself. A deployed bundle of the same name is replaced; if the new one does not start, the old one is restored. (${Math.ceil(file.size / 1000).toLocaleString('en')} kB)`,
        action: 'Deploy',
      }, () => post(`/api/deploy?${new URLSearchParams({ name: file.name })}`, file));
    }
  }

  async function undeploy({ bundle, from, ids, usedBy }) {
    const users = usedBy.size === 0 ? 'No run uses it now.'
      : `Used by ${[...usedBy].map(run => `run ${run}`).join(', ')}: it is removed after the current step, then the run waits for a replacement.`;
    await order(`Undeploying ${line(bundle, 60)} … `, {
      title: `Undeploy ${line(bundle, 80)}?`,
      content: `Its file ${line(from, 80)} is removed from the folder deploy, and with it ${ids.map(id => line(id, 60)).join(', ')}. ${users}`,
      action: 'Undeploy', danger: true,
    }, () => post('/api/undeploy', { name: bundle }));
  }

  async function order(doing, question, act) {
    if (!await ask(question)) {
      return;
    }
    busy(doing);
    try {
      log.answer(await act());
      await changed();
    } catch (error) {
      log.refuse(error.message);
    } finally {
      busy(null);
    }
  }

  const dragged = by => event => {
    if (event.dataTransfer?.types.includes('Files')) {
      event.preventDefault();
      depth = by === null ? 0 : depth + by;
      view.toggleAttribute('data-dropping', depth > 0);
      if (by === null) {
        deploy(event.dataTransfer.files[0]);
      }
    }
  };
  Object.entries({ dragenter: 1, dragover: 0, dragleave: -1, drop: null })
    .forEach(([kind, by]) => document.addEventListener(kind, dragged(by), { signal: ended.signal }));
  busy(null);

  return {
    node,
    services(kinds) {
      const jars = jarsOf(kinds);
      update(list, jars.length === 0 ? el('p', { class: 'nothing', text: 'Nothing is deployed.' }) : el('ul', {}, jars.map(jar => el('li', {},
        el('span', {}, name(jar.from, 60, 'mono'), el('small', { text: ` ${jar.ids.map(id => line(id, 60)).join(', ')}` })),
        el('button', { type: 'button', class: 'small danger', text: 'Undeploy…', 'aria-label': `Undeploy ${line(jar.bundle, 60)}`, onclick: () => undeploy(jar) })))));
    },
    close: () => ended.abort(),
  };
}

function jarsOf(kinds) {
  const jars = new Map();
  for (const { kind, services } of kinds) {
    for (const { id, from, bundle, usedBy } of services.filter(service => service.from)) {
      const jar = jars.get(from) ?? { from: from.split(/[/\\]/).at(-1), bundle, ids: [], usedBy: new Set() };
      jar.ids.push(`${kind}=${id}`);
      usedBy.forEach(run => jar.usedBy.add(run));
      jars.set(from, jar);
    }
  }
  return [...jars.values()];
}
