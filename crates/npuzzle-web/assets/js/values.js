// Values by name that can be listened to.

export class Values extends EventTarget {
  /** @param {Record<string, any>} values */
  constructor(values) {
    super();
    this.values = values;
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.change({ [name]: value });
  }

  /** Several at once. */
  change(values) {
    const names = Object.keys(values).filter((name) => this.values[name] !== values[name]);
    if (names.length === 0) return;
    Object.assign(this.values, values);
    this.dispatchEvent(new CustomEvent('change', { detail: names }));
  }

  /** Now, and whenever one of them changes. */
  watch(names, listener) {
    this.addEventListener('change', ({ detail }) => { if (names.some((name) => detail.includes(name))) listener(); });
    listener();
  }

  /** An input that shows a value and changes it. */
  bind(input, name) {
    const isSwitch = input.type === 'checkbox';
    input.addEventListener('change', () => this.set(name, isSwitch ? input.checked : input.value));
    this.watch([name], () => { input[isSwitch ? 'checked' : 'value'] = this.get(name); });
  }
}
