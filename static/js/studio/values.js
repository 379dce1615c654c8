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

const NO_GROWTH = { growth_per_year: 0, years: 0 };

// A demand of which nothing is left but growth that is none goes: without an amount it says nothing.
export function withoutEmptyDemand(values) {
  const demand = valueAt(values, 'workload.demand');
  if (!isPart(demand) || Object.entries(demand).some(([name, value]) => value !== NO_GROWTH[name])) return values;
  return withValue(values, 'workload.demand', undefined);
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
