// Plain values by path: "pod.fabric.switch" of {pod: {fabric: {switch: ...}}}.

const isPart = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

export function valueAt(values, path) {
  return path.split('.').reduce((part, name) => (isPart(part) ? part[name] : undefined), values);
}

// A copy with one field set, or taken out when the value is undefined; parts left empty go too.
export function withValue(values, path, value) {
  const [name, ...rest] = path.split('.');
  const copy = isPart(values) ? { ...values } : {};
  if (rest.length) {
    const inner = withValue(copy[name], rest.join('.'), value);
    if (value === undefined && !Object.keys(inner).length) delete copy[name];
    else copy[name] = inner;
  } else if (value === undefined) {
    delete copy[name];
  } else {
    copy[name] = value;
  }
  return copy;
}

export function same(one, other) {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]));
  }
  if (!isPart(one) || !isPart(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => same(one[name], other[name]));
}
