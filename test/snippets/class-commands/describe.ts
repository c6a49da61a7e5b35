export function describe(article: string, shop: string, verbose: boolean): string {
  return `${article.length} ${article} in ${shop}${verbose ? ', counted today' : ''}`;
}
