/** Names of services for windows; none of them is a word of the cliff's names, so that both can be in one task. */
export const serviceWords: readonly string[] = `
render indexer mailer crawler backup deploy importer exporter scanner parser linter builder
packer signer syncer loader router proxy gateway billing payroll invoice ledger auditor
planner tracker monitor watcher courier printer plotter sampler mixer encoder decoder resizer
uploader fetcher archiver cleaner rotator sorter matcher tagger ranker trainer solver notifier
`
  .trim()
  .split(/\s+/);
