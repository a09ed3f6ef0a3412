export declare const faultSuites: readonly string[]
