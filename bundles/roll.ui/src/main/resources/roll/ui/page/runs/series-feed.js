// Series of one run, kept up to date: all of them once, then the new points.
import { aborted, get } from '../api.js';

const INTERVAL_MS = 1000;
const MOST_NAMES = 64; // of a request

/** Series of run `id`; calls `onChange()` whenever they or `error` have changed; `answered` once they are known. */
export class SeriesFeed {
  constructor(id, names, points, onChange) {
    Object.assign(this, { id, names, points, onChange, series: {}, last: -1, step: -1, range: null, error: null, answered: false });
    this.ended = new AbortController();
    this.generation = 0; // of the request for all points: answers to earlier requests are dropped
    this.loading = false;
    this.timer = null;
  }

  /** Requests all points, or those of a range of steps `{ from, to }`. */
  async load(range = null) {
    const generation = ++this.generation;
    this.range = range;
    this.loading = true;
    await this.request(range ?? {}, series => this.series = series);
    if (generation === this.generation) {
      this.loading = false;
      this.grow(this.step);
    }
  }

  /** Changes the names of the series. */
  rename(names) {
    const added = names.some(name => !this.names.includes(name));
    this.names = names;
    if (added) {
      this.load(this.range);
    }
  }

  /** The run has reached `step`: requests new points, at most once per second. */
  grow(step) {
    this.step = Math.max(this.step, step);
    if (this.names.length > 0 && this.step > this.last && !this.loading && this.range === null) {
      this.later(() => this.append());
    }
  }

  close() {
    clearTimeout(this.timer);
    this.ended.abort();
  }

  later(work) {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      work();
    }, INTERVAL_MS);
  }

  async append() {
    if (this.range !== null) {
      return; // all points are requested when the zoom ends
    }
    const long = Object.values(this.series).some(one => one.step.length > 2 * this.points);
    if (this.last < 0 || long) {
      await this.load();
      return;
    }
    await this.request({ from: this.last + 1 }, series => {
      Object.entries(series).forEach(([name, one]) => this.series[name] = appended(this.series[name], one));
    });
  }

  async request(range, take) {
    const { generation } = this;
    try {
      const ask = names => get(`/api/runs/${this.id}/series`, { names: names.join(','), points: this.points, ...range }, this.ended.signal);
      const answers = await Promise.all(pieces(this.names).map(ask));
      if (generation !== this.generation) {
        return;
      }
      take(Object.assign({}, ...answers.map(answer => answer.series)));
      this.answered = true;
      const reached = answers.map(answer => answer.last); // the file may have grown in between
      this.last = Math.max(this.last, reached.length > 0 ? Math.min(...reached) : -1);
      this.error = null;
      if (answers.some(answer => !answer.complete)) { // a long file is still being read
        this.later(() => this.load(this.range));
      }
    } catch (error) {
      if (aborted(error)) {
        return;
      }
      this.error = error;
    }
    this.onChange();
  }
}

/** `names` in parts that a request may have. */
function pieces(names) {
  return Array.from({ length: Math.ceil(names.length / MOST_NAMES) }, (_, part) => names.slice(part * MOST_NAMES, (part + 1) * MOST_NAMES));
}

/** The points of `one`, and of `more` those after them. */
function appended(one, more) {
  const first = more.step.findIndex(step => step > (one?.step.at(-1) ?? -1));
  if (!one || first < 0) {
    return one ?? more;
  }
  return Object.fromEntries(Object.keys(more).map(column => [column, [...one[column], ...more[column].slice(first)]]));
}
