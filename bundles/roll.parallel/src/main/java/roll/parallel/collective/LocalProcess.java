package roll.parallel.collective;

/**
 * The process that opens a group.
 *
 * @param process name of this process, as in {@link RankLocation#process}
 * @param rendezvous exchange with other processes before they are connected
 */
public record LocalProcess(String process, Rendezvous rendezvous) {
  /** Returns the only process of a run. */
  public static LocalProcess alone() {
    return new LocalProcess("", Rendezvous.local());
  }
}
