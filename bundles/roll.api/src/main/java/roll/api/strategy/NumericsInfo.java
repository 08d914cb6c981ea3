package roll.api.strategy;

import java.util.List;

/**
 * What the last bits of a session's numbers depend on beside its configuration and the run's seed,
 * in words: processor, library, threads. Where all of it is the same, a run that continues repeats
 * to the last bit.
 *
 * @param here what is there, on one line for the run's log; empty where the strategy does not say
 * @param changes what was otherwise where the state was computed that was restored last; empty
 *     where nothing was, where nothing is known of it, and where nothing was restored
 */
public record NumericsInfo(String here, List<Change> changes) {
  /** Of a strategy that does not say. */
  public static final NumericsInfo UNKNOWN = new NumericsInfo("", List.of());

  /** With a copy of the list. */
  public NumericsInfo {
    changes = List.copyOf(changes);
  }

  /**
   * Something that is not as it was.
   *
   * @param before what it was, such as {@code 2 threads}
   * @param here what it is
   */
  public record Change(String before, String here) {}
}
