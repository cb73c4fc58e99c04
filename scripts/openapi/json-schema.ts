export type JsonSchema = { [keyword: string]: unknown; properties?: Record<string, JsonSchema> };
