/** What the schema says of a value, as far as a table of fields needs it. */
interface SchemaNode {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
}

/** A field by its pointer (`*` for any item of a list), with its type and limits in words. */
export type FieldRow = readonly [pointer: string, form: string];

/** The fields in the first table of a page whose first column holds pointers, in its order. */
export function fieldRows(page: string): readonly FieldRow[] {
  return [...page.matchAll(/^\| `(\/[^`]*)` \| (.*?) \| .+ \|$/gm)].map(
    ([, pointer = '', form = '']) => [pointer, form],
  );
}

/**
 * All fields of a definition, in the schema's order; those of every mechanic's policy follow the policy.
 * A policy's schema is named after its mechanic: `rows_policy`.
 */
export function schemaFields(schemaText: string): readonly FieldRow[] {
  const schema = JSON.parse(schemaText) as SchemaNode;
  const definitions = schema.$defs ?? {};
  const policies = Object.keys(definitions).filter((name) => name.endsWith('_policy'));
  const resolve = (node: SchemaNode): SchemaNode => {
    const name = node.$ref?.replace('#/$defs/', '');
    return name === undefined ? node : { ...definitions[name], ...node };
  };
  const fieldsOf = (node: SchemaNode, pointer: string): readonly FieldRow[] => {
    const { items, properties = {} } = resolve(node);
    if (items !== undefined) return fieldsOf(items, `${pointer}/*`);
    return Object.entries(properties).flatMap(([key, property]): readonly FieldRow[] => {
      const place = `${pointer}/${key}`;
      const inner = place === '/policy' ? policies.map((name) => definitions[name]) : [property];
      return [
        [place, formWords(resolve(property))],
        ...inner.flatMap((child) => (child === undefined ? [] : fieldsOf(child, place))),
      ];
    });
  };
  return fieldsOf(schema, '');
}

function formWords(node: SchemaNode): string {
  if (node.const !== undefined) return code(node.const);
  if (node.enum !== undefined) return node.enum.map(code).join(', ');
  const types = [node.type].flat();
  if (types.includes('integer')) {
    const range = `whole number, ${grouped(node.minimum)} to ${grouped(node.maximum)}`;
    return types.includes('null') ? `${range} or null` : range;
  }
  if (types.includes('array'))
    return `list of ${grouped(node.minItems)} to ${grouped(node.maxItems)}`;
  if (types.includes('object')) return 'object';
  const { title = '', maxLength } = node;
  return maxLength === undefined ? title : `${title}, at most ${maxLength} characters`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function grouped(value = NaN): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
