package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import roll.api.memory.MemoryKind;
import roll.strategy.vllm.SharedPrefixes.Prefix;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;

/**
 * The memory of {@link DecodeRows}, one tensor for each table and each prefix. Used only on the
 * compute thread.
 */
final class DecodeCache implements AutoCloseable {
  /** Minimum number of rows of a table. */
  private static final int FEWEST = 8;

  private final Device device;
  private final Kernels kernels;
  private final MemoryLedger ledger;
  private final long tokenBytes;
  private final Map<DecodeRows.Key, Table> tables = new HashMap<>();

  /** Prefixes by number. */
  private final Map<Integer, Table> prefixes = new HashMap<>();

  private record Table(NDManager owner, NDArray cells, int rows, long bytes) {}

  /**
   * Creates an empty cache.
   *
   * @param kernels with the functions of {@code step.py}
   * @param ledger counts the tables
   * @param tokenBytes bytes of a token in a row
   */
  DecodeCache(Device device, Kernels kernels, MemoryLedger ledger, long tokenBytes) {
    this.device = device;
    this.kernels = kernels;
    this.ledger = ledger;
    this.tokenBytes = tokenBytes;
  }

  /** Returns the table {@code key}, with at least {@code rows} rows. */
  NDArray cells(DecodeRows.Key key, int rows) {
    int length = key.length();
    Table table = tables.get(key);
    if (table == null || table.rows() < rows) {
      int more = Math.max(FEWEST, Integer.highestOneBit(2 * rows - 1));
      NDManager owner = device.newManager();
      NDArray cells = kernels.call(owner, "open_rows", more, length).singletonOrThrow();
      if (table != null) {
        try (NDManager small = device.newManager()) {
          kernels.call(small, "copy_rows", table.cells(), cells);
        }
        free(table);
      }
      table = counted(new Table(owner, cells, more, (long) more * length * tokenBytes));
      tables.put(key, table);
    }
    return table.cells();
  }

  /** Returns the keys and values of {@code prefix}, read from the blocks {@code cache}. */
  NDArray prefix(Prefix prefix, int tokens, NDArray cache) {
    Table known = prefixes.get(prefix.number());
    if (known == null) {
      NDManager owner = device.newManager();
      try (NDManager small = device.newManager()) {
        NDArray blocks = small.create(prefix.blocks().stream().mapToLong(b -> b.id).toArray());
        NDArray cells = kernels.call(owner, "read_prefix", cache, blocks).singletonOrThrow();
        known = counted(new Table(owner, cells, 1, tokens * tokenBytes));
      }
      prefixes.put(prefix.number(), known);
    }
    return known.cells();
  }

  /** Frees all prefixes, and their tables, but those of {@code groups}. */
  void keep(List<DecodeRows.Group> groups) {
    Set<Integer> used = new HashSet<>(Set.of(0));
    groups.forEach(group -> used.add(group.table().prefix()));
    free(tables, key -> !used.contains(key.prefix()));
    free(prefixes, number -> !used.contains(number));
  }

  private Table counted(Table table) {
    ledger.add(MemoryKind.KV_CACHE, table.bytes());
    return table;
  }

  private <K> void free(Map<K, Table> some, Predicate<K> unused) {
    some.entrySet()
        .removeIf(
            entry -> {
              boolean goes = unused.test(entry.getKey());
              if (goes) {
                free(entry.getValue());
              }
              return goes;
            });
  }

  private void free(Table table) {
    table.owner().close();
    ledger.add(MemoryKind.KV_CACHE, -table.bytes());
  }

  /** Frees the memory of the decode cache. */
  @Override
  public void close() {
    free(tables, key -> true);
    free(prefixes, number -> true);
  }
}
