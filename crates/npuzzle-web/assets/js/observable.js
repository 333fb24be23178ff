// Named values that notify listeners of changes.

export class ObservableValues extends EventTarget {
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

  /** Changes several values at once. */
  change(values) {
    const names = Object.keys(values).filter((name) => this.values[name] !== values[name]);
    if (names.length === 0) return;
    Object.assign(this.values, values);
    this.dispatchEvent(new CustomEvent('change', { detail: names }));
  }

  /** Calls `listener` now and whenever one of these values changes. */
  watch(names, listener) {
    this.addEventListener('change', ({ detail }) => { if (names.some((name) => detail.includes(name))) listener(); });
    listener();
  }

  /** Connects an input to a value. */
  bind(input, name) {
    const isCheckbox = input.type === 'checkbox';
    input.addEventListener('change', () => this.set(name, isCheckbox ? input.checked : input.value));
    this.watch([name], () => { input[isCheckbox ? 'checked' : 'value'] = this.get(name); });
  }
}
