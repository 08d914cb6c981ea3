// One run: what it does now, its curves, phases, log and configuration.
import { about, get } from '../api.js';
import { el, replace } from '../dom.js';
import { on } from '../live.js';
import { tabs } from '../tabs.js';
import { runConfig } from './run-config.js';
import { runCurves } from './run-curves.js';
import { runHeader } from './run-header.js';
import { runLog } from './run-log.js';
import { runPhases } from './run-phases.js';

const DETAIL_BETWEEN = 3000;
const TABS = [['curves', 'Curves', runCurves], ['phases', 'Phases', runPhases], ['log', 'Log', runLog], ['config', 'Configuration', runConfig]];

/** Query: `tab`, and what the tab itself keeps there. */
export async function show(root, route) {
  const [run, { readOnly }] = await Promise.all([get(`/api/runs/${route.id}`), about()]);
  return new RunView(root, route, run, readOnly);
}

class RunView {
  constructor(root, route, run, readOnly) {
    Object.assign(this, { route, run, part: null, timer: null });
    this.header = runHeader(run, readOnly);
    const sections = TABS.map(([id, label, make]) => ({ id, label, show: panel => this.enter(panel, make) }));
    this.tabs = tabs('Parts of the run', sections, route.query.get('tab') ?? 'curves', id => this.keepTab(id));
    replace(root, this.header.node, this.tabs.node);
    this.ends = [
      on('run', latest => latest.id === run.id && this.changed(latest)),
      on('again', () => this.detail()),
    ];
  }

  /** A part gets `{ run, route, onPace }` and returns `{ update(run), close() }`. */
  enter(panel, make) {
    const part = make(panel, { run: this.run, route: this.route, onPace: pace => this.header.pace(pace) });
    this.part = part;
    return () => {
      this.part = null;
      part.close();
    };
  }

  keepTab(id) {
    const query = new URLSearchParams(this.route.query);
    if (id === 'curves') {
      query.delete('tab');
    } else {
      query.set('tab', id);
    }
    this.route.query = query;
    this.route.keep(query);
  }

  update(route) {
    Object.assign(this.route, route); // the parts keep theirs
    this.tabs.choose(route.query.get('tab') ?? 'curves');
  }

  changed(latest) {
    const swapped = latest.served?.join() !== this.run.served?.join();
    this.show({ ...this.run, ...latest });
    if (this.timer === null) { // names and swaps are not in the event
      this.timer = setTimeout(() => this.detail(), swapped ? 200 : DETAIL_BETWEEN);
    }
  }

  async detail() {
    clearTimeout(this.timer);
    this.timer = null;
    try {
      this.show(await get(`/api/runs/${this.run.id}`));
    } catch {
      // the state of the connection says it; the next event asks again
    }
  }

  show(run) {
    this.run = run;
    this.header.update(run);
    this.part?.update(run);
  }

  close() {
    clearTimeout(this.timer);
    this.ends.forEach(end => end());
    this.tabs.close();
    this.header.close();
  }
}
