// Finds and creates elements.

/** Returns the element with this id. @returns {any} */
export const find = (id) => document.getElementById(id);

/**
 * Creates an element. Names that begin with `on` are listeners; `class`, `role` and names with a hyphen are
 * attributes; others are properties.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...children);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an SVG element with attributes. @returns {SVGElement} */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Creates an icon. `index.html` contains the drawings, so that no request is needed. */
export function icon(name) {
  return draw('svg', { class: 'icon', 'aria-hidden': 'true' }, draw('use', { href: `#icon-${name}` }));
}

export function setIcon(button, name) {
  button.querySelector('use').setAttribute('href', `#icon-${name}`);
}

function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class' || name === 'role' || name.includes('-')) element.setAttribute(name, value);
    else element[name] = value;
  }
}

/** Replaces the options of a select. @param {[string, string][]} options value and text */
export function fillSelect(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

/** Creates a label with a select. */
export function labeledSelect(text, options, value, onchange) {
  const select = make('select', { onchange: () => onchange(select.value) });
  fillSelect(select, options);
  select.value = value;
  return make('label', { class: 'grow' }, `${text} `, make('span', { class: 'select' }, select));
}
