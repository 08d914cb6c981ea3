package roll.api.strategy;

import java.util.List;

/**
 * The hardware and software that determine rounding, beside the configuration and the seed:
 * processor, library, threads. If all of it is the same, a resumed run is bit-for-bit identical.
 *
 * @param here description of this machine on one line for the log; empty if unknown
 * @param changes differences from the machine that computed the state restored last; empty if there
 *     are none, or none are known
 */
public record NumericsInfo(String here, List<Change> changes) {
  /** Numerics info of a session that reports none. */
  public static final NumericsInfo UNKNOWN = new NumericsInfo("", List.of());

  /** Creates a numerics info with an immutable copy of the list. */
  public NumericsInfo {
    changes = List.copyOf(changes);
  }

  /**
   * A difference from the machine that computed the restored state.
   *
   * @param before the earlier value, such as {@code 2 threads}
   * @param here the current value
   */
  public record Change(String before, String here) {}
}
