// config.yaml of a run as flat keys, for comparing two of them. It is written by roll itself, in
// block style with two spaces a level; this reads that, not YAML as a whole.

/** A map from `a.b.c` and `a.0.b` (entries of lists) to the text of the value. */
export function flatConfig(yaml) {
  const values = new Map();
  const path = []; // { indent, name, next: number of the next entry of a list }
  for (const line of yaml.split('\n')) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) {
      continue;
    }
    readLine(line, path, values);
  }
  return values;
}

/** Keys whose values are not the same in all of `configs` (flat ones), each with its values. */
export function differences(configs) {
  const keys = new Set(configs.flatMap(config => [...config.keys()]));
  return [...keys]
    .map(key => ({ key, values: configs.map(config => config.get(key) ?? null) }))
    .filter(({ values }) => values.some(value => value !== values[0]));
}

function readLine(line, path, values) {
  let indent = line.length - line.trimStart().length;
  let rest = line.trim();
  while (rest.startsWith('- ') || rest === '-') { // entries may stand one in another: "- - 1"
    enterList(path, indent);
    rest = rest.slice(2);
    indent += 2;
  }
  const key = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'{[][^:]*):(?:\s+(.*))?$/.exec(rest);
  if (key) {
    leave(path, place => place.indent >= indent && !(place.entry && place.indent < indent));
    path.push({ indent, name: unquoted(key[1]) });
    if (key[2] !== undefined && key[2] !== '') {
      values.set(nameOf(path), key[2]);
    }
  } else if (rest !== '') {
    const name = nameOf(path);
    values.set(name, values.has(name) ? `${values.get(name)} ${rest}` : rest);
  }
}

/** The next entry of the list at `indent`; SnakeYAML writes lists of a key at the key's own indent. */
function enterList(path, indent) {
  leave(path, place => place.indent > indent);
  const last = path[path.length - 1];
  if (last?.entry && last.indent === indent) {
    last.name = String(Number(last.name) + 1);
  } else {
    path.push({ indent, name: '0', entry: true });
  }
}

function leave(path, gone) {
  while (path.length > 0 && gone(path[path.length - 1])) {
    path.pop();
  }
}

function nameOf(path) {
  return path.map(place => place.name).join('.');
}

function unquoted(key) {
  return /^["']/.test(key) ? key.slice(1, -1) : key;
}
