// Series of one run, kept up to date: all of it once, then what came behind.
import { get, gone, withQuery } from '../api.js';

const AGAIN_WHILE_INDEXED = 1000;
const BETWEEN = 1000;

/** Series of run `id`; `onChange()` is called whenever they or `error` are new; `answered` once they are known. */
export class SeriesFeed {
  constructor(id, names, points, onChange) {
    Object.assign(this, { id, names, points, onChange, series: {}, last: -1, step: -1, range: null, error: null, answered: false });
    this.ended = new AbortController();
    this.generation = 0; // of what was asked for as a whole: answers to an earlier one come too late
    this.loading = false;
    this.timer = null;
  }

  /** Asks for all, or for a range of steps `{ from, to }`, in as many points. */
  async load(range = null) {
    const generation = ++this.generation;
    this.range = range;
    this.loading = true;
    await this.ask(range ?? {}, answer => {
      this.series = answer.series;
    });
    if (generation === this.generation) {
      this.loading = false;
      this.grow(this.step);
    }
  }

  /** Other names; what is known of those that stay is kept. */
  async rename(names) {
    const added = names.some(name => !this.names.includes(name));
    this.names = names;
    if (added) {
      await this.load(this.range);
    }
  }

  /** The run has got to `step`: asks for what is new, at most once a second. */
  grow(step) {
    this.step = Math.max(this.step, step);
    if (this.step <= this.last || this.loading || this.range !== null) {
      return;
    }
    this.later(BETWEEN, () => this.behind());
  }

  close() {
    clearTimeout(this.timer);
    this.ended.abort();
  }

  later(delay, work) {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      work();
    }, delay);
  }

  async behind() {
    if (this.range !== null) {
      return; // a part is looked at meanwhile; all is asked for after it
    }
    const long = Object.values(this.series).some(one => one.step.length > 2 * this.points);
    if (this.last < 0 || long) {
      await this.load();
      return;
    }
    await this.ask({ from: this.last + 1 }, answer => {
      for (const [name, one] of Object.entries(answer.series)) {
        this.series[name] = appended(this.series[name], one);
      }
    });
  }

  async ask(range, take) {
    const { generation } = this;
    try {
      const query = { names: this.names.join(','), points: this.points, ...range };
      const answer = await get(withQuery(`/api/runs/${this.id}/series`, query), { signal: this.ended.signal });
      if (generation !== this.generation) {
        return;
      }
      take(answer);
      this.answered = true;
      this.last = Math.max(this.last, answer.last ?? -1);
      this.error = null;
      if (answer.complete === false) {
        this.later(AGAIN_WHILE_INDEXED, () => this.load(this.range));
      }
    } catch (error) {
      if (gone(error)) {
        return;
      }
      this.error = error;
    }
    this.onChange();
  }
}

/** `more` behind `one`. */
function appended(one, more) {
  if (!one || one.step.length === 0) {
    return more;
  }
  const end = one.step[one.step.length - 1];
  const first = more.step.findIndex(step => step > end);
  if (first < 0) {
    return one;
  }
  const joined = {};
  for (const column of ['step', 'seconds', 'min', 'max', 'mean']) {
    joined[column] = [...one[column], ...more[column].slice(first)];
  }
  return joined;
}
