/** @param folder of a checkout */
export declare function copyAssets(folder: string): Promise<void>
