// Deploys jars that are dropped on the view or chosen, and removes deployed ones.
import { post, withQuery } from '../api.js';
import { confirm } from '../dialog.js';
import { el, replace, setText } from '../dom.js';
import { line } from '../legible.js';
import { fileOf } from './service-table.js';

/** The area: its root, `services(kinds)`, `close()`. `changed()` is called after each success. */
export function deployArea(view, log, changed) {
  const field = el('input', { type: 'file', accept: '.jar,application/java-archive', id: 'jar', class: 'hidden', onchange: chosen });
  const words = el('span', { text: 'Drop a jar anywhere on this page, or ' });
  const drop = el('div', { class: 'drop' }, el('p', {}, words, field, el('label', { for: 'jar', class: 'button', text: 'choose a file' })));
  const list = el('div', { class: 'deployed' });
  const root = el('section', { class: 'panel', 'aria-labelledby': 'deploy-title' }, el('h2', { id: 'deploy-title', text: 'Deploy' }), drop, list);
  let busy = false;
  let depth = 0;

  function chosen() {
    const [file] = field.files;
    if (file) {
      deploy(file);
    }
    field.value = '';
  }

  async function deploy(file) {
    if (busy) {
      log.refuse(`${file.name}: another jar is being deployed`);
      return;
    }
    if (!file.name.endsWith('.jar')) {
      log.refuse(`${file.name} is no jar: only files that end in .jar are deployed`);
      return;
    }
    const sure = await confirm({
      title: `Deploy ${line(file.name, 80)}?`,
      text: `Its code will run in the process of all runs, with the same rights as roll itself. A deployed bundle of the same name is replaced; if the new one does not start, the old one comes back. (${kilobytes(file.size)})`,
      action: 'Deploy',
    });
    if (sure) {
      await order(`Deploying ${line(file.name, 60)} …`, () => post(withQuery('/api/deploy', { name: file.name }), file));
    }
  }

  async function undeploy(jar) {
    const users = jar.usedBy.length === 0 ? 'No run uses it now.'
      : `Used by ${jar.usedBy.map(run => `run ${run}`).join(', ')}: it is removed when the step under way has ended, then the run waits until something takes its place.`;
    const sure = await confirm({
      title: `Undeploy ${line(jar.bundle, 80)}?`,
      text: `Its file ${line(fileOf(jar.from), 80)} is removed from the folder deploy, and with it ${jar.ids.map(id => line(id, 60)).join(', ')}. ${users}`,
      action: 'Undeploy', danger: true,
    });
    if (sure) {
      await order(`Undeploying ${line(jar.bundle, 60)} …`, () => post('/api/undeploy', { name: jar.bundle }));
    }
  }

  async function order(doing, ask) {
    busy = true;
    root.setAttribute('aria-busy', 'true');
    const before = words.textContent;
    setText(words, `${doing} `);
    try {
      const answer = await ask();
      log.say([...(answer.notices ?? []).map(notice => `notice: ${notice}`), answer.line]);
      await changed();
    } catch (error) {
      log.refuse(error.message);
    } finally {
      busy = false;
      root.removeAttribute('aria-busy');
      setText(words, before);
    }
  }

  const files = event => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const dragging = by => event => {
    if (files(event)) {
      event.preventDefault();
      depth += by;
      view.toggleAttribute('data-dropping', depth > 0);
    }
  };
  const dropped = event => {
    if (files(event)) {
      event.preventDefault();
      depth = 0;
      view.removeAttribute('data-dropping');
      deploy(event.dataTransfer.files[0]);
    }
  };
  const listeners = { dragenter: dragging(1), dragover: dragging(0), dragleave: dragging(-1), drop: dropped };
  Object.entries(listeners).forEach(([kind, listener]) => document.addEventListener(kind, listener));

  return {
    root,
    services(kinds) {
      const jars = jarsOf(kinds);
      replace(list, jars.length === 0 ? el('p', { class: 'nothing', text: 'Nothing is deployed.' })
        : el('ul', {}, jars.map(jar => el('li', {},
          el('span', {}, el('bdi', { class: 'mono', text: line(fileOf(jar.from), 60) }), el('small', { text: ` ${jar.ids.map(id => line(id, 60)).join(', ')}` })),
          el('button', { type: 'button', class: 'small danger', text: 'Undeploy…', 'aria-label': `Undeploy ${line(jar.bundle, 60)}`, onclick: () => undeploy(jar) })))));
    },
    close: () => Object.entries(listeners).forEach(([kind, listener]) => document.removeEventListener(kind, listener)),
  };
}

function jarsOf(kinds) {
  const jars = new Map();
  for (const { kind, services } of kinds) {
    for (const service of services.filter(one => one.from)) {
      const jar = jars.get(service.from) ?? { from: service.from, bundle: service.bundle, ids: [], usedBy: [] };
      jar.ids.push(`${kind}=${service.id}`);
      jar.usedBy = [...new Set([...jar.usedBy, ...(service.usedBy ?? [])])];
      jars.set(service.from, jar);
    }
  }
  return [...jars.values()];
}

function kilobytes(bytes) {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
