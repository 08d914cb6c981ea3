package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.Map;
import roll.api.memory.MemoryKind;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;

/** The memory of {@link DecodeRows}, one tensor for each table. Used only on the compute thread. */
final class DecodeCache implements AutoCloseable {
  /** Minimum number of rows of a table. */
  private static final int FEWEST = 8;

  private final Device device;
  private final Kernels kernels;
  private final MemoryLedger ledger;
  private final long tokenBytes;
  private final Map<Integer, Table> tables = new HashMap<>();

  private record Table(NDManager owner, NDArray cells, int rows) {}

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

  /** Returns the table with rows of {@code length} tokens, with at least {@code rows} rows. */
  NDArray cells(int length, int rows) {
    Table table = tables.get(length);
    if (table == null || table.rows() < rows) {
      int more = Math.max(FEWEST, Integer.highestOneBit(2 * rows - 1));
      NDManager owner = device.newManager();
      NDArray cells = kernels.call(owner, "open_rows", more, length).singletonOrThrow();
      if (table != null) {
        try (NDManager small = device.newManager()) {
          kernels.call(small, "copy_rows", table.cells(), cells);
        }
        table.owner().close();
      }
      ledger.add(MemoryKind.KV_CACHE, bytes(more, length));
      if (table != null) {
        ledger.add(MemoryKind.KV_CACHE, -bytes(table.rows(), length));
      }
      table = new Table(owner, cells, more);
      tables.put(length, table);
    }
    return table.cells();
  }

  private long bytes(int rows, int length) {
    return (long) rows * length * tokenBytes;
  }

  /** Frees the memory of the decode cache. */
  @Override
  public void close() {
    tables.forEach(
        (length, table) -> {
          table.owner().close();
          ledger.add(MemoryKind.KV_CACHE, -bytes(table.rows(), length));
        });
    tables.clear();
  }
}
