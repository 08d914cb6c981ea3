// Elements are made of names, attributes and text nodes alone. Nothing here parses markup, so what a
// model or a page wrote can only ever become text.

const SVG = 'http://www.w3.org/2000/svg';
// Properties, not attributes: the attribute only gives what a control begins with.
const PROPERTIES = new Set(['value', 'checked', 'disabled', 'hidden', 'open', 'selected', 'indeterminate']);

/**
 * An element. Attributes: `text`, `class`, `on<event>` with a function, otherwise as in HTML;
 * null, undefined and false leave one out, true sets it empty. Children: nodes, text, arrays of
 * these; null and false are left out.
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts `children` in the place of all that `node` has. */
export function replace(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

/** Sets the text of `node` only where it differs, so that screen readers and selections stay calm. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
  return node;
}

/** `name` as children of an element: it may be broken behind its slashes and underscores. */
export function breakable(name) {
  return name.split(/(?<=[/_])/).map((part, place) => [place > 0 && el('wbr'), part]);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    setAttribute(node, name, value);
  }
  node.append(...nodes(children));
  return node;
}

function setAttribute(node, name, value) {
  if (name.startsWith('on')) {
    if (typeof value !== 'function') {
      throw new TypeError(`${name} takes a function`);
    }
    node.addEventListener(name.slice(2), value);
  } else if (value === null || value === undefined || (value === false && !name.startsWith('aria-'))) {
    return;
  } else if (name === 'text') {
    node.textContent = value;
  } else if (PROPERTIES.has(name) && name in node) {
    node[name] = value;
  } else if (name === 'style') {
    throw new TypeError('the content security policy forbids style attributes: use a class or element.style');
  } else if ((name === 'href' || name === 'src') && !/^(#|\/(?!\/)|data:image\/|blob:)/.test(value)) {
    throw new TypeError(`${name} leads away from this page: ${value}`);
  } else {
    node.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : value);
  }
}

function nodes(children) {
  return children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false);
}
