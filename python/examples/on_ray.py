"""Ray Data: the articles of a Parquet file of pages (`url`, `html`).

python on_ray.py PAGES.parquet SITES/ ARTICLES/
"""

import sys

import ray

import forest_wrappers as fw


class Articles:
    """An actor: it opens the folder of wrappers once."""

    def __init__(self, sites: str) -> None:
        self.extractor = fw.Extractor(sites)

    def __call__(self, batch):
        import pyarrow

        pages = batch.to_pydict()
        return pyarrow.table(self.extractor.to_columns(pages["html"], pages["url"]))


def main(pages: str, sites: str, out: str) -> None:
    found = ray.data.read_parquet(pages, columns=["url", "html"]).map_batches(
        Articles,
        fn_constructor_args=(sites,),
        batch_format="pyarrow",
        batch_size=256,
        # Half a core each: actors that hold all cores leave none to read and write.
        num_cpus=0.5,
        compute=ray.data.ActorPoolStrategy(size=2),
    )
    found.write_parquet(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
