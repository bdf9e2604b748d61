"""Launches: how many threads a block has, how many blocks there are, which of them are a cluster."""

from value_types import choose

SIZES = (1, 2, 3, 11, 12, 15, 16, 17, 31, 32, 33, 45, 48, 63, 64, 65, 96, 127, 128, 180, 256, 257, 500, 1000, 1023, 1024)
BOXES = ((8, 8, 1), (4, 4, 4), (3, 5, 7), (5, 1, 13), (1, 37, 1), (2, 3, 40), (16, 8, 1), (33, 2, 2), (10, 10, 10), (1, 1, 64))
CLUSTERS = (2, 2, 3, 4, 4, 5, 8)
# The largest number of threads of all blocks of a kernel whose blocks exchange values, and of a kernel with several others.
MOST_TOGETHER = 768
MOST_APART = 768


class Shape:
    """`together` says that collectives of the grid and of clusters are in the kernel. `cluster` counts the blocks of one."""

    def __init__(self, block, grid=(1, 1, 1), cluster=1, together=False):
        self.block = block
        self.grid = grid
        self.cluster = cluster
        self.together = together
        self.threads = block[0] * block[1] * block[2]
        self.blocks = grid[0] * grid[1] * grid[2]
        self.total = self.threads * self.blocks

    def clauses(self):
        """The clauses of a kernel; chips without clusters have one block in each."""
        text = f"workgroup({', '.join(map(str, self.block))}) grid({', '.join(map(str, self.grid))})"
        return text + (f" cluster(target.has(\"cluster\") ? {self.cluster} : 1)" if self.cluster > 1 else "")


def random_block(rng):
    pick = rng.randrange(9)
    if pick == 0:
        return choose(rng, (64, 128, 256, 512)), 1, 1
    if pick < 4:
        return choose(rng, SIZES), 1, 1
    if pick < 6:
        return 1 + rng.randrange(1 + rng.randrange(1024)), 1, 1
    if pick < 8:
        return choose(rng, BOXES)
    while True:
        box = tuple(1 + rng.randrange(choose(rng, (1, 4, 12, 40))) for _ in range(3))
        if box[0] * box[1] * box[2] <= 1024:
            return box


def random_grid(rng, most):
    """At most so many blocks, in up to three dimensions."""
    pick = rng.randrange(4)
    if pick == 0 and most > 20:
        return 17 + rng.randrange(most - 16), 1, 1
    while True:
        grid = tuple(1 + rng.randrange(3) for _ in range(3)) if pick == 1 else (1 + rng.randrange(min(most, 9)), 1, 1)
        if grid[0] * grid[1] * grid[2] <= most:
            return grid


def random_shape(rng):
    block = random_block(rng)
    threads = block[0] * block[1] * block[2]
    if rng.randrange(3):
        return Shape(block, random_grid(rng, min(3, max(1, MOST_APART // threads))))
    while threads > MOST_TOGETHER // 2:
        block = random_block(rng)
        threads = block[0] * block[1] * block[2]
    most = min(70, MOST_TOGETHER // threads)
    if rng.randrange(2):
        return Shape(block, random_grid(rng, most), together=True)
    cluster = choose(rng, [size for size in CLUSTERS if size <= most])
    x, y, z = random_grid(rng, most // cluster)
    return Shape(block, (x * cluster, y, z), cluster, together=True)
