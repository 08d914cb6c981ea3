// Elements are built from names, attributes and text nodes alone. Nothing here parses markup, so text
// that a model or a file contains can only become text.

const SVG = 'http://www.w3.org/2000/svg';
// Set as properties: the attribute is only the initial value of a control.
const PROPERTIES = new Set(['value', 'checked', 'disabled', 'hidden', 'open', 'selected']);
const HANDLERS = ['onclick', 'onchange', 'oninput', 'onfocus', 'onblur', 'onpointerenter', 'onpointerleave'];

/**
 * An element. Attributes: `text`, `class`, `style` (an object of CSS properties), `on<event>` with a
 * function, otherwise as in HTML; null, undefined and false leave one out, true sets it empty.
 * Children: nodes, text, arrays of these; null and false are left out.
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, with the arguments of `el`. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Replaces all children of `node`. */
export function replace(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

/** Changes the children of `node` to equal `children`; nodes of the same tag stay, with focus and scroll position. */
export function update(node, ...children) {
  const wanted = document.createDocumentFragment();
  wanted.append(...nodes(children));
  morphChildren(node, wanted);
  return node;
}

/** Sets the text of `node` only where it differs, so that screen readers do not read it again. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
  return node;
}

/** `name` as children of an element, with line breaks allowed after slashes and underscores. */
export function breakable(name) {
  return name.split(/(?<=[/_])/).map((part, index) => [index > 0 && el('wbr'), part]);
}

function morphChildren(node, wanted) {
  const next = [...wanted.childNodes];
  while (node.childNodes.length > next.length) {
    node.lastChild.remove();
  }
  next.forEach((child, index) => {
    const now = node.childNodes[index];
    if (!now) {
      node.append(child);
    } else if (now.nodeName !== child.nodeName) {
      now.replaceWith(child);
    } else {
      morph(now, child);
    }
  });
}

function morph(node, next) {
  if (node.nodeType === Node.TEXT_NODE) {
    setText(node, next.data);
    return;
  }
  for (const name of node.getAttributeNames()) {
    if (!next.hasAttribute(name) && name !== 'open') {
      node.removeAttribute(name);
    }
  }
  for (const { name, value } of next.attributes) {
    if (name !== 'style' && node.getAttribute(name) !== value) {
      node.setAttribute(name, value);
    }
  }
  node.style.cssText = next.style.cssText;
  HANDLERS.forEach(name => node[name] = next[name]);
  morphChildren(node, next);
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
    node[name] = value;
  } else if (value === null || value === undefined || (value === false && !name.startsWith('aria-'))) {
    return;
  } else if (name === 'text') {
    node.textContent = value;
  } else if (name === 'style') { // the content security policy forbids style attributes
    Object.entries(value).forEach(([property, set]) => node.style.setProperty(property, set));
  } else if (PROPERTIES.has(name) && name in node) {
    node[name] = value;
  } else if ((name === 'href' || name === 'src') && !/^(#|\/(?!\/)|data:image\/|blob:)/.test(value)) {
    throw new TypeError(`${name} leads away from this page: ${value}`);
  } else {
    node.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : value);
  }
}

function nodes(children) {
  return children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false);
}
