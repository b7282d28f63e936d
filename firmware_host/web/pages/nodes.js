// Elements of a page. Attributes only: the content security policy forbids styles in markup.

const SVG = "http://www.w3.org/2000/svg";

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

export function html(tag, attributes = {}, ...children) {
  return made(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return made(document.createElementNS(SVG, tag), attributes, children);
}

// Changes of a page cost time on a small machine: only what differs is touched.
export function setText(node, text) {
  const value = String(text);
  if (node.textContent !== value) node.textContent = value;
}

export function setAttribute(node, name, value) {
  if (value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// Whoever is in that field types over what has come into it, and not behind it.
export function setValue(field, value) {
  if (field.value === value) return;
  field.value = value;
  if (document.activeElement === field) field.select?.();
}

export function setClass(node, names) {
  setAttribute(node, "class", names);
}
