import { Bool, type DataType, Field, Float32, Float64, Int8, Int32, Int64, List, Struct, Utf8 } from 'apache-arrow';

export const text = (name: string, nullable = false) => new Field(name, new Utf8(), nullable);
export const bool = (name: string, nullable = false) => new Field(name, new Bool(), nullable);
/** 32 bits. */
export const count = (name: string, nullable = false) => new Field(name, new Int32(), nullable);
/** 64 bits. */
export const long = (name: string, nullable = false) => new Field(name, new Int64(), nullable);
export const real = (name: string, nullable = false) => new Field(name, new Float64(), nullable);
export const struct = (name: string, fields: Field[]) => new Field(name, new Struct(fields), false);
export const structOf = (fields: Field[]) => struct('item', fields);
export const int8List = (name: string, nullable = false) => listOf(name, new Int8(), nullable);
export const real32List = (name: string, nullable = false) => listOf(name, new Float32(), nullable);

export function list(name: string, item: Field, nullable = false): Field {
  return new Field(name, new List(item), nullable);
}

function listOf(name: string, type: DataType, nullable: boolean): Field {
  return list(name, new Field('item', type, false), nullable);
}
